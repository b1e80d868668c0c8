/** The references of a repository, remembered and put back: what a request moved is where it was. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Repository } from '../../src/platform/git/repository.ts'

type Files = ReadonlyMap<string, string>

/** Remembers where the references are now. The returned function puts them back there. */
export function rememberReferences({ path }: Repository): () => void {
  const before = referencesIn(path)
  return () => {
    const now = referencesIn(path)
    for (const name of now.keys()) if (!before.has(name)) rmSync(join(path, name))
    for (const [name, content] of before) {
      if (now.get(name) === content) continue
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    }
  }
}

/** The files that hold references, with what they say. Synchronously: for so many so small files anything else takes ten times as long. */
function referencesIn(path: string): Files {
  const files = readdirSync(join(path, 'refs'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const names = ['HEAD', 'packed-refs', ...files.map(entry => relative(path, join(entry.parentPath, entry.name)))]
  return new Map(names.filter(name => existsSync(join(path, name))).map(name => [name, readFileSync(join(path, name), 'utf8')]))
}
