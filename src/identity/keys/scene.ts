/** Keys for tests. */
import { generateKeyPairSync } from 'node:crypto'

/** A new Ed25519 key in the format of a `.pub` file. */
export function newKey(comment = 'user@example.com'): string {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.from(x as string, 'base64url')]).toString('base64')} ${comment}`
}
