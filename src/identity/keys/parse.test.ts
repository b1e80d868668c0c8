import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { parseKey } from './parse.ts'

/** The wire format of a list of fields: each is a length and its bytes. */
const blobOf = (...fields: (string | Buffer)[]) =>
  Buffer.concat(
    fields.flatMap(field => {
      const bytes = Buffer.from(field)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )

const line = (type: string, ...fields: (string | Buffer)[]) => `${type} ${blobOf(type, ...fields).toString('base64')}`
const unsigned = (bytes: Buffer) => ((bytes[0] as number) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
const base64url = (text: string | undefined) => Buffer.from(text as string, 'base64url')

function rsa(bits: number): string {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  return line('ssh-rsa', unsigned(base64url(e)), unsigned(base64url(n)))
}

function ecdsa(bits: 256 | 384 | 521): string {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: `P-${bits}` }).publicKey.export({ format: 'jwk' })
  return line(`ecdsa-sha2-nistp${bits}`, `nistp${bits}`, Buffer.concat([Buffer.of(4), base64url(x), base64url(y)]))
}

const ed25519 = line('ssh-ed25519', Buffer.from(Array.from({ length: 32 }, (_, index) => index)))

test('keys of every kind are read', () => {
  const security = line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), 'ssh:')
  for (const key of [rsa(1024), rsa(2048), ecdsa(256), ecdsa(384), ecdsa(521), ed25519, security])
    assert.equal(parseKey(key)?.text, key, key.slice(0, 40))
})

test('the comment is kept, and superfluous spaces are removed', () => {
  assert.equal(parseKey(`  ${ed25519.replace(' ', ' \t ')}   ida at  home \n`)?.text, `${ed25519} ida at home`)
})

test('fingerprints are those that ssh-keygen prints', () => {
  // The output of `ssh-keygen -l` and `ssh-keygen -l -E md5` for this key.
  const key = parseKey('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f')
  assert.equal(key?.fingerprintSha256, 'ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA')
  assert.equal(key?.fingerprint, '0f:a2:0a:d7:38:3e:65:45:08:6b:63:84:1c:ff:dc:ba')
})

const broken: [string, string][] = [
  ['nothing', ''],
  ['a word', 'hello'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['a kind that is none', line('ssh-none', 'x')],
  ['the name of an object’s own property', line('constructor', 'x')],
  ['base64 that is none', 'ssh-ed25519 AAAA*'],
  ['another kind inside', `ssh-rsa ${ed25519.split(' ')[1]}`],
  ['a short key', line('ssh-ed25519', Buffer.alloc(31))],
  ['a field too many', line('ssh-ed25519', Buffer.alloc(32), 'x')],
  ['bytes behind the end', `ssh-ed25519 ${Buffer.concat([blobOf('ssh-ed25519', Buffer.alloc(32)), Buffer.of(0)]).toString('base64')}`],
  ['a length beyond the end', `ssh-ed25519 ${Buffer.from([0, 0, 0, 200, 1]).toString('base64')}`],
  ['two keys', `${ed25519}\n${ed25519}`],
  ['an RSA key of 512 bits', line('ssh-rsa', Buffer.of(1, 0, 1), unsigned(Buffer.alloc(64, 0xff)))],
  ['a negative number', line('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(256, 0xff))],
  ['a compressed point', line('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.of(2), Buffer.alloc(64)]))],
  ['another curve inside', line('ecdsa-sha2-nistp256', 'nistp384', Buffer.concat([Buffer.of(4), Buffer.alloc(64)]))],
]

for (const [what, key] of broken)
  test(`${what} is no key`, () => {
    assert.equal(parseKey(key), undefined)
  })
