/** The references of a repository, remembered and put back: what a request moved is where it was. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Repository } from '../../src/git/repository.ts'

type Files = ReadonlyMap<string, string>

/** Remembers where the references are now. The returned function puts them back there. */
export async function rememberReferences({ path }: Repository): Promise<() => Promise<void>> {
  const before = await referencesIn(path)
  return async () => {
    const now = await referencesIn(path)
    for (const name of now.keys()) if (!before.has(name)) await rm(join(path, name))
    for (const [name, content] of before) {
      if (now.get(name) === content) continue
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), content)
    }
  }
}

/** The files that hold references, with what they say. */
async function referencesIn(path: string): Promise<Files> {
  const entries = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true })
  const names = [
    'HEAD',
    'packed-refs',
    ...entries.filter(entry => entry.isFile()).map(entry => relative(path, join(entry.parentPath, entry.name))),
  ]
  const files = await Promise.all(names.map(async name => [name, await readFile(join(path, name), 'utf8').catch(() => undefined)] as const))
  return new Map(files.flatMap(([name, content]) => (content === undefined ? [] : [[name, content] as const])))
}
