/** An authenticator for tests: it makes one key and signs with it, as a security key or phone does (WebAuthn level 2). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Answer } from '../../../../test/client.ts'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** What may be wrong with an answer. */
export interface Wrongs {
  readonly origin?: string
  readonly counter?: number
  readonly isVerified?: boolean
  /** The name of the site that it signs for. */
  readonly rpId?: string
  /** Was its user there? */
  readonly isPresent?: boolean
  /** The kind of ceremony that the browser says. */
  readonly type?: string
  /** What the authenticator says of its maker: a format of at most 23 letters, and its statement in CBOR. */
  readonly statement?: { readonly format: string; readonly cbor: Buffer }
}

/** The options that a page asks of an authenticator. */
export function optionsOn({ body }: Pick<Answer, 'body'>): { readonly challenge: string; readonly rp?: { readonly id: string } } {
  const options = /data-options="([^"]+)"/.exec(body)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  return JSON.parse(options)
}

/** A new authenticator for the site at `url`. */
export function authenticatorFor(url: string) {
  const { origin, hostname } = new URL(url)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const id = randomBytes(32)
  let count = 0

  const clientData = (type: string, challenge: string, from = origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from }))

  function authenticatorData(
    { counter = ++count, isVerified = true, isPresent = true, rpId = hostname }: Wrongs,
    attested = Buffer.alloc(0),
  ): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8((isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0), 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested])
  }

  const answer = (response: Record<string, unknown>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })

  return {
    /** Makes the key. */
    make({ challenge }: { readonly challenge: string }, wrongs: Wrongs = {}): string {
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(wrongs, Buffer.concat([Buffer.alloc(16), length, id, cose]))
      const { statement = { format: 'none', cbor: Buffer.from([0xa0]) } } = wrongs
      const attestation = Buffer.concat([
        Buffer.from('a363666d74', 'hex'),
        Buffer.from([0x60 | statement.format.length]),
        Buffer.from(statement.format),
        Buffer.from('6761747453746d74', 'hex'),
        statement.cbor,
        Buffer.from('68617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return answer({
        clientDataJSON: clientData(wrongs.type ?? 'webauthn.create', challenge, wrongs.origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['usb'],
      })
    },
    /** Signs with it. */
    answer({ challenge }: { readonly challenge: string }, wrongs: Wrongs = {}): string {
      const client = clientData(wrongs.type ?? 'webauthn.get', challenge, wrongs.origin)
      const data = authenticatorData(wrongs)
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      })
    },
  }
}
