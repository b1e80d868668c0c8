/** Lists of branches and tags: one process at most, however many there are. Paging is cutting the returned array. */
import { type ObjectId, objectId } from '../objects/oid.ts'
import { historyQuestions, runGit } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { stateOfRefs } from './state.ts'

/** A branch: its name without `refs/heads/` and the commit it points to. */
export interface Branch {
  readonly name: string
  readonly commit: ObjectId
}

/**
 * A tag: its name without `refs/tags/`, what the reference points to (`target`: the tag object of an annotated tag),
 * and what that finally names (`commit`, in rare cases a tree or blob).
 * The message is in the tag object: `readTags(repository, page.map(tag => tag.target))`.
 */
export interface Tag {
  readonly name: string
  readonly target: ObjectId
  readonly commit: ObjectId
}

/** `updated` is by the date of the commit (branches) or of the tag; `version` compares numbers in names as numbers. */
export type RefOrder = 'name' | 'updated' | 'version'

export interface RefListOptions {
  /** Part of the name in any letter case; `^x` names that begin with x, `x$` that end with it, `^x$` exactly x. */
  readonly search?: string | undefined
  readonly order?: RefOrder
  readonly sort?: 'asc' | 'desc'
}

/** As a number: git ends where it cannot write a date of one of the references in its time zone, which anyone who pushes chooses. */
const sortKeys = { name: 'refname', updated: 'creatordate:unix', version: 'version:refname' } as const

/** All branches that fit, in order. */
export async function listBranches(repository: Repository, options: RefListOptions = {}): Promise<Branch[]> {
  const rows = await listRefs(repository, 'refs/heads/', '%(objectname)', options)
  return rows.map(([name, commit]) => ({ name: name!, commit: commit! }))
}

/** All tags that fit, in order. */
export async function listTags(repository: Repository, options: RefListOptions = {}): Promise<Tag[]> {
  const rows = await listRefs(repository, 'refs/tags/', '%(objectname) %(*objectname)', options)
  return rows.map(([name, target, peeled]) => ({ name: name!, target: target!, commit: peeled || target! }))
}

/** The name of a reference, and the ids that were asked for. */
type RefRow = readonly string[]

/** References of a list that is kept. */
const MOST_KEPT = 20_000

/** By the state of the references: git reads a commit of each to find their order. */
const lists = new ImmutableCache<readonly RefRow[]>(30, rows => rows.length <= MOST_KEPT)

async function listRefs(repository: Repository, prefix: string, ids: string, options: RefListOptions): Promise<readonly RefRow[]> {
  const { search, order = 'name', sort = 'asc' } = options
  const key = `${sort === 'desc' ? '-' : ''}${sortKeys[order]}`
  const ask = () => readList(repository, prefix, ids, key)
  // The state is looked at before the list is read: a list may be newer than its state, and no state comes back.
  const state = stateOfRefs(repository)
  const rows = await (state ? lists.get(`${state.version} ${prefix} ${key}`, ask) : ask())
  const fits = nameFilter(search)
  return rows.filter(([name]) => fits(name as string))
}

async function readList(repository: Repository, prefix: string, ids: string, key: string): Promise<readonly RefRow[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'for-each-ref',
    flags: [`--format=${ids} %(refname)`, `--sort=${key}`],
    values: [prefix],
  })
  const columns = ids.split(' ').length
  return linesOf(stdout).map(line => {
    const parts = line.split(' ')
    return [parts[columns]!.slice(prefix.length), ...parts.slice(0, columns)]
  })
}

/** The test that a `search` parameter stands for. */
export function nameFilter(search: string | undefined): (name: string) => boolean {
  if (search === undefined || search === '') return () => true
  const start = search.startsWith('^')
  const end = search.endsWith('$') && search.length > 1
  const term = search.slice(start ? 1 : 0, end ? -1 : undefined).toLowerCase()
  return name => {
    const lower = name.toLowerCase()
    if (start && end) return lower === term
    if (start) return lower.startsWith(term)
    return end ? lower.endsWith(term) : lower.includes(term)
  }
}

/** Which of these branches are contained in `commit`: one process for a page of branches. */
export async function mergedBranches(repository: Repository, names: readonly string[], commit: ObjectId): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  historyQuestions.asked += 1
  const { stdout } = await runGit(repository, {
    subcommand: 'for-each-ref',
    flags: ['--format=%(refname)', `--merged=${objectId(commit)}`],
    values: names.map(name => `refs/heads/${name}`),
  })
  // A pattern also fits what is below it (`a` fits `a/b`): git has no such pair, but the filter says what is meant.
  const asked = new Set(names)
  return new Set(
    linesOf(stdout)
      .map(ref => ref.slice('refs/heads/'.length))
      .filter(name => asked.has(name)),
  )
}

/** The branches and tags whose history holds a commit, by name. */
export async function refsContaining(
  repository: Repository,
  commit: ObjectId,
  kinds: readonly ('branch' | 'tag')[] = ['branch', 'tag'],
): Promise<{ readonly type: 'branch' | 'tag'; readonly name: string }[]> {
  if (kinds.length === 0) return []
  historyQuestions.asked += 1
  const { stdout } = await runGit(repository, {
    subcommand: 'for-each-ref',
    flags: ['--format=%(refname)', `--contains=${objectId(commit)}`],
    values: kinds.map(kind => (kind === 'branch' ? 'refs/heads/' : 'refs/tags/')),
  })
  return linesOf(stdout).map(ref =>
    ref.startsWith('refs/heads/')
      ? { type: 'branch', name: ref.slice('refs/heads/'.length) }
      : { type: 'tag', name: ref.slice('refs/tags/'.length) },
  )
}

/** Every reference with what it points to, hidden ones included: for the reconciler and for checks. */
export async function allRefs(repository: Repository): Promise<Map<string, ObjectId>> {
  const { stdout } = await runGit(repository, { subcommand: 'for-each-ref', flags: ['--format=%(objectname) %(refname)'] })
  return new Map(linesOf(stdout).map(line => [line.slice(41), line.slice(0, 40)]))
}

function linesOf(output: Buffer): string[] {
  return output.toString('utf8').split('\n').slice(0, -1)
}
