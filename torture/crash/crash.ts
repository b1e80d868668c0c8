/**
 * Crash: many write, and Ingot, its database or both are killed in the midst of it. After each start what was acknowledged is there and right, and
 * what was not is whole or absent.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { chanceFrom } from '../chance.ts'
import { type Options, type Part, type Row, Tally } from '../part.ts'
import { type Kill, Victim } from '../victim.ts'
import { judgeByCheck, judgeByGit, judgeBySweepers, judgeNumbers } from './judges.ts'
import { Ledger } from './ledger.ts'
import { awaitReady, RECOVERY, startWriting } from './work.ts'
import { makeWorld } from './world.ts'

/** Acknowledgements before a kill; a server that has just started is slow, and a busy machine is. */
const WORK = { least: 1, most: 60 } as const
/** However few there are, in milliseconds. */
const LONGEST = 10_000
/** All judges come so often. */
const ROUNDS_PER_JUDGMENT = 20

async function run({ long, times = long ? 200 : 10, seed, say }: Options): Promise<Row[]> {
  const chance = chanceFrom(seed)
  const kills = new Tally('crash', 'SIGKILL of Ingot, its database or both')
  const kept = new Tally('crash', 'acknowledged things, read again')
  const checks = new Tally('crash', 'checks of ingot check')
  const fsck = new Tally('crash', 'git fsck --strict of a repository')
  const swept = new Tally('crash', 'files after the sweepers')
  const numbers = new Tally('crash', 'numbers and states of lists')
  const ledger = new Ledger()
  const victim = await Victim.start()
  try {
    const world = await makeWorld(victim, ledger, chance)
    let longest = 0
    /** A database that dies often is not started again: not on its own more than a few times in a row. */
    let alone = 0
    for (let round = 1; round <= times; round++) {
      ledger.round = round
      const kill: Kill = chance.of(alone < 3 ? ['server', 'database', 'both'] : ['server', 'both'])
      alone = kill === 'database' ? alone + 1 : 0
      const again = `npm run torture -- crash --seed ${seed} --times ${round}: ${kill} killed in round ${round}`
      const stopWriting = startWriting(world)
      const enough = ledger.total + chance.between(WORK.least, WORK.most)
      for (const end = performance.now() + LONGEST; ledger.total < enough && performance.now() < end; ) await delay(1)
      await victim.kill(kill)
      // A server that lives goes on being asked while it has no database.
      if (kill === 'database') await delay(chance.between(0, 1_000))
      await stopWriting()
      if (kill !== 'database') await victim.start()
      const took = await awaitReady(victim)
      kills.count(took === undefined ? `not ready within ${RECOVERY} ms` : undefined, again)
      longest = Math.max(longest, took ?? RECOVERY)
      await ledger.verify(kept, round, 20, again)
      for (const job of world.handedTwice.splice(0)) kept.fail(`job ${job} was handed out twice`, again)
      if (round % ROUNDS_PER_JUDGMENT === 0) {
        await judgeByCheck(victim, checks, again)
        await judgeByGit(victim, fsck, again)
        say(
          `crash: ${round} kills, ${ledger.size} things, ${[kills, kept, checks, fsck].flatMap(tally => tally.toRow().failures).length} failures`,
        )
      }
    }
    const end = `npm run torture -- crash --seed ${seed} --times ${times}: at the end`
    ledger.round = times + 1
    await ledger.verify(kept, 0, 1, end)
    for (const { id } of world.projects) await judgeNumbers(victim, id, numbers, end)
    await judgeByCheck(victim, checks, end)
    const { code, stderr } = await victim.stop()
    if (code !== 0) kills.fail(`it ends with ${code}: ${stderr.slice(-500)}`, end)
    await judgeByGit(victim, fsck, end)
    await judgeBySweepers(victim, swept, end)
    kills.note = `ready again after ${Math.round(longest)} ms at most`
    kept.note = [...ledger.acknowledged].map(([kind, count]) => `${count} ${kind}`).join(', ')
  } finally {
    await victim.remove()
  }
  return [kills, kept, checks, fsck, swept, numbers].map(tally => tally.toRow())
}

export const crash: Part = { name: 'crash', run }
