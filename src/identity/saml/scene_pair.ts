/** For tests: keys with certificates of their own. */
import { createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A key and a certificate of it, as PEM. */
export interface Pair {
  readonly key: string
  readonly certificate: string
}

/** Makes one. */
export function makePair(): Pair {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certificate: certificateOf(privateKey) }
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const long = body.length > 255 ? [0x82, body.length >> 8, body.length & 255] : [0x81, body.length]
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body])
}

/** A certificate that is signed by its own key. */
function certificateOf(key: KeyObject): string {
  const algorithm = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('company')))))
  const times = der(0x30, der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('21200101000000Z')))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const described = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, times, name, publicKey)
  const signature = createSign('RSA-SHA256').update(described).sign(key)
  const lines = der(0x30, described, algorithm, der(0x03, Buffer.from([0]), signature))
    .toString('base64')
    .match(/.{1,64}/g)
  return `-----BEGIN CERTIFICATE-----\n${lines?.join('\n')}\n-----END CERTIFICATE-----\n`
}
