/**
 * A tree being changed in memory. Only the directories on the way to a change are read, and only those that changed
 * are written. Names are handled as the bytes they are (Latin-1 text), so that entries nobody touches survive as they are.
 */
import { GitError } from '../errors.ts'
import { readObjects } from '../objects/objects.ts'
import type { ObjectId } from '../objects/oid.ts'
import { formatTree, parseTree, type TreeEntry, typeOfMode } from '../objects/tree-object.ts'
import type { Repository } from '../storage/repository.ts'
import type { NewObjects } from './write-objects.ts'

/** A file, link or submodule. */
export interface Leaf {
  readonly mode: string
  readonly id: ObjectId
}

class Directory {
  /** The tree it was read from, or will be; undefined once it is changed. */
  id: ObjectId | undefined
  children: Map<string, Leaf | Directory> | undefined

  constructor(id: ObjectId | undefined) {
    this.id = id
    if (id === undefined) this.children = new Map()
  }
}

const bytesOf = (name: string) => Buffer.from(name, 'utf8').toString('latin1')

export class TreeEdit {
  readonly #repository: Repository
  readonly #root: Directory

  /** `tree`: where to start from; undefined for an empty repository. */
  constructor(repository: Repository, tree: ObjectId | undefined) {
    this.#repository = repository
    this.#root = new Directory(tree)
  }

  /** What the path names now: a leaf, `directory`, `below_file` (a part of the way to it is a file), or undefined. */
  async find(parts: readonly string[]): Promise<Leaf | 'directory' | 'below_file' | undefined> {
    let at: Leaf | Directory | undefined = this.#root
    for (const part of parts) {
      if (!(at instanceof Directory)) return 'below_file'
      at = (await this.#childrenOf(at)).get(bytesOf(part))
      if (at === undefined) return undefined
    }
    return at instanceof Directory ? 'directory' : at
  }

  /** Puts a leaf at a path, making directories on the way. The caller has looked with `find` that nothing is in the way. */
  async set(parts: readonly string[], leaf: Leaf): Promise<void> {
    let at = this.#root
    for (const part of parts.slice(0, -1)) {
      const children = await this.#childrenOf(at)
      let next = children.get(bytesOf(part))
      if (!(next instanceof Directory)) {
        next = new Directory(undefined)
        children.set(bytesOf(part), next)
      }
      at.id = undefined
      at = next
    }
    ;(await this.#childrenOf(at)).set(bytesOf(parts.at(-1)!), leaf)
    at.id = undefined
  }

  /** Takes a leaf away, and the directories that it leaves empty: git has no empty directories. */
  async remove(parts: readonly string[]): Promise<void> {
    const way = [this.#root]
    for (const part of parts.slice(0, -1)) {
      const next = (await this.#childrenOf(way.at(-1)!)).get(bytesOf(part))
      if (!(next instanceof Directory)) return
      way.push(next)
    }
    for (let depth = way.length - 1; depth >= 0; depth -= 1) {
      const children = await this.#childrenOf(way[depth]!)
      children.delete(bytesOf(parts[depth]!))
      for (const directory of way.slice(0, depth + 1)) directory.id = undefined
      if (children.size > 0) return
    }
  }

  /** Adds the changed trees to `objects` and returns the id of the root. */
  write(objects: NewObjects): ObjectId {
    return writeDirectory(this.#root, objects)
  }

  async #childrenOf(directory: Directory): Promise<Map<string, Leaf | Directory>> {
    if (directory.children !== undefined) return directory.children
    const [object] = await readObjects(this.#repository, [directory.id!])
    if (object?.type !== 'tree') throw new GitError('corrupt', `Tree ${directory.id} is missing`)
    directory.children = new Map(
      parseTree(object.data, 'latin1').map(({ name, mode, id }) => [name, typeOfMode(mode) === 'tree' ? new Directory(id) : { mode, id }]),
    )
    return directory.children
  }
}

function writeDirectory(directory: Directory, objects: NewObjects): ObjectId {
  if (directory.id !== undefined) return directory.id
  const entries = [...directory.children!].map(
    ([name, child]): TreeEntry =>
      child instanceof Directory ? { name, mode: '040000', id: writeDirectory(child, objects) } : { name, ...child },
  )
  directory.id = objects.add('tree', formatTree(entries))
  return directory.id
}
