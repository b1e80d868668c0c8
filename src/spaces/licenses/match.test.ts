import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownLicenses, presentLicense } from './known.ts'
import { licenseOfText } from './match.ts'

test('every known text matches its own licence', () => {
  for (const [key, { body }] of knownLicenses()) assert.equal(licenseOfText(body), key)
})

test('a completed, rewrapped or commented text still matches its licence', () => {
  const mit = knownLicenses().get('mit')?.body as string
  const filled = mit.replace('[year]', '1999-2021').replace('[fullname]', 'The Authors of Something Long, and others')
  assert.equal(licenseOfText(filled), 'mit')
  assert.equal(licenseOfText(filled.replace(/\s+/g, ' ').replace('Copyright', '\nCopyright').replace('others', 'others\n')), 'mit')
  assert.equal(licenseOfText(filled.replace(/^/gm, ' * ')), 'mit')
})

test('other texts are `other`, an empty one included', () => {
  assert.equal(licenseOfText('You may use this on Sundays.'), 'other')
  assert.equal(licenseOfText(''), 'other')
  const mit = knownLicenses().get('mit')?.body as string
  assert.equal(licenseOfText(`${mit}\nAnd all who earn money with it share half of it with us, in writing, every year.`), 'other')
})

test('a text of empty lines is read in linear time', () => {
  const before = process.cpuUsage()
  assert.equal(licenseOfText(`${'\n'.repeat(100_000)}words`), 'other')
  const { user } = process.cpuUsage(before)
  assert.ok(user < 2_000_000, `${user} µs`)
})

test('a licence is shown with its names and addresses (document 3 "Project")', () => {
  assert.deepEqual(presentLicense('lgpl-3.0'), {
    key: 'lgpl-3.0',
    name: 'GNU Lesser General Public License v3.0',
    nickname: 'GNU LGPLv3',
    html_url: 'http://choosealicense.com/licenses/lgpl-3.0/',
    source_url: 'https://www.opensource.org/licenses/LGPL-3.0',
  })
  assert.deepEqual(presentLicense('other'), { key: 'other', name: 'Other', nickname: null, html_url: null, source_url: null })
})
