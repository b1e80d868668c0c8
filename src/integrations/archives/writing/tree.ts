/** Writes the files of an archive in the form of the platform (import and export at 14.0). */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Repository, streamBundle } from '../../../platform/git/index.ts'
import { counted, type Turn } from '../turns.ts'

/** The version of the form, and of the platform that it is the form of. */
const FORM = '0.2.4'
const PLATFORM = '14.0.0'

async function* lines(rows: AsyncIterable<object>, turn: Turn): AsyncGenerator<string, void, void> {
  for await (const row of rows) {
    const line = `${JSON.stringify(row)}\n`
    turn.take(line.length)
    yield line
  }
}

/** A relation of one row. */
export async function* one(row: object): AsyncGenerator<object, void, void> {
  yield row
}

/** Writes rows, one a line. @throws BeyondTurn */
export const writeRows = (path: string, rows: AsyncIterable<object>, turn: Turn): Promise<void> =>
  pipeline(Readable.from(lines(rows, turn)), createWriteStream(path))

/** Writes relations into a folder, each into a file of its name. @throws BeyondTurn */
export async function writeRelations(
  folder: string,
  relations: Readonly<Record<string, AsyncIterable<object>>>,
  turn: Turn,
): Promise<void> {
  for (const [name, rows] of Object.entries(relations)) await writeRows(join(folder, `${name}.ndjson`), rows, turn)
}

/** Writes what every archive says of itself. */
export async function writeVersion(folder: string): Promise<void> {
  await writeFile(join(folder, 'VERSION'), FORM)
  await writeFile(join(folder, 'GITLAB_VERSION'), PLATFORM)
  await writeFile(join(folder, 'GITLAB_REVISION'), 'ingot')
}

/** Writes a repository; nothing where it has no references. @throws BeyondTurn */
export async function writeBundle(repository: Repository | undefined, path: string, turn: Turn): Promise<void> {
  const bundle = repository && (await streamBundle(repository))
  if (bundle) await pipeline(Readable.from(counted(bundle, turn)), createWriteStream(path))
}
