/**
 * Writing objects that no reference names yet. They are made in memory, sent to git as one pack, and checked by it
 * (`--strict`: well-formed, and everything they name is there): one process, whatever their number. A commit or tag alone, whose
 * form is ours (`formatCommit`), takes none. Until a reference is moved to them (`updateRefs`) nobody sees them, and
 * housekeeping removes what stays unnamed.
 */

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { GitProcessError, ObjectsRefused } from '../errors.ts'
import { parseCommit, parseTag } from '../objects/commit-object.ts'
import { idOf, writeLoose } from '../objects/loose-objects.ts'
import type { ObjectType } from '../objects/object.ts'
import { objectInfo } from '../objects/objects.ts'
import type { ObjectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

const deflated = promisify(deflate)

const packTypes: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** Up to this many objects are written as single files; more stay together as a pack (git's own limit for pushes). */
const looseLimit = 100

/** Up to this many commits and tags are written without git: each is a file that has to reach the disk. */
const mostWithoutGit = 4

interface NewObject {
  readonly type: ObjectType
  readonly data: Buffer
}

/** Objects to be written, each once. */
export class NewObjects {
  readonly #objects = new Map<ObjectId, NewObject>()

  /** Adds an object and returns the id that git will give it. */
  add(type: ObjectType, data: Buffer): ObjectId {
    const id = idOf(type, data)
    this.#objects.set(id, { type, data })
    return id
  }

  /** Writes them all, durably. When it returns, every id given by `add` can be read. */
  async write(repository: Repository): Promise<void> {
    const count = this.#objects.size
    if (count === 0) return
    if (await this.#isPlain(repository)) {
      await Promise.all([...this.#objects.values()].map(({ type, data }) => writeLoose(repository, type, data)))
      return
    }
    const input = await this.#pack()
    const fits = count <= looseLimit
    try {
      await runGit(
        repository,
        fits
          ? { subcommand: 'unpack-objects', flags: ['-q', '--strict'], input }
          : { subcommand: 'index-pack', flags: ['--stdin', '--strict'], input },
      )
    } catch (error) {
      throw (await isRefusal(repository, error)) ? new ObjectsRefused((error as GitProcessError).detail) : error
    }
  }

  /** Are they few, of a form that is ours, and is everything that they name there? For anything else git checks them, and says what is wrong. */
  async #isPlain(repository: Repository): Promise<boolean> {
    const objects = [...this.#objects]
    if (objects.length > mostWithoutGit || objects.some(([, { type }]) => type !== 'commit' && type !== 'tag')) return false
    const named = objects.flatMap(([id, object]) => namedBy(id, object)).filter(({ id }) => !this.#objects.has(id))
    const found = await objectInfo(
      repository,
      named.map(({ id }) => id),
    )
    return named.every(({ type }, index) => found[index]?.type === type)
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

/**
 * Did git refuse what is in a pack? It ends in the same way when it cannot write. The pack is well-formed, since it was made here: so it is
 * the contents, unless not even an empty file can be stored.
 */
async function isRefusal(repository: Repository, error: unknown): Promise<boolean> {
  if (!(error instanceof GitProcessError) || error.kind !== 'failed' || error.exitCode === null) return false
  return writeLoose(repository, 'blob', Buffer.alloc(0)).then(
    () => true,
    () => false,
  )
}

/** What a commit or tag names, and as what. */
function namedBy(id: ObjectId, { type, data }: NewObject): { readonly id: ObjectId; readonly type: string }[] {
  if (type === 'tag') {
    const { target, target_type } = parseTag(id, data)
    return [{ id: target, type: target_type }]
  }
  const { tree_id, parent_ids } = parseCommit(id, data)
  return [{ id: tree_id, type: 'tree' }, ...parent_ids.map(parent => ({ id: parent, type: 'commit' }))]
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
