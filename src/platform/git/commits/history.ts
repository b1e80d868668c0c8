/**
 * Questions about history. Each costs one git process, and some are asked of the same commit again and again: those
 * answers are kept. The commits themselves come from the storage's readers.
 */
import { GitError } from '../errors.ts'
import type { Commit } from '../objects/commit-object.ts'
import { readCommits } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { comparingLarge, historyQuestions, runGit, splitNul, streamGit } from '../process/run.ts'
import { hiddenNamespaces } from '../refs/names.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { requireCommits, straightWay, walkCommits, walkLimit } from './walk.ts'

/** Which commits: from where, and which of them. Commit ids only; resolve names with `resolveCommit` first. */
export interface CommitFilter {
  /** Commits reachable from these; `all`: from every branch, tag and other visible reference. */
  readonly from: readonly ObjectId[] | 'all'
  /** And not reachable from these. */
  readonly except?: readonly ObjectId[]
  /** Only commits that change this path. */
  readonly path?: string | undefined
  /** Bounds of the committer's date, both inclusive. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly firstParent?: boolean | undefined
  /** A regular expression (POSIX basic) on the author's `Name <email>`. */
  readonly author?: string | undefined
  /** Only commits whose message holds this text, in any case of letters; `author` is a text then too, no expression. */
  readonly message?: string | undefined
}

export interface CommitListOptions extends CommitFilter {
  /** `default`: newest first; `topo`: no parent before its children. */
  readonly order?: 'default' | 'topo' | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

function filterFlags(filter: CommitFilter): string[] {
  const flags: string[] = []
  if (filter.firstParent) flags.push('--first-parent')
  if (filter.since) flags.push(`--since=${gitDate(filter.since)}`)
  if (filter.until) flags.push(`--until=${gitDate(filter.until)}`)
  if (filter.author !== undefined) flags.push('--author', filter.author)
  if (filter.message !== undefined) flags.push('--fixed-strings', '--regexp-ignore-case', '--grep', filter.message)
  if (filter.from === 'all') flags.push(...hiddenNamespaces.map(namespace => `--exclude=${namespace}*`), '--all')
  return flags
}

// git reads `@seconds` as a moment without guessing; it has no dates before 1970.
function gitDate(date: Date): string {
  return `@${Math.max(0, Math.floor(date.getTime() / 1000))}`
}

function revisions(filter: CommitFilter): string[] {
  const from = filter.from === 'all' ? [] : filter.from.map(objectId)
  const except = (filter.except ?? []).map(id => `^${objectId(id)}`)
  return [...from, ...except]
}

function pathsOf(path: string | undefined): string[] {
  return path === undefined || path === '' ? [] : [path]
}

/** The ids of a page of commits. */
export async function listCommitIds(repository: Repository, options: CommitListOptions): Promise<ObjectId[]> {
  if (options.from !== 'all' && options.from.length === 0) return []
  const { stdout } = await runGit(repository, {
    subcommand: 'rev-list',
    flags: [
      `--max-count=${count(options.limit)}`,
      `--skip=${count(options.offset ?? 0)}`,
      ...(options.order === 'topo' ? ['--topo-order'] : []),
      ...filterFlags(options),
    ],
    values: revisions(options),
    paths: pathsOf(options.path),
  })
  return stdout.toString('latin1').split('\n').slice(0, -1)
}

/** A page of history. `commits` is undefined where their messages are too long to be kept: they are read again. */
interface Page {
  readonly ids: readonly ObjectId[]
  readonly commits: readonly Commit[] | undefined
}

/** Pages kept, and the characters of messages that one may hold: together some 20 MB at the very most. */
const pages = new ImmutableCache<Page>(300)
const keptText = 64 * 1024

/** A page of commits, read in one exchange, or in none when it was asked for before. */
export async function listCommits(repository: Repository, options: CommitListOptions): Promise<readonly Commit[]> {
  const { from, offset, limit, order } = options
  if (from === 'all') return requireCommits(repository, await listCommitIds(repository, options))
  if (!isPlain(options)) historyQuestions.asked += 1
  const question = JSON.stringify([...termsOf(options), order, offset, limit])
  const page = await pages.get(question, async () => {
    const commits = await findPage(repository, from, options)
    const text = commits.reduce((length, { message }) => length + message.length, 0)
    return { ids: commits.map(({ id }) => id), commits: text <= keptText ? commits : undefined }
  })
  return page.commits ?? requireCommits(repository, page.ids)
}

/** The first pages of plain history start no process; any other page starts one. */
async function findPage(repository: Repository, from: readonly ObjectId[], options: CommitListOptions): Promise<readonly Commit[]> {
  const { offset = 0, limit, firstParent } = options
  const straight = await straightRange(repository, options)
  if (straight) return straight.slice(count(offset), offset + count(limit))
  if (!isPlain(options) || offset + limit > walkLimit) return requireCommits(repository, await listCommitIds(repository, options))
  return (await walkCommits(repository, from, count(offset + limit), { firstParent })).slice(offset)
}

/** All that a filter depends on, in a fixed order: part of the question by which an answer is kept. */
const termsOf = ({ from, except, path, since, until, firstParent, author, message }: CommitFilter) => [
  from,
  except,
  path,
  since,
  until,
  firstParent,
  author,
  message,
]

/** Whether every commit on the way is part of the list, in the order of the walk. */
const isPlain = (options: CommitListOptions): boolean =>
  (options.except ?? []).length === 0 && !isNarrowed(options) && (options.order ?? 'default') === 'default'

/** Are some of the commits on the way left out? */
const isNarrowed = ({ path = '', since, until, author, message }: CommitFilter): boolean =>
  path !== '' || [since, until, author, message].some(bound => bound !== undefined)

/** The lengths of histories: every page of a list of commits tells how many there are. */
const counts = new ImmutableCache<number>(2_000)

/** How many commits fit, counted no further than `max`. */
export async function countCommits(repository: Repository, filter: CommitFilter, max?: number): Promise<number> {
  if (filter.from === 'all') return countNow(repository, filter, max)
  if (filter.from.length === 0) return 0
  if (max === undefined) historyQuestions.asked += 1
  return counts.get(JSON.stringify([...termsOf(filter), max]), async () => {
    const few = (await straightRange(repository, filter)) ?? (await shortHistory(repository, filter))
    return few ? Math.min(few.length, max ?? few.length) : countNow(repository, filter, max)
  })
}

/** Commits of a whole history that are walked before git is asked to count them. */
const SHORT = 16

/** The whole history of some commits; undefined where it is not short, or not all of it is asked for. */
async function shortHistory(repository: Repository, filter: CommitFilter): Promise<readonly Commit[] | undefined> {
  const { from, except = [], firstParent } = filter
  if (from === 'all' || except.length > 0 || isNarrowed(filter)) return undefined
  const walked = await walkCommits(repository, from, SHORT + 1, { firstParent })
  return walked.length > SHORT ? undefined : walked
}

async function countNow(repository: Repository, filter: CommitFilter, max: number | undefined): Promise<number> {
  const { stdout } = await runGit(repository, {
    subcommand: 'rev-list',
    flags: ['--count', ...(max === undefined ? [] : [`--max-count=${count(max)}`]), ...filterFlags(filter)],
    values: revisions(filter),
    paths: pathsOf(filter.path),
  })
  return Number(stdout.toString('latin1'))
}

function count(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new GitError('invalid', 'Not a count')
  return number
}

/** How commits of whole histories stand to each other: a merge request asks for the same each time that it is shown. */
const kinships = new ImmutableCache<ObjectId | undefined>(5_000)

/** The best common ancestor of two or more commits; undefined if they have none. */
export async function mergeBase(repository: Repository, commits: readonly ObjectId[]): Promise<ObjectId | undefined> {
  if (commits.length === 1) return commits[0]
  historyQuestions.asked += 1
  return kinships.get(commits.map(objectId).join(' '), async () => {
    const [first, second] = commits as [ObjectId, ObjectId]
    // The common pair, a branch that was made where the other one still is.
    if (commits.length === 2 && (await straightWay(repository, second, first))) return first
    // With more than two, plain `merge-base` measures the first against a merge of the rest; all of them must share it.
    const flags = commits.length > 2 ? ['--octopus'] : []
    const { stdout, stderr, exitCode } = await runGit(repository, { subcommand: 'merge-base', flags, values: commits, answers: [1] })
    // A commit that cannot be read is complained of, and taken for one without parents.
    if (stderr !== '') throw new GitError('corrupt', 'The history cannot be read', stderr)
    return exitCode === 1 ? undefined : stdout.toString('latin1').slice(0, 40)
  })
}

/** Whether `ancestor` is in the history of `descendant` (or is it). */
export async function isAncestor(repository: Repository, ancestor: ObjectId, descendant: ObjectId): Promise<boolean> {
  return (await mergeBase(repository, [ancestor, descendant])) === ancestor
}

const divergences = new ImmutableCache<{ readonly ahead: number; readonly behind: number }>(5_000)

/**
 * What one commit has and another one has not, newest first, where few steps show it: straight on from the other one, or joined to it
 * by the merge of a straight branch. Undefined where git has to look.
 */
async function straightRange(repository: Repository, filter: CommitFilter): Promise<readonly Commit[] | undefined> {
  const { from, except = [], firstParent } = filter
  const [tip, known] = [from[0] as ObjectId, except[0]]
  if (from.length !== 1 || except.length !== 1 || known === undefined || firstParent || isNarrowed(filter)) return undefined
  const fork = await kinships.known(`${known} ${tip}`)
  // They have gone different ways since: nothing on the straight way to that is in the other one's history.
  if (fork !== undefined && fork !== known) return straightWay(repository, tip, fork)
  const [top] = await readCommits(repository, [tip])
  const [first, second, ...more] = top?.parent_ids ?? []
  if (!top || first !== known || second === undefined || more.length > 0) return straightWay(repository, tip, known)
  const base = await kinships.known(`${known} ${second}`)
  const branch = await straightWay(repository, second, base ?? known)
  return branch && [top, ...branch]
}

/** How many commits `from` has that `to` lacks (`ahead`), and the other way round (`behind`). */
export async function divergence(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
): Promise<{ readonly ahead: number; readonly behind: number }> {
  historyQuestions.asked += 1
  return divergences.get(`${objectId(from)} ${objectId(to)}`, async () => {
    const { stdout } = await runGit(repository, {
      subcommand: 'rev-list',
      flags: ['--count', '--left-right'],
      values: [`${from}...${to}`],
      paths: [],
    })
    const [ahead, behind] = stdout.toString('latin1').split('\t').map(Number)
    return { ahead: ahead!, behind: behind! }
  })
}

/** Which commit last changed a path: every reading of a file tells it. */
const lastChanges = new ImmutableCache<ObjectId | undefined>(5_000)

/** The last commit that changed a path (a file, or anything in a directory), or undefined if none did. */
export async function lastCommitFor(repository: Repository, commit: ObjectId, path: string): Promise<Commit | undefined> {
  historyQuestions.asked += 1
  const id = await lastChanges.get(`${commit} ${path}`, async () => {
    const [last] = await listCommitIds(repository, { from: [commit], path, limit: 1 })
    return last
  })
  if (id === undefined) return undefined
  const [last] = await requireCommits(repository, [id])
  return last
}

/**
 * The last commit that changed each of several files: one process, which is stopped once all are found. Files that
 * `commit` does not have may be left out of the answer.
 */
export async function lastCommitsFor(repository: Repository, commit: ObjectId, paths: readonly string[]): Promise<Map<string, ObjectId>> {
  const found = new Map<string, ObjectId>()
  const missing = new Set(paths)
  if (missing.size === 0) return found
  // Each commit is `NUL id NUL LF name NUL name NUL ...`: what follows an empty item is an id, and what follows an id
  // begins with a line end.
  let id: ObjectId = ''
  let before: 'empty' | 'id' | 'name' = 'name'
  let rest = ''
  const decoder = new TextDecoder()
  const log = streamGit(repository, {
    subcommand: 'log',
    flags: ['--format=%x00%H', '--name-only', '-z', '-c', '--no-renames'],
    values: [objectId(commit)],
    paths,
  })
  for await (const chunk of log) {
    const items = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = items.pop()!
    for (const item of items) {
      if (item === '') {
        before = 'empty'
      } else if (before === 'empty') {
        id = item
        before = 'id'
      } else {
        const name = before === 'id' ? item.slice(1) : item
        before = 'name'
        if (missing.delete(name)) found.set(name, id)
      }
    }
    if (missing.size === 0) break
  }
  return found
}

/** How many lines a commit added and deleted. */
export interface CommitStats {
  readonly additions: number
  readonly deletions: number
  readonly total: number
}

/**
 * The line counts of a page of commits in one process, by id. A merge is measured against its first parent, a first
 * commit against nothing; binary files count no lines.
 */
export async function commitStats(
  repository: Repository,
  commits: readonly Pick<Commit, 'id' | 'parent_ids'>[],
): Promise<Map<ObjectId, CommitStats>> {
  const sums = new Map(commits.map(({ id }) => [id, { additions: 0, deletions: 0 }]))
  if (commits.length > 0) {
    // A second id on a line takes the place of the commit's parents.
    const input = commits
      .map(({ id, parent_ids: [first] }) => `${objectId(id)}${first === undefined ? '' : ` ${objectId(first)}`}\n`)
      .join('')
    const flags = ['--stdin', '--numstat', '-z', '-r', '--root', '-M', '--no-ext-diff', '--no-textconv']
    const { stdout } = await comparingLarge(environment => runGit(repository, { subcommand: 'diff-tree', flags, input, environment }))
    let sum = { additions: 0, deletions: 0 }
    for (const item of splitNul(stdout)) {
      const counts = /^(\d+)\t(\d+)\t/.exec(item)
      if (counts) {
        sum.additions += Number(counts[1])
        sum.deletions += Number(counts[2])
      } else {
        // A commit's id, or one of the two names of a rename: only the ids that were asked for are in the map.
        sum = sums.get(item) ?? sum
      }
    }
  }
  return new Map([...sums].map(([id, { additions, deletions }]) => [id, { additions, deletions, total: additions + deletions }]))
}
