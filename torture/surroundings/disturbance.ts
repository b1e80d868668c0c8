/** Something that goes wrong around a server for a while: the server says so clearly, loses nothing, and goes on when it is over. */
import { setTimeout as delay } from 'node:timers/promises'
import { chanceFrom } from '../chance.ts'
import { judgeByCheck, judgeByGit } from '../crash/judges.ts'
import { Ledger } from '../crash/ledger.ts'
import { awaitReady, startWriting } from '../crash/work.ts'
import { makeWorld } from '../crash/world.ts'
import { type Options, type Row, Tally } from '../part.ts'
import { Victim, type VictimOptions } from '../victim.ts'

export interface Disturbance {
  readonly name: string
  /** Why it cannot be tried on this machine; undefined where it can. */
  readonly missing?: () => Promise<string | undefined>
  /** Before the server starts. @returns what it is started with */
  readonly prepare: () => Promise<VictimOptions>
  readonly begin: (victim: Victim) => Promise<void>
  readonly end: (victim: Victim) => Promise<void>
  /** Takes away what was prepared, whatever happened. */
  readonly dispose: (victim: Victim | undefined) => Promise<void>
  /** The files of a bucket are not in the data directory. */
  readonly checks?: false
}

/** Answers that say what is true: not now, or no room. */
const CLEAR = [503, 507]

/** Seconds that the writers work before, meanwhile and afterwards. */
const SECONDS = { short: 2, long: 15 } as const

/** How long it may take until each kind of thing is written again, in milliseconds. */
const PATIENCE = 60_000

/** Asks writers of all kinds before, meanwhile and afterwards. */
export async function disturb(disturbance: Disturbance, { long, times, seed, say }: Options): Promise<Row[]> {
  const { name } = disturbance
  const part = 'surroundings'
  const answers = new Tally(part, `${name}: answers`)
  const kept = new Tally(part, `${name}: acknowledged things`)
  const whole = new Tally(part, `${name}: recovery and checks`)
  const missing = await disturbance.missing?.()
  if (missing !== undefined) {
    answers.note = `not tried: ${missing}`
    return [answers.toRow()]
  }
  const again = `npm run torture -- surroundings --seed ${seed}: ${name}`
  const work = (times ?? SECONDS[long ? 'long' : 'short']) * 1_000
  let victim: Victim | undefined
  try {
    victim = await Victim.start(await disturbance.prepare())
    const ledger = new Ledger()
    const world = await makeWorld(victim, ledger, chanceFrom(seed))
    let stop = startWriting(world)
    await delay(work)
    await stop()
    const before = new Map(ledger.acknowledged)
    await disturbance.begin(victim)
    const statuses = new Map<number, number>()
    victim.onAnswer = (request, status, why = 'answered unclearly') => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const isClear = status !== 0 && (status < 400 || CLEAR.includes(status))
      answers.count(isClear ? undefined : `${request}: ${status}, ${why}`, again)
    }
    stop = startWriting(world)
    await delay(work)
    await stop()
    victim.onAnswer = () => {}
    await disturbance.end(victim)
    answers.note = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    say(`${part}: ${name}: ${answers.note}`)
    const took = await awaitReady(victim)
    whole.count(took === undefined ? `it does not recover without a restart: ${await lastWords(victim)}` : undefined, again)
    if (took === undefined) await victim.start()
    const during = new Map(ledger.acknowledged)
    const silent = () => [...before.keys()].filter(kind => ledger.acknowledged.get(kind) === during.get(kind))
    stop = startWriting(world)
    for (const end = performance.now() + PATIENCE; silent().length > 0 && performance.now() < end; ) await delay(100)
    await stop()
    whole.count(silent().length > 0 ? `no ${silent()} are written afterwards` : undefined, again)
    await ledger.verify(kept, 0, 1, again)
    if (disturbance.checks !== false) await judgeByCheck(victim, whole, again)
    await judgeByGit(victim, whole, again)
    const { code, stderr } = await victim.stop()
    whole.count(code === 0 ? undefined : `it ends with ${code}: ${stderr.slice(-500)}`, again)
  } finally {
    await victim?.end()
    await disturbance.dispose(victim)
    await victim?.remove()
  }
  return [answers, kept, whole].map(tally => tally.toRow())
}

/** What a server said that has ended. */
async function lastWords(victim: Victim): Promise<string> {
  const ended = await Promise.race([victim.running.ended, delay(100, undefined)])
  return ended ? `ended with ${ended.code}: ${ended.stderr.slice(-300)}` : 'it runs'
}
