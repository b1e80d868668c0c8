import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitCommit, splitTag } from './signed-object.ts'

const head = 'tree t\nauthor A <a> 0 +0000\ncommitter A <a> 0 +0000\n'
const pgp = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n'
const folded = (name: string, text: string) => `${name} ${text.trimEnd().replaceAll('\n', '\n ')}\n`

const split = (text: string) => {
  const found = splitCommit('x', Buffer.from(text, 'latin1'))
  return found && { payload: found.payload.toString('latin1'), signature: found.signature }
}

test('what was signed is the commit without its signature, byte by byte', () => {
  const message = '\nTitle \xe9\n\ngpgsig not a header\n'
  assert.deepEqual(split(`${head}${folded('gpgsig', pgp)}encoding latin1\n${message}`), {
    payload: `${head}encoding latin1\n${message}`,
    signature: pgp,
  })
  assert.equal(split(`${head}${message}`), undefined)
})

test('the signature for other ids is part of neither, and that of a merged tag of what was signed', () => {
  const merged = folded('mergetag', `object o\n\nv1\n${pgp}`)
  assert.deepEqual(split(`${head}${merged}${folded('gpgsig-sha256', pgp)}${folded('gpgsig', pgp)}\nTitle`), {
    payload: `${head}${merged}\nTitle`,
    signature: pgp,
  })
  assert.equal(split(`${head}${merged}${folded('gpgsig-sha256', pgp)}\nTitle`), undefined)
})

test('the signature of a tag is the last one in it', () => {
  const payload = `object o\ntype commit\ntag v1\ntagger A <a> 0 +0000\n\nIt has\n${pgp}`
  const found = splitTag('x', Buffer.from(`${payload}${pgp}`))
  assert.deepEqual([found?.payload.toString(), found?.signature], [payload, pgp])
  assert.equal(splitTag('x', Buffer.from('object o\n\nText -----BEGIN PGP SIGNATURE-----\n')), undefined)
})
