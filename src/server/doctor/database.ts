/** The database, and the store of files whose rows it has. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Config, places } from '../../platform/config.ts'
import { type Database, openDatabase } from '../../platform/db/connection.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { runningServerUrl } from '../../platform/db/embedded/running.ts'
import type { Log } from '../../platform/db/log.ts'
import { Secrets } from '../../platform/kernel/secrets.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import { connectionsOf } from '../setup/connections.ts'
import { assertKeyFits, loadInstanceKeys } from '../setup/instance_key.ts'
import { type Finding, type Found, looked, ok, warning, wrong } from './finding.ts'

/** Milliseconds by which the clocks of this machine and of the database may differ: tokens, leases and sessions end by either. */
const SKEW = { noticed: 2_000, wrong: 60_000 } as const

/** Does the key open what the database has sealed? Nothing is said of a database that no start has used. */
async function checkKey({ db }: Database, config: Config): Promise<Finding[]> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('public.signing_keys') is not null as found`.execute(db)
  if (!rows[0]?.found) return []
  const file = places(config).secretKey
  const look = async (): Promise<Found> => {
    if (!config.secretKey && !existsSync(file)) {
      const made = await db.selectFrom('signing_keys').select('id').limit(1).executeTakeFirst()
      return made ? wrong(`${file} is not there`, KEY_REMEDY) : ok('made by the first start')
    }
    const [key, ...former] = await loadInstanceKeys(config)
    await assertKeyFits(db, new Secrets(key, former), config, false)
    return ok('it opens what the database has sealed')
  }
  return [await looked('Key of the database', KEY_REMEDY, look)]
}

const KEY_REMEDY = 'Name the data folder of the instance, restore its secret.key from a backup, or set INGOT_SECRET_KEY'

/**
 * Looks at the database and at the store. An embedded database is started for a moment, unless it runs; one that was never made stays that.
 */
export async function checkStorage(config: Config, log: Log): Promise<Finding[]> {
  const opened = new AsyncDisposableStack()
  let database: Database | undefined
  const findings: Finding[] = []
  try {
    findings.push(
      await looked('Database', databaseRemedy(config), async () => {
        const url = await urlOf(config, opened, log)
        if (url === undefined) return ok('embedded, made by the first start')
        database = await openDatabase({ url, poolSize: 4, log })
        opened.defer(() => (database as Database).close())
        return describe(database, config)
      }),
    )
    if (database && config.databaseUrl) findings.push(await checkClock(database))
    if (database) findings.push(...(await checkKey(database, config)))
    findings.push(...(await checkStore(config, database)))
  } finally {
    await opened.disposeAsync()
  }
  return findings
}

const databaseRemedy = ({ databaseUrl }: Config): string =>
  databaseUrl
    ? 'Check DATABASE_URL, and whether the server runs and lets this machine in'
    : 'Look at the data folder, and at the log of a start with --log-level info'

async function urlOf(config: Config, opened: AsyncDisposableStack, log: Log): Promise<string | undefined> {
  if (config.databaseUrl) return config.databaseUrl.reveal()
  if (!(await stat(places(config).database).catch(() => undefined))) return undefined
  const running = await runningServerUrl(config.dataDir)
  if (running) return running
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  opened.defer(embedded.stop)
  return embedded.url
}

interface Described {
  readonly version: string
  readonly may_create: boolean
  readonly most: number
  readonly replica: boolean
}

/** `openDatabase` has checked version, encoding and settings. */
async function describe({ db }: Database, config: Config): Promise<Found> {
  const { rows } = await sql<Described>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most,
           has_schema_privilege(current_schema(), 'create') as may_create, pg_is_in_recovery() as replica`.execute(db)
  const { version, may_create, most, replica } = rows[0] as Described
  if (replica) return wrong(`PostgreSQL ${version} is a replica, which takes no writes`, 'Let DATABASE_URL lead to the primary server')
  if (!may_create)
    return wrong('its user may make no tables', 'Make the user of DATABASE_URL the owner of the database: alter database … owner to …')
  const { databaseUrl } = config
  const wanted = connectionsOf(config)
  if (databaseUrl && wanted > most) return warning(`it takes ${most} connections, and Ingot wants up to ${wanted}`, 'Raise max_connections')
  return ok(`${databaseUrl ? '' : 'embedded, '}PostgreSQL ${version}`)
}

const checkClock = ({ db }: Database): Promise<Finding> =>
  looked('Clock', 'Let both machines set their clocks by NTP', async () => {
    const before = Date.now()
    const { rows } = await sql<{ now: string }>`select (extract(epoch from clock_timestamp()) * 1000)::text as now`.execute(db)
    const between = (before + Date.now()) / 2
    const skew = Math.abs(Number(rows[0]?.now) - between)
    const says = `the clock of the database differs by ${(skew / 1000).toFixed(1)} s`
    if (skew > SKEW.wrong) return wrong(says, 'Let both machines set their clocks by NTP')
    return skew > SKEW.noticed ? warning(says, 'Let both machines set their clocks by NTP') : ok(says)
  })

/** Rows of the newest objects that are looked for in the store. */
const SAMPLE = 20

async function checkStore(config: Config, database: Database | undefined): Promise<Finding[]> {
  const where = config.objectStore ? `bucket ${config.objectStore.bucket} at ${config.objectStore.endpoint}` : places(config).objects
  const isThere = await stat(config.dataDir).catch(() => undefined)
  if (!config.objectStore && !isThere) return [{ check: 'Object store', ...ok(`${where} is made by the first start`) }]
  let store: ObjectStore | undefined
  try {
    store = await openObjectStore(config)
    const open = store
    const usable = await looked('Object store', 'Check INGOT_OBJECT_STORE, and what its key may do', () => tryStore(open, where))
    if (usable.outcome !== 'ok' || !database) return [usable]
    return [usable, await looked('Files', 'Check the object store', () => findFiles(open, database as Database))]
  } finally {
    await store?.close()
  }
}

async function tryStore(store: ObjectStore, where: string): Promise<Found> {
  await store.check()
  const said = Buffer.from('ingot doctor')
  const { key } = await store.put(Readable.from([said]))
  try {
    if (!(await buffer(await store.read(key))).equals(said))
      return wrong(`${where} gives back other bytes than it was given`, 'Use another store')
  } finally {
    await store.delete([key])
  }
  if ((await store.sizeOf(key)) !== undefined) return wrong(`${where} deletes nothing`, 'Let the key delete objects')
  return ok(`${where}: written, read and deleted`)
}

/** Are the newest files where the settings say? Before the first start there is no table. */
async function findFiles(store: ObjectStore, { db }: Database): Promise<Found> {
  const { rows: tables } = await sql<{ exists: boolean }>`select to_regclass('stored_objects') is not null as exists`.execute(db)
  if (!tables[0]?.exists) return ok('none yet')
  const rows = await db.selectFrom('stored_objects').select(['key', 'size']).orderBy('id', 'desc').limit(SAMPLE).execute()
  const sizes = await Promise.all(rows.map(({ key }) => store.sizeOf(key)))
  const lost = rows.filter(({ size }, at) => sizes[at] !== size).length
  return lost === 0
    ? ok(`the newest ${rows.length} are in the store`)
    : wrong(
        `${lost} of the newest ${rows.length} are not in the store`,
        'If they are in another one, bring them here: ingot objects move. Else restore them from a backup',
      )
}
