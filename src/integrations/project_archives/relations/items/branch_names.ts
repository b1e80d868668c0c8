/** Names of branches that are taken. Pure. */

/** Most bytes of a part of a name: it is the name of a file. */
const MOST_BYTES = 200

/** The names of the branches of a repository, and of the folders that they are in: git has no branch `a` beside `a/b`. */
export class BranchNames {
  readonly #names = new Set<string>()
  readonly #folders = new Set<string>()

  constructor(names: Iterable<string>) {
    for (const name of names) this.#add(name)
  }

  #add(name: string): void {
    this.#names.add(name)
    for (const folder of foldersOf(name)) this.#folders.add(folder)
  }

  /** Takes a name; false where it is taken, or cannot be beside those that are. */
  take(name: string): boolean {
    const isFree =
      !this.#names.has(name) &&
      !this.#folders.has(name) &&
      foldersOf(name).every(folder => !this.#names.has(folder)) &&
      name.split('/').every(part => Buffer.byteLength(part) <= MOST_BYTES)
    if (isFree) this.#add(name)
    return isFree
  }
}

/** The folders that a name is in: `a` and `a/b` of `a/b/c`. */
const foldersOf = (name: string): string[] => {
  const parts = name.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
