import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGpgKey } from './parse.ts'
import { newGpgKey } from './scene.ts'

/** Made by GnuPG, which also says what the fingerprint is. */
const key = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawC+HxYJKwYBBAHaRw8BAQdA5/sUGVIFY8SxnNqlwk7atgJtWNfYvAtyC072
SgIODUW0HUV4YW1wbGUgPGV4YW1wbGVAZXhhbXBsZS5jb20+iJAEExYIADgWIQQ7
Sp6YQKY1AjBvrZpV9LY31orYhAUCawC+HwIbAwULCQgHAgYVCgkICwIEFgIDAQIe
AQIXgAAKCRBV9LY31orYhBL4AP90BJuSSaOLRnhxvKzigHBRie7I2jF514lGEPix
pxb1VgD9HxkdI/tQPszXUGmnRkvs4QYoUaGMYKFzCCvYlW1LVAA=
=aUbi
-----END PGP PUBLIC KEY BLOCK-----`

test('a key has the fingerprint that GnuPG gives it, whatever stands around it and at the ends of its lines', () => {
  const fingerprint = '3b4a9e9840a63502306fad9a55f4b637d68ad884'
  assert.deepEqual(parseGpgKey(key), { text: key, fingerprint })
  assert.deepEqual(parseGpgKey(`My key:\n${key}\nThanks\n`), { text: key, fingerprint })
  assert.equal(parseGpgKey(key.replaceAll('\n', '\r\n'))?.fingerprint, fingerprint)
  assert.equal(parseGpgKey(key.replace('\n\n', '\nComment: mine\n\n'))?.fingerprint, fingerprint)
  assert.match(parseGpgKey(newGpgKey())?.fingerprint ?? '', /^[0-9a-f]{40}$/)
})

test('what is no key, damaged, cut off, or more than one key is none', () => {
  const broken: readonly string[] = [
    '',
    'rubbish',
    key.replace('=aUbi', '=aUbj'),
    key.replace('mDMEawC', 'mDMEawD'),
    key.replace('AQIXgAAKCRBV9LY31orYhBL4AP90BJuSSaOLRnhxvKzigHBRie7I2jF514lGEPix\n', ''),
    key.replace(/\n-----END.*/, ''),
    key.replaceAll('PUBLIC', 'PRIVATE'),
    `${key}\n${newGpgKey()}`,
    '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----',
    `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${Buffer.from('Hello World!').toString('base64')}\n-----END PGP PUBLIC KEY BLOCK-----`,
  ]
  for (const text of broken) assert.equal(parseGpgKey(text), undefined, text)
})
