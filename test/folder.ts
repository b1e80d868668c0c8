import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AtEnd, atEnd as atEndOfFile } from './at_end.ts'

/** An empty folder in the temporary directory, removed after the tests of the file (called first within a test, after that test) or as `atEnd` says. */
export async function testFolder(atEnd: AtEnd = atEndOfFile): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-scene-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
