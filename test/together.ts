import { join } from 'node:path'
import { suite } from 'node:test'

const root = join(import.meta.dirname, '..')

/**
 * Runs test files in this process, one after the other: a file is loaded when all that the one before has opened is closed again, so none
 * sees anything of another but what the program keeps for the whole process, which is nothing of any database's. Each is a suite with the
 * file's name.
 * @param files from the root of the project: `src/planning/issues/issues.test.ts`
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  for (const file of files)
    await suite(file, async () => {
      await import(join(root, file))
    })
}
