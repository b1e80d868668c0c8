/** The commits that last changed the entries of a directory. */

import { setTimeout as pause } from 'node:timers/promises'
import { GitError } from '../errors.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { historyQuestions, runGit, streamGit } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import type { TreeRow } from '../trees/trees.ts'
import { isAncestor } from './history.ts'

/** An entry of a directory, as it is in a commit. */
export type Entry = Pick<TreeRow, 'name' | 'mode' | 'id'>

/** What a walk found: the last commit by the name of the entry. */
export interface LastCommits {
  readonly found: ReadonlyMap<string, ObjectId>
  /** False: the walk was ended before it had found all. */
  readonly isComplete: boolean
}

/** By commit and directory: they never change. */
const known = new ImmutableCache<LastCommits>(500, ({ isComplete }) => isComplete)

/** All last commits of a directory at one commit. */
interface Known {
  readonly commit: ObjectId
  /** By name: what it was there; no last commit where a merge alone changed it. */
  readonly entries: ReadonlyMap<string, { readonly state: string; readonly last: ObjectId | undefined }>
}

/** Directories whose answers are the beginning of later ones, and answers of each: those of the branches that are looked at by turns. */
const MOST_DIRECTORIES = 100
const MOST_OF_EACH = 3

/** By repository and directory, those that were asked for last at the end. */
const answered = new Map<string, readonly Known[]>()

const stateOf = ({ mode, id }: Entry): string => `${mode} ${id}`
const placeOf = ({ path }: Repository, directory: string): string => `${path} ${directory}`

function remember(place: string, commit: ObjectId, entries: readonly Entry[], { found }: LastCommits): void {
  const made = new Map(entries.map(entry => [entry.name, { state: stateOf(entry), last: found.get(entry.name) }]))
  const others = (answered.get(place) ?? []).filter(known => known.commit !== commit)
  answered.delete(place)
  answered.set(place, [{ commit, entries: made }, ...others].slice(0, MOST_OF_EACH))
  const [oldest] = answered.keys()
  if (answered.size > MOST_DIRECTORIES) answered.delete(oldest as string)
}

/**
 * The last commit that changed each of the entries of a directory: one walk, which ends once all are found. A directory counts as changed by what
 * is in it. Where the answer for an earlier commit is known, only what came after it is walked.
 * @param directory without slashes around; empty for the root
 * @param within milliseconds from its first result after which the walk ends with what it has found, three times as many where there is no result;
 *   without them it goes on to the end
 */
export async function lastCommitsOfEntries(
  repository: Repository,
  commit: ObjectId,
  directory: string,
  entries: readonly Entry[],
  within?: number,
): Promise<LastCommits> {
  if (within === undefined) historyQuestions.asked += 1
  const question = `${repository.path} ${objectId(commit)} ${directory}`
  const ask = async (): Promise<LastCommits> => {
    const names = entries.map(({ name }) => name)
    const result =
      (await sinceKnown(repository, commit, directory, entries, within)) ?? (await walk(repository, { commit, directory, names, within }))
    if (result.isComplete) remember(placeOf(repository, directory), commit, entries, result)
    return result
  }
  if (within === undefined) return known.get(question, ask)
  const running = known.known(question)
  // Another caller's walk goes on to its end: as long as this one may take, it is waited for.
  if (running) return (await Promise.race([running, pause(within, undefined, { ref: false })])) ?? { found: new Map(), isComplete: false }
  const result = await ask()
  return result.isComplete ? known.get(question, async () => result) : result
}

/** The answer by that of an earlier commit and a walk from there; undefined where none is known, or it does not say enough. */
async function sinceKnown(
  repository: Repository,
  commit: ObjectId,
  directory: string,
  entries: readonly Entry[],
  within: number | undefined,
): Promise<LastCommits | undefined> {
  const earlier = await earlierAnswer(repository, directory, commit)
  if (!earlier) return undefined
  const since = earlier.commit
  const names = entries.map(({ name }) => name)
  const { found, isComplete } = await walk(repository, { commit, since, directory, names, within })
  if (!isComplete) return { found, isComplete }
  const all = new Map<string, ObjectId>()
  for (const entry of entries) {
    const before = earlier.entries.get(entry.name)
    const isSame = before?.state === stateOf(entry)
    const later = found.get(entry.name)
    // It came and went, or a side branch had it that lost: where there are merges, only the whole history says which.
    if (later !== undefined && isSame && (await hasMerges(repository, commit, since))) return undefined
    if (later === undefined && !isSame) return undefined
    const last = later ?? before?.last
    if (last !== undefined) all.set(entry.name, last)
  }
  return { found: all, isComplete }
}

/** What is known of a commit that this one comes after. */
async function earlierAnswer(repository: Repository, directory: string, commit: ObjectId): Promise<Known | undefined> {
  for (const known of answered.get(placeOf(repository, directory)) ?? []) {
    // A commit that was thrown away since cannot be read.
    const isEarlier = isAncestor(repository, known.commit, commit).catch(error => {
      if (error instanceof GitError) return false
      throw error
    })
    if (await isEarlier) return known
  }
  return undefined
}

const merges = new ImmutableCache<boolean>(500)

/** Are there merges among the commits that one has and an earlier one has not? */
const hasMerges = (repository: Repository, commit: ObjectId, since: ObjectId): Promise<boolean> =>
  merges.get(`${commit} ${since}`, async () => {
    const { stdout } = await runGit(repository, {
      subcommand: 'rev-list',
      flags: ['--min-parents=2', '--max-count=1'],
      values: [objectId(commit), `^${objectId(since)}`],
      paths: [],
    })
    return stdout.length > 0
  })

interface Walk {
  readonly commit: ObjectId
  /** What this commit has is left out. */
  readonly since?: ObjectId
  readonly directory: string
  readonly names: readonly string[]
  readonly within: number | undefined
}

async function walk(repository: Repository, { commit, since, directory, names, within }: Walk): Promise<LastCommits> {
  const found = new Map<string, ObjectId>()
  const missing = new Set(names)
  if (missing.size === 0) return { found, isComplete: true }
  const { signal, extend, end } = deadline(within)
  const prefix = directory === '' ? '' : `${directory}/`
  const log = streamGit(repository, {
    subcommand: 'log',
    flags: ['--format=%x00%H', '--name-only', '-z', '-c', '--no-renames'],
    values: [objectId(commit), ...(since === undefined ? [] : [`^${objectId(since)}`])],
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
