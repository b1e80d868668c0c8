import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'node:test'
import { keepDatabases } from './kept_databases.ts'
import { watchLifetime } from './resource_leaks.ts'
import { startWatch } from './times.ts'

const root = join(import.meta.dirname, '..')

/**
 * Runs test files in this process, one after the other: a file is loaded when all that the one before has opened is closed again, so none
 * sees anything of another but what the program keeps for the whole process, which is nothing of any database's. Each is a suite with the
 * file's name. Processes that are given the same list and folder share it: each takes the first file that none has taken.
 * @param files from the root of the project: `src/planning/issues/issues.test.ts`
 * @param claims a folder for notes of which files are taken, empty when the run begins
 */
export async function runTogether(files: readonly string[], claims: string): Promise<void> {
  const lifetime = watchLifetime()
  const forget = keepDatabases()
  for (const [index, file] of files.entries())
    if (await claim(join(claims, String(index)))) {
      const watch = await startWatch()
      await suite(file, async () => {
        await import(join(root, file))
      })
      await watch.stop(file)
      lifetime.note(file)
    }
  await forget()
  await lifetime.assertNone()
}

/** Makes the note. @returns whether it was not there: of several processes one makes it */
async function claim(note: string): Promise<boolean> {
  try {
    await (await open(note, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
