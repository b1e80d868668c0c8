/** The text form of OpenPGP data, and keys. That other programs verify the signatures: test/clients/debian_packages.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../secret.ts'
import { armoured, crc24 } from './armour.ts'
import { newSigningKey, SigningKey } from './signing.ts'

test('a block of text has lines of 64 characters and the checksum of the format', () => {
  assert.equal(crc24(Buffer.alloc(0)).toString('hex'), 'b704ce')
  assert.equal(crc24(Buffer.from('123456789')).toString('hex'), '21cf02')
  const lines = armoured('SIGNATURE', Buffer.alloc(60)).split('\n')
  assert.deepEqual(
    lines.map(line => line.length),
    [27 + 2, 0, 64, 16, 5, 25 + 2, 0],
  )
})

test('a key that was kept signs as the one that was made', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const { publicKey, privateKey } = newSigningKey('Team', now)
  const kept = new SigningKey(new Secret(privateKey.reveal()))
  assert.equal(kept.armoured('Team'), publicKey)
  assert.equal(kept.detached('text\n', now), new SigningKey(privateKey).detached('text\n', now))
  assert.notEqual(newSigningKey('Team', now).publicKey, publicKey)
  assert.match(
    kept.clearSigned('one\n-two\n', now),
    /^-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\none\n- -two\n-----BEGIN PGP SIGNATURE-----\n/,
  )
})
