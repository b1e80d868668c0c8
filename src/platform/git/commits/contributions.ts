/** Who wrote a history, and when. */
import { resolveCommit } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { historyQuestions, streamGit } from '../process/run.ts'
import { decodeText } from '../process/text.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'

/** A person with commits. */
export interface Contributor {
  readonly name: string
  readonly email: string
  readonly commits: number
}

/** Commits by the day on which they were written (`2021-04-01`, in UTC). */
type CommitsByDay = ReadonlyMap<string, number>

/** Who wrote a history, most commits first, and when. */
export interface Contributions {
  readonly people: readonly Contributor[]
  /** Of the first people. */
  readonly days: readonly CommitsByDay[]
  /** Of everybody else together. */
  readonly otherDays: CommitsByDay
}

/** People whose days are kept by themselves. */
const MOST_WITH_DAYS = 5

const answers = new ImmutableCache<Contributions>(20)

/**
 * Who wrote the commits reachable from `commit`, merges left out: one person per address, most commits first, by the name that most of them
 * have. One process, which reads the whole history; none when it was asked before.
 */
export async function contributions(repository: Repository, commit: ObjectId): Promise<Contributions> {
  // The `.mailmap` of the default branch says which names are one person's.
  const head = await resolveCommit(repository, 'HEAD')
  historyQuestions.asked += 1
  return answers.get(`${repository.path} ${head ?? ''} ${objectId(commit)}`, () => readContributions(repository, commit))
}

/** The people of `contributions`. */
export const contributors = async (repository: Repository, commit: ObjectId): Promise<readonly Contributor[]> =>
  (await contributions(repository, commit)).people

class Author {
  readonly names = new Map<string, number>()
  readonly days = new Map<string, number>()
  commits = 0
}

async function readContributions(repository: Repository, commit: ObjectId): Promise<Contributions> {
  const authors = new Map<string, Author>()
  for await (const [email, name, seconds] of authorsOf(repository, commit)) {
    const author = authors.get(email) ?? new Author()
    authors.set(email, author)
    author.commits += 1
    add(author.names, name, 1)
    add(author.days, dayOf(Number(seconds)), 1)
  }
  const found = [...authors]
    .map(([email, { names, days, commits }]) => ({ person: { name: mostOf(names), email, commits }, days }))
    .sort(({ person: a }, { person: b }) => b.commits - a.commits || (a.name < b.name ? -1 : 1))
  const otherDays = new Map<string, number>()
  for (const { days } of found.slice(MOST_WITH_DAYS)) for (const [day, commits] of days) add(otherDays, day, commits)
  return { people: found.map(({ person }) => person), days: found.slice(0, MOST_WITH_DAYS).map(({ days }) => days), otherDays }
}

/** Address, name and second of each commit. */
async function* authorsOf(repository: Repository, commit: ObjectId): AsyncGenerator<readonly [string, string, string]> {
  const log = streamGit(repository, {
    subcommand: 'log',
    flags: ['-z', '--no-merges', '--format=%aE%x00%aN%x00%at'],
    values: [objectId(commit)],
    paths: [],
  })
  // Bytes as characters, so that a name can be decoded whole.
  let rest = ''
  const textOf = (item: string) => decodeText(Buffer.from(item, 'latin1'))
  for await (const chunk of log) {
    const items = (rest + chunk.toString('latin1')).split('\0')
    const whole = items.length - 1 - ((items.length - 1) % 3)
    for (let at = 0; at < whole; at += 3) yield [textOf(items[at] as string), textOf(items[at + 1] as string), items[at + 2] as string]
    rest = items.slice(whole).join('\0')
  }
}

const add = (counts: Map<string, number>, key: string, count: number): void => void counts.set(key, (counts.get(key) ?? 0) + count)

const mostOf = (names: ReadonlyMap<string, number>): string =>
  [...names].reduce((most, name) => (name[1] > most[1] ? name : most), ['', 0] as const)[0]

/** The last second that a day of four digits holds. */
const LATEST = Date.parse('9999-12-31T23:59:59Z') / 1000

/** A clock that went wrong says any second. */
const dayOf = (seconds: number): string => new Date(Math.min(Math.max(seconds || 0, 0), LATEST) * 1000).toISOString().slice(0, 10)
