/**
 * Backups: many write while backups are made that build on each other, and some of these or the database are killed in the midst of it. What is
 * restored of the chain is whole after each backup, and the same as the instance after the last one.
 */
import { createHash } from 'node:crypto'
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig, places } from '../src/platform/config.ts'
import { openLog } from '../src/platform/log.ts'
import { refsBelow, rowsOf } from '../src/server/backup/scene.ts'
import { beginIngot } from '../src/server/cli/scene.ts'
import { openInstance } from '../src/server/setup/instance.ts'
import { chanceFrom } from './chance.ts'
import { judgeByCheck, judgeByGit, judgeBySweepers } from './crash/judges.ts'
import { Ledger } from './crash/ledger.ts'
import { awaitReady, startWriting } from './crash/work.ts'
import { makeWorld } from './crash/world.ts'
import { type Options, type Part, type Row, Tally } from './part.ts'
import { endOf, Victim } from './victim.ts'

/** When a backup, or its database, is killed: milliseconds after it has begun. It takes a second or two. */
const KILLED = { least: 300, most: 2_500 } as const
/** A chain is restored after so many backups, and at the end. */
const ROUNDS_PER_RESTORE = 10

const passphrase = { INGOT_BACKUP_PASSPHRASE: 'correct horse battery' }

async function run({ long, times = long ? 40 : 6, seed, say }: Options): Promise<Row[]> {
  const chance = chanceFrom(seed)
  const made = new Tally('backups', 'backups under writes, each since the one before, some killed')
  const restored = new Tally('backups', 'checks of restored chains')
  const swept = new Tally('backups', 'files after the sweepers')
  const alike = new Tally('backups', 'tables, repositories and files, compared with the instance')
  const victim = await Victim.start({ env: passphrase })
  try {
    const world = await makeWorld(victim, new Ledger(), chance)
    let last: string | undefined
    for (let round = 1; round <= times; round++) {
      const again = `npm run torture -- backups --seed ${seed} --times ${round}: in round ${round}`
      const killed = last === undefined ? 'nothing' : chance.of(['nothing', 'nothing', 'backup', 'database'] as const)
      const file = join(victim.cwd, `${round}.backup`)
      const stopWriting = startWriting(world)
      const command = victim.begin('backup', file, ...(last === undefined ? [] : ['--since', last]))
      if (killed !== 'nothing') {
        await delay(chance.between(KILLED.least, KILLED.most))
        if (killed === 'backup') command.kill()
        else await victim.kill('database')
      }
      const { code, stderr } = await endOf(command)
      await stopWriting()
      if (killed === 'database' && (await awaitReady(victim)) === undefined) made.fail('the server is not ready again', again)
      const size = await sizeOf(file)
      // What was killed late has been made.
      const isRight = code === 0 ? size !== undefined : mayFail(killed, code) && (size === undefined || code === null)
      made.count(isRight ? undefined : `${killed} killed: code ${code}, ${size ?? 'no'} bytes: ${stderr}`, again)
      if (size !== undefined) last = file
      await rm(`${file}.unfinished`, { force: true })
      if (last !== undefined && round % ROUNDS_PER_RESTORE === 0) {
        say(`backups: the chain of ${last} is restored and judged`)
        await judgeRestored(victim, last, restored, again)
      }
      say(`backups: ${round} of ${times}, ${killed} killed`)
    }
    const end = `npm run torture -- backups --seed ${seed} --times ${times}: at the end`
    say('backups: the server is stopped, and the last backup compared with it')
    const { code, stderr } = await victim.stop()
    // A part that does not close is waited for, and the process then ends all the same.
    const [left] = /^.*(?:did not close in time|held the process).*$/m.exec(stderr) ?? []
    if (code !== 0 || left !== undefined) made.fail(`the server ends with ${code}: ${left ?? stderr.slice(-500)}`, end)
    // Repositories and files that no row names are not in a backup.
    await judgeBySweepers(victim, swept, end)
    const quiet = join(victim.cwd, 'quiet.backup')
    const kept = await victim.command('backup', quiet, '--since', last!)
    made.count(kept.code === 0 ? undefined : kept.stderr, end)
    await judgeRestored(victim, quiet, restored, end, copy => compare(victim.dataDir, copy, alike, end))
  } finally {
    await victim.remove()
  }
  return [made, restored, swept, alike].map(tally => tally.toRow())
}

/** Only what is killed itself ends without a code. */
const mayFail = (killed: string, code: number | null): boolean => killed === 'backup' || (killed === 'database' && code !== null)

const sizeOf = async (file: string): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.size

/** Restores a chain beside the instance, and looks whether what is there is whole. @param before is given the data folder before a server uses it */
async function judgeRestored(
  victim: Victim,
  last: string,
  tally: Tally,
  again: string,
  before: (dataDir: string) => Promise<void> = async () => {},
): Promise<void> {
  const copy = join(victim.cwd, 'restored')
  const dataDir = join(copy, 'data')
  await rm(copy, { recursive: true, force: true })
  await mkdir(copy)
  await chmod(copy, 0o1777)
  const { code, stderr } = await endOf(beginIngot(['restore', last, '--data-dir', dataDir], { cwd: copy, env: passphrase }))
  tally.count(code === 0 ? undefined : `ingot restore ended with ${code}: ${stderr}`, again)
  if (code !== 0) return
  await before(dataDir)
  const beside = await Victim.start({ cwd: copy, settings: ['--workers', '0', '--ssh-port', 'off'] })
  try {
    await judgeByCheck(beside, tally, again)
    await judgeByGit(beside, tally, again)
  } finally {
    await beside.remove()
  }
}

/** What there is in a data folder that no server uses. */
async function contentOf(dataDir: string): Promise<Map<string, string>> {
  const instance = await openInstance({
    config: parseConfig({ INGOT_DATA_DIR: dataDir }, {}, {}),
    log: openLog('error'),
    existing: true,
    asItIs: true,
  })
  try {
    const { database, objects, config } = instance.deps
    const files: [string, string][] = []
    for (const { key } of await database.db.selectFrom('stored_objects').select('key').execute())
      files.push([
        `file ${key}`,
        createHash('sha256')
          .update(await buffer(await objects.read(key)))
          .digest('hex'),
      ])
    return new Map([
      ...Object.entries(await rowsOf(database.db)),
      ...Object.entries(await refsBelow(places(config).repositories)).map(([path, refs]) => [path, refs.join('\n')] as const),
      ...files,
    ])
  } finally {
    await instance.close()
  }
}

async function compare(original: string, copy: string, tally: Tally, again: string): Promise<void> {
  const [there, here] = [await contentOf(original), await contentOf(copy)]
  for (const name of new Set([...there.keys(), ...here.keys()]))
    tally.count(there.get(name) === here.get(name) ? undefined : `${name} is ${here.get(name)}, and was ${there.get(name)}`, again)
}

export const backups: Part = { name: 'backups', run }
