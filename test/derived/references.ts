/** The references of a repository, remembered and put back: what a request moved is where it was. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Repository } from '../../src/platform/git/index.ts'

/** Contents by path. */
type Files = ReadonlyMap<string, string>

/** Remembers where the references are now. The returned function puts them back there. */
export function rememberReferences({ path }: Repository): () => void {
  const before = referencesIn(path)
  return () => {
    const now = referencesIn(path)
    for (const file of now.keys()) if (!before.has(file)) rmSync(file)
    for (const [file, content] of before) {
      if (now.get(file) === content) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
}

/** The files that hold references, with what they say. Synchronously: for so many so small files anything else takes ten times as long. */
function referencesIn(path: string): Files {
  const files = new Map<string, string>()
  for (const file of [`${path}/HEAD`, `${path}/packed-refs`]) {
    const content = contentOf(file)
    if (content !== undefined) files.set(file, content)
  }
  addFilesBelow(`${path}/refs`, files)
  return files
}

function addFilesBelow(folder: string, files: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) addFilesBelow(path, files)
    else if (entry.isFile()) files.set(path, readFileSync(path, 'latin1'))
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
