/**
 * Races: two writes at a time, derived from the declarations. What comes of them is what one of the two orders gives: the same answers and the same
 * rows. A write that is refused because of the other one leaves what the other gives alone.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { Ending } from '../../test/at_end.ts'
import { folderVariable, serverVariable, startTestServer } from '../../test/database.ts'
import { titleOf } from '../../test/derived/titles.ts'
import { chanceFrom } from '../chance.ts'
import { type Options, type Part, type Row, Tally } from '../part.ts'
import { Arena, type Heard } from './arena.ts'
import { differencesOf, type Outcome } from './outcome.ts'
import { type Pair, pairsOf } from './pairs.ts'

/** Pairs that are raced; in the long form all of them. */
const PAIRS = 60

/** Parts of the time of the first request after which the second one is sent; below zero it is sent before. */
const LEADS = [0, 0.35, -0.35, 0.7, -0.7] as const

/**
 * Statuses that say to try again, or that something else was first; 416: other bytes have come, and these are not the next ones. Of commits it is
 * 400, as the contract has it.
 */
const GIVES_WAY: ReadonlySet<number> = new Set([409, 412, 416, 423, 429, 503])
const saysTryAgain = (status: number, { path }: Endpoint): boolean =>
  GIVES_WAY.has(status) || (status === 400 && path.includes('/repository/'))

/** What is noted of a change, in words of the moment: the number of entries is compared. Where both requests were the same, both may note it. */
const NOTES: ReadonlySet<string> = new Set(['public.events', 'public.audit_events'])

/** Moves of jobs are processed together: a status between two of them may not be noted. */
const PROCESSED = /\/(jobs|pipelines)\/:/

/** They wait by design, or end what the others need: the server's own processes. */
const left = new Set(['POST /jobs/request'])

/** What came of two requests. */
interface Result {
  readonly statuses: readonly [number, number]
  readonly outcome: Outcome
}

/** What the two orders give, and each of the two alone. */
interface Orders {
  readonly inTurn: readonly Result[]
  readonly alone: readonly [Result, Result]
  readonly took: readonly [number, number]
}

async function inTurn(arena: Arena, { first, second }: Pair): Promise<Orders> {
  const a = await arena.send(first)
  const afterFirst = await arena.outcome()
  const b = await arena.send(second)
  const forwards: Result = { statuses: [a.status, b.status], outcome: await arena.outcome() }
  await arena.restore()
  const y = await arena.send(second)
  const afterSecond = await arena.outcome()
  const x = await arena.send(first)
  const backwards: Result = { statuses: [x.status, y.status], outcome: await arena.outcome() }
  await arena.restore()
  return {
    inTurn: [forwards, backwards],
    alone: [
      { statuses: [a.status, 0], outcome: afterFirst },
      { statuses: [0, y.status], outcome: afterSecond },
    ],
    took: [a.took, y.took],
  }
}

async function sideBySide(arena: Arena, { first, second }: Pair, lead: number, took: Orders['took']): Promise<[Heard, Heard]> {
  const sent = async (endpoint: Endpoint, after: number): Promise<Heard> => {
    if (after > 0) await delay(after)
    return arena.send(endpoint)
  }
  return Promise.all([sent(first, -lead * took[1]), sent(second, lead * took[0])])
}

/**
 * What is wrong with what came of two requests side by side, if anything is.
 * @param uncertain tables with content that follows from chance
 */
function problemWith(
  { statuses, outcome }: Result,
  { kind, first, second }: Pair,
  { inTurn: orders, alone }: Orders,
  uncertain: ReadonlySet<string>,
): string | undefined {
  const [a, b] = statuses
  if (a === 0 || b === 0) return 'no answer in 30 seconds'
  const fitting = orders.filter(({ statuses: [x, y] }) => x === a && y === b)
  const differing = fitting.map(order => differencesOf(outcome, order.outcome, uncertain)).sort((x, y) => x.length - y.length)[0]
  if (differing?.length === 0) return undefined
  // What is gone with its place may have been noted or not, or in the words of a place that is gone.
  if (kind === 'a deletion and a write below it' && differing?.every(table => NOTES.has(table))) return undefined
  if ([first, second].every(({ path }) => PROCESSED.test(path)) && differing?.every(table => table === 'public.events')) return undefined
  // The write was done when its thing was removed, and before it was answered: what it would answer with is gone.
  if (
    kind === 'a deletion and a write below it' &&
    b === 404 &&
    orders.some(order => order.statuses[0] === a && differencesOf(outcome, order.outcome, uncertain).length === 0)
  )
    return undefined
  // In turn the second has no valid credential, since the first has ended it. Side by side its caller is known before, and what it asks for is done.
  const endsCredential = orders.some(({ statuses }, at) => statuses[1 - at] === 401)
  if (
    endsCredential &&
    [0, 1].every(at => statuses[at] === alone[at]!.statuses[at]) &&
    alone.some(order => differencesOf(outcome, order.outcome, uncertain).every(table => NOTES.has(table)))
  )
    return undefined
  // Both may say of one change that it is done.
  const isDoneByBoth = first === second && [a, b].every(status => orders.some(order => order.statuses.includes(status) && status < 400))
  if (isDoneByBoth && orders.some(order => differencesOf(outcome, order.outcome, uncertain).every(table => NOTES.has(table))))
    return undefined
  // The one that is refused, in whatever words, leaves nothing behind.
  for (const [refused, done] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const wasRefused = orders.some(order => isRefused(order.statuses[refused])) && isRefused(statuses[refused])
    if (!wasRefused && !saysTryAgain(statuses[refused], [first, second][refused]!)) continue
    if (statuses[done] === alone[done].statuses[done] && differencesOf(outcome, alone[done].outcome, uncertain).length === 0)
      return undefined
  }
  if (differing) return `answers ${a} and ${b} as in turn, but other rows in ${differing.join(', ')}`
  return `answers ${a} and ${b}, in turn ${orders.map(order => order.statuses.join(' and ')).join(' or ')}`
}

const isRefused = (status: number): boolean => status >= 400 && status < 500

async function run({ long, times, share = { at: 0, of: 1 }, seed, say }: Options): Promise<Row[]> {
  const ending = new Ending()
  const chance = chanceFrom(seed)
  const { env } = process
  if (env[serverVariable] === undefined) {
    const server = await startTestServer()
    ending.add(() => server.stop())
    Object.assign(env, { [serverVariable]: server.url, [folderVariable]: server.folder })
  }
  const tallies = new Map<string, Tally>()
  try {
    const arena = await Arena.open(ending.add)
    const writes = endpoints.filter(({ method, route, dialect }) => method !== 'GET' && dialect.name !== 'pages' && !left.has(route))
    const all = pairsOf(writes, endpoint => arena.addressOf(endpoint)).filter((_, at) => at % share.of === share.at)
    say(`races: ${all.length} pairs`)
    const count = Math.min(times ?? (long ? all.length : PAIRS), all.length)
    for (let done = 0; done < count; done++) {
      // Without a number all of them in their order; with one, as many that chance takes.
      const pair = count === all.length ? all[done]! : all.splice(chance.below(all.length), 1)[0]!
      const tally = tallies.get(pair.kind) ?? new Tally('races', pair.kind)
      tallies.set(pair.kind, tally)
      await raceOf(arena, pair, tally, long ? LEADS : [0, chance.of(LEADS)])
      if ((done + 1) % 100 === 0) say(`races: ${done + 1} of ${count} pairs`)
    }
  } finally {
    await ending.run()
  }
  return [...tallies.values()].map(tally => tally.toRow())
}

async function raceOf(arena: Arena, pair: Pair, tally: Tally, leads: readonly number[]): Promise<void> {
  const again = `${titleOf(pair.first)} beside ${titleOf(pair.second)}`
  const orders = await inTurn(arena, pair)
  // Neither writes.
  if (orders.inTurn.every(({ statuses }) => statuses.every(isRefused))) return
  let uncertain: ReadonlySet<string> | undefined
  for (const lead of leads) {
    const known = arena.failures.length
    const [a, b] = await sideBySide(arena, pair, lead, orders.took)
    const result: Result = { statuses: [a.status, b.status], outcome: await arena.outcome() }
    await arena.restore()
    let problem = problemWith(result, pair, orders, uncertain ?? NOTES)
    if (problem && !uncertain) {
      uncertain = await uncertainOf(arena, pair, orders)
      problem = problemWith(result, pair, orders, uncertain)
    }
    const failed = arena.failures.slice(known).map(({ err, msg }) => (err as { message?: string } | undefined)?.message ?? String(msg))
    tally.count(problem && [problem, ...failed].join('; '), `${again}, the second after ${lead} of the other's time`)
    if (problem) break
  }
}

/** Tables whose content differs when the same is done a second time, and those with words of the moment. */
async function uncertainOf(arena: Arena, pair: Pair, before: Orders): Promise<ReadonlySet<string>> {
  const now = await inTurn(arena, pair)
  return new Set([...NOTES, ...now.inTurn.flatMap(({ outcome }, index) => differencesOf(outcome, before.inTurn[index]!.outcome))])
}

export const races: Part = { name: 'races', run }
