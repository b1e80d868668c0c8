/**
 * Soak: an hour of an ordinary mixed load on one server. Nothing that it holds grows with time: memory, open files, processes, connections to the database,
 * dead rows of tables; and no request fails.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { chanceFrom } from '../chance.ts'
import { judgeByCheck } from '../crash/judges.ts'
import { Ledger } from '../crash/ledger.ts'
import { startWriting } from '../crash/work.ts'
import { makeWorld } from '../crash/world.ts'
import { type Options, type Part, type Row, Tally } from '../part.ts'
import { Victim } from '../victim.ts'
import { type Measure, Measuring } from './measures.ts'
import { startReading } from './readers.ts'

/** Minutes. */
const MINUTES = { short: 1, long: 60 } as const

/** Measures in all; the first quarter is warming up. */
const SAMPLES = 40

/** Milliseconds between two turns of one that writes: twelve of them then make some dozens of changes a second. */
const PAUSE = 200

/** What a measure may rise by from the second quarter, at its most, to the last one, at its least. */
const MAY_RISE: Readonly<Record<keyof Measure, number>> = {
  // Caches fill: what is remembered of commits, blobs and pages has bounds of its own.
  megabytes: 100,
  handles: 20,
  children: 8,
  connections: 4,
  deadRows: 20_000,
}

async function run({ long, times = MINUTES[long ? 'long' : 'short'], seed, say }: Options): Promise<Row[]> {
  const again = `npm run torture -- soak --seed ${seed} --times ${times}`
  const requests = new Tally('soak', 'requests of writers and readers')
  const flat = new Tally('soak', 'what the server holds, from the second quarter to the last')
  const kept = new Tally('soak', 'acknowledged things, read again')
  const checks = new Tally('soak', 'checks of ingot check')
  const chance = chanceFrom(seed)
  const ledger = new Ledger()
  const victim = await Victim.start()
  const measuring = await Measuring.start(victim)
  try {
    const world = await makeWorld(victim, ledger, chance)
    await victim.call('PUT', `/projects/${world.projects[0]!.id}`, { visibility: 'public' })
    victim.onAnswer = (request, status) =>
      requests.count(status === 0 || status >= 500 ? `${request} is answered with ${status}` : undefined, again)
    const stops = [startWriting(world, PAUSE), startReading(world)]
    const samples: Measure[] = []
    for (let sample = 0; sample < SAMPLES; sample++) {
      await delay((times * 60_000) / SAMPLES)
      const measure = await measuring.take()
      samples.push(measure)
      say(`soak: ${JSON.stringify(measure)}, ${requests.times} requests, ${ledger.size} things`)
    }
    await Promise.all(stops.map(stop => stop()))
    for (const name of Object.keys(MAY_RISE) as (keyof Measure)[]) {
      const before = Math.max(...samples.slice(SAMPLES / 4, SAMPLES / 2).map(sample => sample[name]))
      const after = Math.min(...samples.slice((3 * SAMPLES) / 4).map(sample => sample[name]))
      flat.count(after - before <= MAY_RISE[name] ? undefined : `${name} rose from ${before} to ${after}`, again)
    }
    const last = samples.at(-1) as Measure
    flat.note = Object.entries(last)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
    await ledger.verify(kept, 0, 1, again)
    for (const job of world.handedTwice.splice(0)) kept.fail(`job ${job} was handed out twice`, again)
    await judgeByCheck(victim, checks, again)
  } finally {
    await measuring.stop()
    await victim.remove()
  }
  return [requests, flat, kept, checks].map(tally => tally.toRow())
}

export const soak: Part = { name: 'soak', run }
