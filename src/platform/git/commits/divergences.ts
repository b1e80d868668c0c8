/** How far many commits are from one: what a list of branches tells of each. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { historyQuestions, runGit } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { mergeBase } from './history.ts'

/** Commits that one has and the other lacks (`ahead`), and the other way round (`behind`). */
export interface Divergence {
  readonly ahead: number
  readonly behind: number
}

/** Most commits that are looked at for one answer. */
const MOST = 10_000

const answers = new ImmutableCache<ReadonlyMap<ObjectId, Divergence>>(200)

/** How far each of `tips` is from `base`. Two processes, however many there are. Empty where more commits lie between them than are looked at. */
export function divergencesFrom(
  repository: Repository,
  base: ObjectId,
  tips: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, Divergence>> {
  const others = [...new Set(tips)].map(objectId).sort()
  historyQuestions.asked += 1
  return answers.get([objectId(base), ...others].join(' '), async () => {
    const all = [...new Set([base, ...others])]
    const shared = await mergeBase(repository, all)
    const { stdout } = await runGit(repository, {
      subcommand: 'rev-list',
      flags: ['--parents', `--max-count=${MOST + 1}`],
      values: [...all, ...(shared === undefined ? [] : [`^${shared}`])],
      paths: [],
    })
    const parents = new Map(
      stdout
        .toString('latin1')
        .split('\n')
        .slice(0, -1)
        .map(line => [line.slice(0, 40), line.slice(41).split(' ')] as const),
    )
    if (parents.size > MOST) return new Map()
    const known = reachable(parents, base)
    const found = new Map<ObjectId, Divergence>()
    for (const tip of others) {
      const own = reachable(parents, tip)
      const ahead = own.difference(known).size
      found.set(tip, { ahead, behind: known.size - (own.size - ahead) })
      // A hundred branches with thousands of commits each must not hold up other requests.
      await nextTurn()
    }
    return found
  })
}

/** The commits that lead to `tip`, among those of `parents`. */
function reachable(parents: ReadonlyMap<ObjectId, readonly ObjectId[]>, tip: ObjectId): Set<ObjectId> {
  const found = new Set<ObjectId>()
  const next = [tip]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (found.has(id) || !parents.has(id)) continue
    found.add(id)
    next.push(...(parents.get(id) ?? []))
  }
  return found
}

/** Commits that one lacks, of all that others lead to, which are looked at to say which of those it holds. */
const MOST_LACKED = 50_000

const held = new ImmutableCache<ReadonlySet<ObjectId> | undefined>(500, found => (found?.size ?? 0) <= 1_000)

/**
 * Which of these commits are in the history of `tip`: one process, none for what was asked before. Undefined where the others lead to more than
 * 50,000 commits that it lacks.
 */
export function heldBy(repository: Repository, commits: readonly ObjectId[], tip: ObjectId): Promise<ReadonlySet<ObjectId> | undefined> {
  const others = [...new Set(commits)].map(objectId).sort()
  if (others.length === 0) return Promise.resolve(new Set())
  const question = createHash('sha256')
    .update([objectId(tip), ...others].join(' '))
    .digest('hex')
  historyQuestions.asked += 1
  return held.get(question, async () => {
    const { stdout } = await runGit(repository, {
      subcommand: 'rev-list',
      flags: [`--max-count=${MOST_LACKED + 1}`, '--stdin'],
      input: `${others.join('\n')}\n^${tip}\n`,
    })
    const lacked = stdout.toString('latin1').split('\n').slice(0, -1)
    return lacked.length > MOST_LACKED ? undefined : new Set(others).difference(new Set(lacked))
  })
}
