/**
 * Databases for tests: every test file gets its own, a copy of one that was migrated once, on one server for the whole run. The run's global
 * setup (setup.ts) starts that server; a file that runs alone starts its own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { type Database, openDatabase } from '../src/db/connection.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { preparedDatabase } from '../src/setup/prepared_database.ts'
import { atEnd } from './at_end.ts'

/** The environment variable by which the global setup names the run's server to the test processes. */
export const serverVariable = 'INGOT_TEST_SERVER'

const template = 'ingot_template'
const log = pino({ level: 'error' })

export type TestServer = { url: string; stop(): Promise<void> }

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
    // Statistics that are gathered whenever the server has time would change plans from one run to the next.
    await administer(server.url, 'alter system set autovacuum = off')
    await administer(server.url, 'select pg_reload_conf()')
    // Nobody may be connected to the database that is copied.
    await administer(urlOf(server.url, 'template1'), `create database ${template} template ingot`)
    await migrate({ url: urlOf(server.url, template), log })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: server.url, stop }
}

/**
 * The address of a fresh, migrated database. To be called at the top of a test file: the database is dropped after the file's tests (called
 * first within a test, after that test).
 */
export const testDatabaseUrl = (): Promise<string> => createDatabase(template)

/** The same without any migration. */
export const emptyDatabaseUrl = (): Promise<string> => createDatabase('template1')

async function createDatabase(source: string): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: the way from the test runner to its processes
  const server = process.env[serverVariable] ?? (await ownServer())
  const name = `test_${randomBytes(6).toString('hex')}`
  // Twice as fast as the other strategy on a server that never waits for the disk.
  await administer(server, `create database ${name} template ${source} strategy file_copy`)
  atEnd(() => administer(server, `drop database ${name} with (force)`))
  return urlOf(server, name)
}

/** The same as an open database, which is closed before it is dropped. */
export async function testDatabase(): Promise<Database> {
  const database = await openDatabase({ url: await testDatabaseUrl(), poolSize: 10, log })
  atEnd(() => database.close())
  return database
}

let own: TestServer | undefined

async function ownServer(): Promise<string> {
  if (!own) {
    own = await startTestServer()
    const { stop } = own
    atEnd(async () => {
      own = undefined
      await stop()
    })
  }
  return own.url
}

/** The address of another database of the same server. */
function urlOf(server: string, name: string): string {
  return server.replace(/\/[^/?]*\?/, `/${name}?`)
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
