/**
 * Writing objects that no reference names yet. They are made in memory, sent to git as one pack, and checked by it
 * (`--strict`: well-formed, and everything they name is there): one process, whatever their number. Until a reference
 * is moved to them (`updateRefs`) nobody sees them, and housekeeping removes what stays unnamed.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ObjectType } from '../objects/cat-file.ts'
import type { ObjectId } from '../objects/oid.ts'
import type { Repository } from '../repository.ts'
import { runGit } from '../run.ts'

const deflated = promisify(deflate)

const packTypes: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** Up to this many objects are written as single files; more stay together as a pack (git's own limit for pushes). */
const looseLimit = 100

/** Objects to be written, each once. */
export class NewObjects {
  readonly #objects = new Map<ObjectId, { readonly type: ObjectType; readonly data: Buffer }>()

  /** Adds an object and returns the id that git will give it. */
  add(type: ObjectType, data: Buffer): ObjectId {
    const id = createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
    this.#objects.set(id, { type, data })
    return id
  }

  /** Writes them all, durably. When it returns, every id given by `add` can be read. */
  async write(repository: Repository): Promise<void> {
    const count = this.#objects.size
    if (count === 0) return
    const input = await this.#pack()
    const fits = count <= looseLimit
    await runGit(
      repository,
      fits
        ? { subcommand: 'unpack-objects', flags: ['-q', '--strict'], input }
        : { subcommand: 'index-pack', flags: ['--stdin', '--strict'], input },
    )
  }

  async #pack(): Promise<Buffer> {
    const header = Buffer.alloc(12)
    header.write('PACK', 'latin1')
    header.writeUInt32BE(2, 4)
    header.writeUInt32BE(this.#objects.size, 8)
    const chunks: Buffer[] = [header]
    for (const { type, data } of this.#objects.values()) chunks.push(entryHeader(packTypes[type], data.length), await deflated(data))
    const hash = createHash('sha1')
    for (const chunk of chunks) hash.update(chunk)
    return Buffer.concat([...chunks, hash.digest()])
  }
}

/** Type and length in front of each object of a pack: four bits of length with the type, then seven bits a byte. */
function entryHeader(type: number, length: number): Buffer {
  const bytes: number[] = []
  let current = (type << 4) | (length & 0x0f)
  let rest = Math.floor(length / 16)
  while (rest > 0) {
    bytes.push(current | 0x80)
    current = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, current])
}
