/** Trees as git stores them: `mode SP name NUL 20-byte-id`, sorted as if the names of directories ended in a slash. */
import type { ObjectId } from './oid.ts'

export type EntryType = 'tree' | 'blob' | 'commit'

/** One name in a tree. Names are kept as bytes in Latin-1 text by `parseTree`, so that no name is lost. */
export interface TreeEntry {
  /** Six octal digits as the API shows them: `100644`, `040000`. */
  readonly mode: string
  readonly name: string
  readonly id: ObjectId
}

const treeMode = '040000'
const submoduleMode = '160000'

/** What kind of object an entry's mode names; `commit` is a submodule. */
export function typeOfMode(mode: string): EntryType {
  return mode === treeMode ? 'tree' : mode === submoduleMode ? 'commit' : 'blob'
}

/** Reads the contents of a tree object; names as `encoding` (bytes that are not UTF-8 survive only as `latin1`). */
export function parseTree(data: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): TreeEntry[] {
  const entries: TreeEntry[] = []
  let at = 0
  while (at < data.length) {
    const space = data.indexOf(0x20, at)
    const nul = data.indexOf(0, space)
    entries.push({
      mode: data.toString('latin1', at, space).padStart(6, '0'),
      name: data.toString(encoding, space + 1, nul),
      id: data.toString('hex', nul + 1, nul + 21),
    })
    at = nul + 21
  }
  return entries
}

/** The contents of a tree object with these entries, whose names are Latin-1 text of the name's bytes. */
export function formatTree(entries: Iterable<TreeEntry>): Buffer {
  const rows = [...entries].map(entry => ({
    entry,
    key: Buffer.from(entry.mode === treeMode ? `${entry.name}/` : entry.name, 'latin1'),
  }))
  rows.sort((a, b) => a.key.compare(b.key))
  return Buffer.concat(
    rows.flatMap(({ entry }) => [Buffer.from(`${entry.mode.replace(/^0/, '')} ${entry.name}\0`, 'latin1'), Buffer.from(entry.id, 'hex')]),
  )
}
