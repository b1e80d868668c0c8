/** GPG keys for tests. */
import { generateKeyPairSync } from 'node:crypto'

const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, body.length]), body])

/** The length and the OID of Ed25519, preceded by the algorithm (22, EdDSA) and followed by the bits of the point. */
const ed25519 = Buffer.from('16092b06010401da470f01010740', 'hex')

/** A new public key, armoured without the optional checksum: RFC 4880, sections 5.5.2 and 6.2. Its user id is not signed. */
export function newGpgKey(userId = 'Test User <user@example.com>'): string {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const created = Buffer.from([4, 0x60, 0, 0, 0])
  const key = packet(6, Buffer.concat([created, ed25519, Buffer.from(x as string, 'base64url')]))
  const body = Buffer.concat([key, packet(13, Buffer.from(userId))]).toString('base64')
  return ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', ...(body.match(/.{1,64}/g) ?? []), '-----END PGP PUBLIC KEY BLOCK-----'].join('\n')
}
