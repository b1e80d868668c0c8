/** What a server holds: memory, files, processes, connections, dead rows. */
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { parseConfig } from '../../src/platform/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { type Instance, openInstance } from '../../src/server/setup/instance.ts'
import type { Victim } from '../victim.ts'

export interface Measure {
  /** Memory of the server's process that is not of files. */
  readonly megabytes: number
  /** Files and sockets that it has open. */
  readonly handles: number
  /** Processes that it, or one of these, has started. */
  readonly children: number
  /** Connections to its database, of all who have some. */
  readonly connections: number
  /** Of all tables together, beyond a fifth of their rows: the database cleans a table up when it has as many. */
  readonly deadRows: number
}

/** The parent of a process; undefined for one that has ended. */
async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** Processes below a process, at any depth. */
async function countBelow(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const parents = new Map(await Promise.all(pids.map(async each => [each, await parentOf(each)] as const)))
  const isBelow = (each: number | undefined): boolean => each !== undefined && (each === pid || isBelow(parents.get(each)))
  return pids.filter(each => each !== pid && isBelow(each)).length
}

export class Measuring {
  readonly #victim: Victim
  readonly #instance: Instance

  private constructor(victim: Victim, instance: Instance) {
    this.#victim = victim
    this.#instance = instance
  }

  /** Asks the database of the server over connections of its own, which stay the same. */
  static async start(victim: Victim): Promise<Measuring> {
    const config = parseConfig({ INGOT_DATA_DIR: victim.dataDir, INGOT_DATABASE_POOL_SIZE: '4' }, {}, {})
    return new Measuring(victim, await openInstance({ config, log: openLog('error'), shared: true, existing: true, asItIs: true }))
  }

  async take(): Promise<Measure> {
    const { pid } = this.#victim.running
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const { rows } = await sql<{ connections: number; dead_rows: number }>`
      select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
        (select coalesce(sum(greatest(0, n_dead_tup - n_live_tup / 5)), 0)::int from pg_stat_user_tables) as dead_rows`.execute(
      this.#instance.deps.database.db,
    )
    const [counted] = rows as [(typeof rows)[number]]
    return {
      megabytes: Math.round(Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1024),
      handles: (await readdir(`/proc/${pid}/fd`)).length,
      children: await countBelow(pid),
      connections: counted.connections,
      deadRows: counted.dead_rows,
    }
  }

  async stop(): Promise<void> {
    await this.#instance.close()
  }
}
