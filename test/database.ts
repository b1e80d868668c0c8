/**
 * Databases for tests: copies of one that was migrated once, on one server for the whole run. Scenes use theirs one after the other
 * (kept_databases.ts). The run's global setup (setup.ts) starts the server; a file that runs alone starts its own.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrating/migrate.ts'
import { preparedDatabase } from '../src/server/setup/prepared_database.ts'
import { atEnd } from './at_end.ts'

/** The environment variables by which the global setup names the run's server and its folder to the test processes. */
export const serverVariable = 'INGOT_TEST_SERVER'
export const folderVariable = 'INGOT_TEST_FOLDER'

const template = 'ingot_template'
const log = pino({ level: 'error' })

/** What the files of a run share. */
type Shared = {
  readonly url: string
  /** For what belongs to databases and is not in them; removed with the server. */
  readonly folder: string
}

export type TestServer = Shared & { stop(): Promise<void> }

/** Starts a server that forgets everything when it stops, with the migrated template. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-test-'))
  const prepared = await preparedDatabase(log)
  const server = await startEmbedded({ dataDir, log, isEphemeral: true, prepared })
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
  try {
    // Nobody may be connected to the database that is copied.
    await connected(urlOf(server.url, 'template1'), async client => {
      // Statistics that are gathered whenever the server has time would change plans from one run to the next.
      await client.query('alter system set autovacuum = off')
      await client.query('select pg_reload_conf()')
      await client.query(`create database ${template} template ingot`)
    })
    await migrate({ url: urlOf(server.url, template), log })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: server.url, folder: dataDir, stop }
}

/** The address of a fresh, migrated database, which is there until the server ends. */
export const testDatabaseUrl = (): Promise<string> => createDatabase(template)

/** The same without any migration. */
export const emptyDatabaseUrl = (): Promise<string> => createDatabase('template1')

/**
 * The address of a copy of a database that is made once in a run: the first who needs it makes it, and the others wait. When making it fails,
 * the next one tries.
 * @param make fills a migrated database, and a folder with what belongs to it, and closes its connections
 * @returns the copy, and that same folder, which is only to be read
 */
export async function copyOfOnce(
  name: string,
  make: (databaseUrl: string, folder: string) => Promise<void>,
): Promise<{ databaseUrl: string; folder: string }> {
  const server = await sharedServer()
  const folder = join(server.folder, name)
  await connected(server.url, async client => {
    // Until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const making = nameOfOwn()
    await client.query(creation(making, template))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await make(urlOf(server.url, making), folder)
    await client.query(`alter database ${making} rename to ${name}`)
  })
  return { databaseUrl: await createDatabase(name), folder }
}

/**
 * None is dropped before the server's folder goes: where files have been deleted, the file system takes many times as long to make new ones,
 * and a database is 1,400 files.
 */
async function createDatabase(source: string): Promise<string> {
  const { url } = await sharedServer()
  const name = nameOfOwn()
  await connected(url, client => client.query(creation(name, source)))
  return urlOf(url, name)
}

const nameOfOwn = (): string => `test_${randomBytes(6).toString('hex')}`

/** Twice as fast as with the other strategy on a server that never waits for the disk. */
const creation = (name: string, source: string): string => `create database ${name} template ${source} strategy file_copy`

/** The same as an open database, which is closed before it is dropped. */
export async function testDatabase(): Promise<Database> {
  const database = await openDatabase({ url: await testDatabaseUrl(), poolSize: 10, log })
  atEnd(() => database.close())
  return database
}

async function sharedServer(): Promise<Shared> {
  // biome-ignore lint/style/noProcessEnv: the way from the test runner to its processes
  const { [serverVariable]: url, [folderVariable]: folder } = process.env
  return url !== undefined && folder !== undefined ? { url, folder } : ownServer()
}

let own: Promise<TestServer> | undefined

function ownServer(): Promise<TestServer> {
  own ??= startTestServer().then(server => {
    atEnd(async () => {
      own = undefined
      await server.stop()
    })
    return server
  })
  return own
}

/** The address of another database of the same server. */
function urlOf(server: string, name: string): string {
  return server.replace(/\/[^/?]*\?/, `/${name}?`)
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
