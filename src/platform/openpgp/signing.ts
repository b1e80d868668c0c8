/**
 * Keys of OpenPGP that sign files of the server's own, and their signatures (RFC 4880 with EdDSA on Ed25519 as in RFC 9580, section 5.5.5.5: the form
 * that GnuPG and apt read since 2016). Nothing is verified or encrypted here.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { Secret } from '../secret.ts'
import { armoured } from './armour.ts'

const VERSION = 4
const EDDSA = 22
const SHA512 = 10
/** 1.3.6.1.4.1.11591.15.1, with its length before it. */
const ED25519 = Buffer.from('092b06010401da470f01', 'hex')

const signatureTypes = { binary: 0x00, text: 0x01, certification: 0x13 } as const
const subpackets = { created: 2, issuer: 16, keyFlags: 27, fingerprint: 33 } as const
const tags = { signature: 2, publicKey: 6, userId: 13 } as const

/** Certify keys, and sign data. */
const USES = 0x01 | 0x02

/** A key that was just made. */
export interface NewSigningKey {
  /** Armoured, for those who verify. */
  readonly publicKey: string
  /** What `SigningKey` is made of. */
  readonly privateKey: Secret
}

/** Makes a key. @param userId what programs show as the owner of the key @param now when it is made: signatures come later */
export function newSigningKey(userId: string, now: Date): NewSigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const kept = new Secret(JSON.stringify({ created: seconds(now), key }))
  return { publicKey: new SigningKey(kept).armoured(userId), privateKey: kept }
}

/** A key that can sign. */
export class SigningKey {
  readonly #private: KeyObject
  readonly #created: number
  /** The body of the packet of the public key. */
  readonly #body: Buffer
  readonly #fingerprint: Buffer

  /** @param secret what `newSigningKey` gave */
  constructor(secret: Secret) {
    const { created, key } = JSON.parse(secret.reveal()) as { created: number; key: string }
    this.#created = created
    this.#private = createPrivateKey({ key: Buffer.from(key, 'base64'), type: 'pkcs8', format: 'der' })
    const { x } = createPublicKey(this.#private).export({ format: 'jwk' })
    // 0x40: a point of a curve in its own form.
    const point = Buffer.concat([Buffer.from([0x40]), Buffer.from(x as string, 'base64url')])
    this.#body = Buffer.concat([Buffer.from([VERSION]), uint32(created), Buffer.from([EDDSA]), ED25519, mpi(point)])
    this.#fingerprint = createHash('sha1').update(hashed(0x99, this.#body)).digest()
  }

  /** The public key with the name of its owner, signed by itself. */
  armoured(userId: string): string {
    const owner = Buffer.from(userId)
    const ownerHashed = Buffer.concat([Buffer.from([0xb4]), uint32(owner.length), owner])
    const certification = this.#signature(
      signatureTypes.certification,
      [hashed(0x99, this.#body), ownerHashed],
      this.#created,
      subpacket(subpackets.keyFlags, Buffer.from([USES])),
    )
    return armoured(
      'PUBLIC KEY BLOCK',
      Buffer.concat([packet(tags.publicKey, this.#body), packet(tags.userId, owner), packet(tags.signature, certification)]),
    )
  }

  /** A signature of these bytes, which is kept beside them. */
  detached(content: string, now: Date): string {
    return armoured('SIGNATURE', packet(tags.signature, this.#signature(signatureTypes.binary, [Buffer.from(content)], seconds(now))))
  }

  /** The text with a signature of it in one file (section 7). @param text lines without spaces at their ends */
  clearSigned(text: string, now: Date): string {
    const lines = text.replace(/\n$/, '').split('\n')
    const signature = this.#signature(signatureTypes.text, [Buffer.from(lines.join('\r\n'))], seconds(now))
    const escaped = lines.map(line => (line.startsWith('-') ? `- ${line}` : line))
    return [
      '-----BEGIN PGP SIGNED MESSAGE-----',
      'Hash: SHA512',
      '',
      ...escaped,
      armoured('SIGNATURE', packet(tags.signature, signature)),
    ].join('\n')
  }

  /** The body of the packet of a signature (section 5.2.3). */
  #signature(type: number, content: readonly Buffer[], created: number, more = Buffer.alloc(0)): Buffer {
    const about = Buffer.concat([
      subpacket(subpackets.created, uint32(created)),
      subpacket(subpackets.fingerprint, Buffer.concat([Buffer.from([VERSION]), this.#fingerprint])),
      more,
    ])
    const head = Buffer.concat([Buffer.from([VERSION, type, EDDSA, SHA512]), uint16(about.length), about])
    const trailer = Buffer.concat([Buffer.from([VERSION, 0xff]), uint32(head.length)])
    const digest = createHash('sha512')
      .update(Buffer.concat([...content, head, trailer]))
      .digest()
    const signature = sign(null, digest, this.#private)
    const issuer = subpacket(subpackets.issuer, this.#fingerprint.subarray(-8))
    return Buffer.concat([
      ...[head, uint16(issuer.length), issuer, digest.subarray(0, 2)],
      ...[mpi(signature.subarray(0, 32)), mpi(signature.subarray(32))],
    ])
  }
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A whole number with the count of its bits before it (section 3.2). */
function mpi(bytes: Buffer): Buffer {
  const first = bytes.findIndex(byte => byte !== 0)
  const digits = first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
  const bits = digits.length === 0 ? 0 : digits.length * 8 - Math.clz32(digits[0] as number) + 24
  return Buffer.concat([uint16(bits), digits])
}

/** A key as it is hashed: the octet, its length in two bytes, and its body. */
const hashed = (octet: number, body: Buffer) => Buffer.concat([Buffer.from([octet]), uint16(body.length), body])

/** A packet in the new format, its length in five bytes. */
const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), uint32(body.length), body])

const subpacket = (type: number, body: Buffer) => Buffer.concat([Buffer.from([body.length + 1, type]), body])
