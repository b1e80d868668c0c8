/** The source files of the project, for the tests that read them. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join, normalize, relative } from 'node:path'

/** A TypeScript file. */
export interface SourceFile {
  /** From the root of the project: `src/platform/kernel/mount.ts`. */
  readonly path: string
  readonly text: string
  /** Files of ours that it imports, in the same form. */
  readonly imports: readonly string[]
}

/** The root of the project. */
export const root = join(import.meta.dirname, '..', '..')

/** Every TypeScript file below a folder. */
async function filesIn(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile() && entry.name.endsWith('.ts')).map(entry => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async path => {
      const text = await readFile(path, 'utf8')
      const imported = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(match => match[1] as string)
      return { path: relative(root, path), text, imports: imported.map(name => relative(root, normalize(join(path, '..', name)))) }
    }),
  )
}

/** All files of `src` and `test`. */
export const all = [...(await filesIn('src')), ...(await filesIn('test'))]
/** What is shipped: not the tests, nor what only they use. */
export const shipped = all.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts') && !path.endsWith('/scene.ts'))

/** Fails with the steps to take when something was found. */
export function assertNothing(found: readonly string[], reason: string): void {
  assert.equal(found.length, 0, `you are here because ${reason}:\n  ${found.join('\n  ')}\n`)
}
