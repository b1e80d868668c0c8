/** The commits that last changed the entries of a directory. */

import { setTimeout as pause } from 'node:timers/promises'
import { GitError } from '../errors.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { streamGit } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'

/** What a walk found: the last commit by the name of the entry. */
export interface LastCommits {
  readonly found: ReadonlyMap<string, ObjectId>
  /** False: the walk was ended before it had found all. */
  readonly isComplete: boolean
}

/** By commit and directory: they never change. */
const known = new ImmutableCache<LastCommits>(500, ({ isComplete }) => isComplete)

/**
 * The last commit that changed each of the entries of a directory: one walk, which ends once all are found. A directory counts as changed by what
 * is in it.
 * @param directory without slashes around; empty for the root
 * @param names of the entries
 * @param within milliseconds from its first result after which the walk ends with what it has found, three times as many where there is no result;
 *   without them it goes on to the end
 */
export async function lastCommitsOfEntries(
  repository: Repository,
  commit: ObjectId,
  directory: string,
  names: readonly string[],
  within?: number,
): Promise<LastCommits> {
  const question = `${repository.path} ${objectId(commit)} ${directory}`
  if (within === undefined) return known.get(question, () => walk(repository, commit, directory, names))
  const running = known.known(question)
  // Another caller's walk goes on to its end: as long as this one may take, it is waited for.
  if (running) return (await Promise.race([running, pause(within, undefined, { ref: false })])) ?? { found: new Map(), isComplete: false }
  const result = await walk(repository, commit, directory, names, within)
  return result.isComplete ? known.get(question, async () => result) : result
}

async function walk(
  repository: Repository,
  commit: ObjectId,
  directory: string,
  names: readonly string[],
  within?: number,
): Promise<LastCommits> {
  const found = new Map<string, ObjectId>()
  const missing = new Set(names)
  if (missing.size === 0) return { found, isComplete: true }
  const { signal, extend, end } = deadline(within)
  const prefix = directory === '' ? '' : `${directory}/`
  const log = streamGit(repository, {
    subcommand: 'log',
    flags: ['--format=%x00%H', '--name-only', '-z', '-c', '--no-renames'],
    values: [objectId(commit)],
    paths: directory === '' ? [] : [directory],
    signal,
  })
  try {
    for await (const { id, path } of changesIn(log)) {
      if (found.size === 0) extend()
      const name = path.slice(prefix.length).split('/', 1)[0] as string
      if (path.startsWith(prefix) && missing.delete(name)) found.set(name, id)
      if (missing.size === 0) break
    }
  } catch (error) {
    if (signal.aborted && error instanceof GitError && error.kind === 'aborted') return { found, isComplete: false }
    throw error
  } finally {
    end()
  }
  return { found, isComplete: true }
}

/** A signal for three times `within`, or from `extend` on for `within`: a machine that is busy takes long to start a process. Never without it. */
function deadline(within: number | undefined): { readonly signal: AbortSignal; extend(): void; end(): void } {
  const controller = new AbortController()
  const after = (time: number) => setTimeout(() => controller.abort(), time).unref()
  let timer = within === undefined ? undefined : after(3 * within)
  return {
    signal: controller.signal,
    extend() {
      clearTimeout(timer)
      if (within !== undefined) timer = after(within)
    },
    end: () => clearTimeout(timer),
  }
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
