/** What judges an instance as a whole: `ingot check`, git, the sweepers, and numbers that are counted on. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { reconcileReferences } from '../../src/code/ref_updates/reconcile.ts'
import { sweepRepositories } from '../../src/code/repository/lifecycle/removal.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { dropUnusedObjects, sweepObjects } from '../../src/platform/object_store/unused.ts'
import type { Finding } from '../../src/server/doctor/finding.ts'
import { openInstance } from '../../src/server/setup/instance.ts'
import type { Tally } from '../part.ts'
import type { Victim } from '../victim.ts'

/** `ingot check`, while the instance is used or after it was stopped. */
export async function judgeByCheck(victim: Victim, tally: Tally, again: string): Promise<void> {
  const { stdout, stderr } = await victim.command('check', '--json', '--digests')
  if (!stdout) return tally.count(`ingot check ended: ${stderr}`, again)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  for (const { check, outcome, says } of findings) tally.count(outcome === 'ok' ? undefined : `${check}: ${says}`, again)
}

/** `git fsck --strict` of every repository. */
export async function judgeByGit(victim: Victim, tally: Tally, again: string): Promise<void> {
  for (const repository of await victim.repositories()) {
    const said = await victim.git(repository, '-c', 'safe.directory=*', 'fsck', '--strict', '--no-dangling', '--no-progress').catch(String)
    tally.count(said.trim() === '' ? undefined : `${repository}: ${said.trim().slice(0, 500)}`, again)
  }
}

const DAYS = 3 * 24 * 60 * 60 * 1000

/**
 * The sweepers, on a stopped instance, three days later: afterwards the store has exactly the files of rows that are named, and no repository
 * is without an owner. Lock files that outlived their writers would stop the next ones.
 */
export async function judgeBySweepers(victim: Victim, tally: Tally, again: string): Promise<void> {
  const locks = await Promise.all((await victim.repositories()).map(lockFiles))
  for (const lock of locks.flat()) tally.fail(`${lock} was left behind`, again)
  const config = parseConfig({ INGOT_DATA_DIR: victim.dataDir }, {}, {})
  const instance = await openInstance({ config, log: openLog('error') })
  try {
    const later = { ...instance.deps, now: () => new Date(Date.now() + DAYS) }
    await reconcileReferences(later)
    await dropUnusedObjects(later)
    await sweepObjects(later)
    await sweepRepositories(later)
    const { rows } = await sql<{ key: string }>`select key from stored_objects`.execute(later.database.db)
    const named = new Set(rows.map(({ key }) => key))
    for await (const { key } of later.objects.list()) {
      tally.count(named.delete(key) ? undefined : `${key} is a file without a row`, again)
    }
    for (const key of named) tally.fail(`${key} is a row without a file`, again)
    const { rows: unfinished } = await sql<{ count: number }>`select count(*)::int as count from reference_intents`.execute(
      later.database.db,
    )
    if (unfinished[0]!.count > 0) tally.fail(`${unfinished[0]!.count} moves of references are not settled`, again)
  } finally {
    await instance.close()
  }
}

async function lockFiles(repository: string): Promise<string[]> {
  const names = await readdir(repository, { recursive: true })
  return names.filter(name => name.endsWith('.lock')).map(name => join(repository, name))
}

/** Numbers of issues have no gap but those of deleted ones, and none is there twice. */
export async function judgeNumbers(victim: Victim, project: number, tally: Tally, again: string): Promise<void> {
  for (const noun of ['issues', 'merge_requests'] as const) {
    const rows = await victim.all<{ iid: number }>(`/projects/${project}/${noun}?state=all&scope=all`)
    const iids = rows.map(({ iid }) => iid)
    tally.count(new Set(iids).size === iids.length ? undefined : `${noun} of project ${project} have a number twice`, again)
  }
  const stuck = await victim.all<{ iid: number }>(`/projects/${project}/merge_requests?state=locked&scope=all`)
  tally.count(stuck.length === 0 ? undefined : `merge requests ${stuck.map(({ iid }) => iid)} are locked`, again)
}
