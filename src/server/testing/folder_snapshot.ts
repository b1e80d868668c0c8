/** The files below some folders as they were at an instant, kept as copies. What has changed since then is found by size, time and inode. */
import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a file is, or that there is a folder. */
type Signature = string

const FOLDER: Signature = 'folder'

export class FolderSnapshot {
  readonly #folder: string
  readonly #copies: string
  readonly #entries: Map<string, Signature>

  private constructor(folder: string, copies: string, entries: Map<string, Signature>) {
    this.#folder = folder
    this.#copies = copies
    this.#entries = entries
  }

  /**
   * Keeps a copy of what is in a folder. Nobody else may write meanwhile.
   * @param copies a folder that is not there yet
   */
  static take(folder: string, copies: string): FolderSnapshot {
    const entries = entriesBelow(folder)
    mkdirSync(copies, { recursive: true, mode: 0o700 })
    for (const [path, signature] of entries)
      if (signature === FOLDER) mkdirSync(join(copies, path), { recursive: true })
      else copyFileSync(join(folder, path), join(copies, path), constants.COPYFILE_FICLONE)
    return new FolderSnapshot(folder, copies, entries)
  }

  /** Brings the files back. Nobody else may read or write meanwhile. */
  restore(): void {
    const now = entriesBelow(this.#folder)
    for (const [path, signature] of now) {
      const wanted = this.#entries.get(path)
      if (wanted === undefined || (wanted === FOLDER) !== (signature === FOLDER))
        rmSync(join(this.#folder, path), { recursive: true, force: true })
    }
    for (const [path, wanted] of this.#entries) {
      if (now.get(path) === wanted) continue
      const file = join(this.#folder, path)
      if (wanted === FOLDER) mkdirSync(file, { recursive: true })
      else this.#copyBack(path, file)
    }
  }

  /** As a new file, since the present one may be a link to what others have too. */
  #copyBack(path: string, file: string): void {
    mkdirSync(dirname(file), { recursive: true })
    if (lstatSync(file, { throwIfNoEntry: false })) unlinkSync(file)
    copyFileSync(join(this.#copies, path), file, constants.COPYFILE_FICLONE)
    this.#entries.set(path, signatureOf(file))
  }
}

/** Paths below a folder with what they are, a folder before what is in it. */
function entriesBelow(folder: string): Map<string, Signature> {
  const found = new Map<string, Signature>()
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name)
      found.set(path, entry.isDirectory() ? FOLDER : signatureOf(join(folder, path)))
      if (entry.isDirectory()) walk(path)
    }
  }
  walk('')
  return found
}

function signatureOf(file: string): Signature {
  const { size, mtimeNs, ctimeNs, ino } = lstatSync(file, { bigint: true })
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
}
