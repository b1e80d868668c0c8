/** The commits that last changed the entries of a directory. */

import { type ObjectId, objectId } from '../objects/oid.ts'
import { streamGit } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'

/** By commit and directory: they never change. */
const known = new ImmutableCache<ReadonlyMap<string, ObjectId>>(500)

/**
 * The last commit that changed each of the entries of a directory, by the name of the entry: one walk, which ends once all are found. A directory
 * counts as changed by what is in it.
 * @param directory without slashes around; empty for the root
 * @param names of the entries
 */
export const lastCommitsOfEntries = (
  repository: Repository,
  commit: ObjectId,
  directory: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ObjectId>> =>
  known.get(`${repository.path} ${objectId(commit)} ${directory}`, () => walk(repository, commit, directory, names))

async function walk(
  repository: Repository,
  commit: ObjectId,
  directory: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ObjectId>> {
  const found = new Map<string, ObjectId>()
  const missing = new Set(names)
  if (missing.size === 0) return found
  const prefix = directory === '' ? '' : `${directory}/`
  const log = streamGit(repository, {
    subcommand: 'log',
    flags: ['--format=%x00%H', '--name-only', '-z', '-c', '--no-renames'],
    values: [objectId(commit)],
    paths: directory === '' ? [] : [directory],
  })
  for await (const { id, path } of changesIn(log)) {
    const name = path.slice(prefix.length).split('/', 1)[0] as string
    if (path.startsWith(prefix) && missing.delete(name)) found.set(name, id)
    if (missing.size === 0) break
  }
  return found
}

/** Each commit is `NUL id NUL LF name NUL name NUL …`: what follows an empty item is an id, and what follows an id begins with a line end. */
async function* changesIn(log: AsyncIterable<Buffer>): AsyncGenerator<{ readonly id: ObjectId; readonly path: string }> {
  let id: ObjectId = ''
  let before: 'empty' | 'id' | 'name' = 'name'
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of log) {
    const items = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = items.pop()!
    for (const item of items) {
      if (item === '') before = 'empty'
      else if (before === 'empty') {
        id = item
        before = 'id'
      } else {
        yield { id, path: before === 'id' ? item.slice(1) : item }
        before = 'name'
      }
    }
  }
}
