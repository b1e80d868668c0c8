import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at_end.ts'

/** An empty folder in the temporary directory, removed after the tests of the file (called first within a test, after that test). */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-scene-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
