import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { sections } from './gallery.ts'

const scene = await openScene()
const without = await openScene({ settings: { componentGallery: 'false' } })

test('every component is in the gallery', async () => {
  const files = (await readdir(import.meta.dirname)).filter(name => !name.includes('.test.')).map(name => name.replace('.ts', ''))
  const shown = Object.keys(sections(new Date()))
  assert.deepEqual(
    files.filter(name => name !== 'gallery' && !shown.includes(name)),
    [],
    'these components are not shown: add their states to gallery.ts',
  )
})

test('the gallery is a page where the setting shows it, and nothing elsewhere', async () => {
  const page = await scene.anonymous.get(`${scene.url}/-/components`)
  assert.equal(page.status, 200)
  assert.match(page.body, /<section class="section" id="avatar">/)
  assert.ok(!page.body.includes('undefined'))
  assert.equal((await without.anonymous.get(`${without.url}/-/components`)).status, 404)
})
