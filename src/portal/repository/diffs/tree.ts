/** The files of a diff as folders. Pure. */
import type { ShownFile } from './load.ts'

/** A folder with what is in it; folders that hold nothing but one folder are one. */
export interface Folder {
  /** `src/platform` */
  readonly name: string
  readonly folders: readonly Folder[]
  readonly files: readonly Leaf[]
}

export interface Leaf {
  readonly name: string
  readonly file: ShownFile
  /** Its place in the diff, from 0. */
  readonly index: number
}

interface Draft {
  readonly folders: Map<string, Draft>
  readonly files: Leaf[]
}

const draft = (): Draft => ({ folders: new Map(), files: [] })

/** The files in their folders, in the order of the diff. The root has no name. */
export function treeOf(files: readonly ShownFile[]): Folder {
  const root = draft()
  for (const [index, file] of files.entries()) {
    const parts = file.new_path.split('/')
    const name = parts.pop() as string
    let folder = root
    for (const part of parts) {
      const next = folder.folders.get(part) ?? draft()
      folder.folders.set(part, next)
      folder = next
    }
    folder.files.push({ name, file, index })
  }
  return folderOf('', root)
}

function folderOf(name: string, { folders, files }: Draft): Folder {
  const inside = [...folders].map(([own, folder]) => folderOf(own, folder))
  const [only] = inside
  if (name !== '' && only && inside.length === 1 && files.length === 0) return { ...only, name: `${name}/${only.name}` }
  return { name, folders: inside, files }
}
