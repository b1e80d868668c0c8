/**
 * The encryption of an archive: a header, and then frames of AES-256-GCM under a key that scrypt makes of the passphrase and a salt of the
 * archive. Each frame is authenticated before a byte of it is passed on. The nonce is the number of the frame and whether it is the last one,
 * so frames cannot be moved, left out, or cut off at the end; a salt makes a key for one archive only, so no nonce is used twice.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import type { Secret } from '../../../platform/secret.ts'
import { ArchiveDamaged, ArchiveLocked } from './faults.ts'

/** How an encrypted archive begins. */
const MAGIC = Buffer.from('ingot-backup-encrypted-1\n')
const SALT = 16
const TAG = 16
/** Magic, salt, and a tag that tells a wrong passphrase from a damaged archive. */
const HEADER = MAGIC.length + SALT + TAG
/** Bytes of a frame in the clear. */
const FRAME = 1024 * 1024
const SEALED = FRAME + TAG

/** scrypt's cost: half a second and 128 MB, once for an archive. */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Keys that were made, by their salts: an archive of a chain is read several times. They live as long as the passphrase is in memory. */
const made = new WeakMap<Secret, Map<string, Promise<Buffer>>>()

function keyOf(passphrase: Secret, salt: Buffer): Promise<Buffer> {
  const keys = made.get(passphrase) ?? new Map<string, Promise<Buffer>>()
  made.set(passphrase, keys)
  const name = salt.toString('hex')
  const key = keys.get(name) ?? makeKey(passphrase, salt)
  keys.set(name, key)
  return key
}

const makeKey = (passphrase: Secret, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.reveal().normalize('NFKC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  )

/** Do these bytes begin as what is encrypted does? */
export const isEncrypted = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

/** The nonce of a frame; the check of the passphrase has one that no frame has. */
function nonceOf(index: number, kind: 'frame' | 'last' | 'check'): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index))
  nonce.writeUInt8({ frame: 0, last: 1, check: 2 }[kind], 11)
  return nonce
}

function seal(key: Buffer, nonce: Buffer, salt: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(salt)
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** The bytes of a frame; undefined where it is not as it was written. */
function unseal(key: Buffer, nonce: Buffer, salt: Buffer, sealed: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(salt)
  decipher.setAuthTag(sealed.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Cuts a stream into parts of one size; the last one, which may be shorter, comes from `end`. */
class Parts {
  readonly #size: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(size: number) {
    this.#size = size
  }

  /** The whole parts that are followed by something. */
  add(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= this.#size) return []
    const all = Buffer.concat(this.#chunks)
    const parts: Buffer[] = []
    let at = 0
    for (; all.length - at > this.#size; at += this.#size) parts.push(all.subarray(at, at + this.#size))
    this.#chunks = [all.subarray(at)]
    this.#bytes = all.length - at
    return parts
  }

  end(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** Encrypts what passes. */
export async function encrypting(passphrase: Secret): Promise<Transform> {
  const salt = randomBytes(SALT)
  const key = await keyOf(passphrase, salt)
  const parts = new Parts(FRAME)
  let index = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const part of parts.add(chunk)) this.push(seal(key, nonceOf(index++, 'frame'), salt, part))
      done()
    },
    flush(done) {
      this.push(seal(key, nonceOf(index, 'last'), salt, parts.end()))
      done()
    },
  })
  stream.push(Buffer.concat([MAGIC, salt, seal(key, nonceOf(0, 'check'), salt, Buffer.alloc(0))]))
  return stream
}

/**
 * Decrypts what passes where it is encrypted, and lets it pass as it is otherwise.
 * @param passphrase undefined: an encrypted archive is refused with ArchiveLocked
 */
export function decrypting(passphrase: Secret | undefined): Transform {
  let head = Buffer.alloc(0)
  let state: 'beginning' | 'plain' | { readonly key: Buffer; readonly salt: Buffer; readonly parts: Parts } = 'beginning'
  let index = 0

  const frames = (stream: Transform, opened: { readonly key: Buffer; readonly salt: Buffer; readonly parts: Parts }, chunk: Buffer) => {
    for (const part of opened.parts.add(chunk)) stream.push(opening(opened, part, 'frame'))
  }
  const opening = ({ key, salt }: { readonly key: Buffer; readonly salt: Buffer }, sealed: Buffer, kind: 'frame' | 'last'): Buffer => {
    const bytes = sealed.length < TAG ? undefined : unseal(key, nonceOf(index, kind), salt, sealed)
    if (!bytes) throw new ArchiveDamaged(`it was cut off or changed (encrypted part ${index + 1})`)
    index += 1
    return bytes
  }

  async function begin(stream: Transform): Promise<void> {
    if (!isEncrypted(head)) {
      state = 'plain'
      stream.push(head)
      return
    }
    if (!passphrase)
      throw new ArchiveLocked('the archive is encrypted: give its passphrase with --passphrase-file or INGOT_BACKUP_PASSPHRASE')
    const salt = head.subarray(MAGIC.length, MAGIC.length + SALT)
    const key = await keyOf(passphrase, salt)
    if (!unseal(key, nonceOf(0, 'check'), salt, head.subarray(MAGIC.length + SALT, HEADER)))
      throw new ArchiveLocked('the passphrase is not that of the archive')
    state = { key, salt, parts: new Parts(SEALED) }
    frames(stream, state, head.subarray(HEADER))
  }

  async function take(stream: Transform, chunk: Buffer): Promise<void> {
    if (state === 'plain') stream.push(chunk)
    else if (state !== 'beginning') frames(stream, state, chunk)
    else {
      head = Buffer.concat([head, chunk])
      if (head.length >= HEADER) await begin(stream)
    }
  }

  async function finish(stream: Transform): Promise<void> {
    if (state === 'beginning') {
      if (isEncrypted(head)) throw new ArchiveDamaged('it was cut off')
      stream.push(head)
    } else if (state !== 'plain') stream.push(opening(state, state.parts.end(), 'last'))
  }

  const settled = (work: Promise<void>, done: TransformCallback) => void work.then(() => done(), done)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      settled(take(this, chunk), done)
    },
    flush(done) {
      settled(finish(this), done)
    },
  })
}
