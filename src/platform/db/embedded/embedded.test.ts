import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Embedded, EmbeddedError, type EmbeddedOptions, packEmbedded, startEmbedded } from './embedded.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0

/** A data directory for one test, accessible to the user that the server runs as under root; removed after the test. */
async function makeDir(mode = 0o755): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ingot-test-embedded-'))
  await chmod(dir, mode)
  atEnd(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A data directory with a prepared cluster, which saves running initdb. */
async function makeDataDir(): Promise<string> {
  const dir = await makeDir()
  await execute('cp', ['-a', join(readyMade, 'postgresql'), dir])
  return dir
}

const execute = promisify(execFile)
let readyMade: string
before(async () => {
  readyMade = await mkdtemp(join(tmpdir(), 'ingot-test-embedded-'))
  const embedded = await startEmbedded({ dataDir: readyMade, log })
  await embedded.stop()
})
after(() => rm(readyMade, { recursive: true }))

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log, ...options })
  atEnd(() => embedded.stop())
  return embedded
}

/** Runs one statement on its own connection. */
async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  // A server killed under the client shows as the statement's failure.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

type Elsewhere = { ingot: ChildProcess; url?: string; pid?: number; refused?: string }

/** Another Ingot as a process that can be killed. It starts the database and prints its address, or why it was refused. */
async function tryElsewhere(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<Elsewhere> {
  const source = `
    import pino from ${JSON.stringify(import.meta.resolve('pino'))}
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))}
    const answer = await startEmbedded({ ...${JSON.stringify({ dataDir, ...options })}, log: pino({ level: 'silent' }) }).then(
      ({ url, pid }) => ({ url, pid }),
      error => ({ refused: error.message }),
    )
    console.log(JSON.stringify(answer))
    setInterval(() => {}, 1000)`
  const ingot = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let answer: Omit<Elsewhere, 'ingot'> = {}
  atEnd(async () => {
    ingot.kill('SIGKILL')
    // Its server stops by itself, and until then files may still appear. A refused one has no server, and another Ingot's may be running.
    if (!answer.refused) await eventually(() => !existsSync(join(dataDir, 'postgresql', '18', 'postmaster.pid')), 'the database to be gone')
  })
  const [line] = await once(createInterface(ingot.stdout), 'line')
  answer = JSON.parse(line)
  return { ingot, ...answer }
}

async function startElsewhere(dataDir: string): Promise<Required<Omit<Elsewhere, 'refused'>>> {
  const { ingot, url, pid, refused } = await tryElsewhere(dataDir)
  if (!url || !pid) throw new Error(refused)
  return { ingot, url, pid }
}

/** The guard process that serves the address. */
async function guardOf(url: string): Promise<number> {
  return (await guardProcess(url)).pid
}

/** The pid of the guard of a server, and the words of its command line. */
async function guardProcess(url: string): Promise<{ readonly pid: number; readonly words: readonly string[] }> {
  const socketDir = new URL(url.replace('@/', '@localhost/')).searchParams.get('host')!
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const words = await readFile(`/proc/${entry}/cmdline`, 'utf8').then(
      text => text.split('\0'),
      (): string[] => [],
    )
    if (words.includes('ingot-database-guard') && words.includes(socketDir)) return { pid: Number(entry), words }
  }
  throw new Error(`no guard for ${socketDir}`)
}

test('the first start makes a UTF-8 cluster with checksums, durable writes, the extensions and no network port', async () => {
  const { url } = await start(await makeDir())
  await query(url, 'create extension pg_trgm; create extension btree_gin; create extension citext')
  const names = ['server_encoding', 'data_checksums', 'fsync', 'synchronous_commit', 'autovacuum', 'listen_addresses', 'jit', 'TimeZone']
  const [settings] = await query(url, `select ${names.map(name => `current_setting('${name}') as "${name}"`).join(', ')}`)
  assert.deepEqual(settings, {
    server_encoding: 'UTF8',
    data_checksums: 'on',
    fsync: 'on',
    synchronous_commit: 'on',
    autovacuum: 'on',
    listen_addresses: '',
    jit: 'off',
    TimeZone: 'UTC',
  })
})

test('a stopped server is gone with its socket, and its data are there at the next start', async () => {
  const dataDir = await makeDataDir()
  const first = await startEmbedded({ dataDir, log })
  await query(first.url, 'create table kept as select 42 as value')
  await first.stop()
  assert.equal(isAlive(first.pid), false)
  assert.equal(await first.exited, null)
  await assert.rejects(query(first.url, 'select 1'), { code: 'ENOENT' })

  const second = await start(dataDir)
  assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 42 }])
})

test('the server follows an Ingot that is killed, and the next Ingot finds what was committed', async () => {
  const dataDir = await makeDataDir()
  const { ingot, url, pid } = await startElsewhere(dataDir)
  await query(url, 'create table kept as select 42 as value')
  ingot.kill('SIGKILL')
  await eventually(() => !isAlive(pid), 'the database to end')

  const next = await start(dataDir)
  assert.deepEqual(await query(next.url, 'select value from kept'), [{ value: 42 }])
})

test('an Ingot started immediately after the killed one waits for the old server', async () => {
  const dataDir = await makeDataDir()
  const { ingot, pid } = await startElsewhere(dataDir)
  ingot.kill('SIGKILL')
  await once(ingot, 'exit')

  const next = await start(dataDir)
  await eventually(() => !isAlive(pid), 'the database to end')
  assert.deepEqual(await query(next.url, 'select 1 as one'), [{ one: 1 }])
})

test('an Ingot recovers after itself and its server were killed together', async () => {
  const dataDir = await makeDataDir()
  const { ingot, url, pid } = await startElsewhere(dataDir)
  await query(url, 'create table kept as select 42 as value')
  process.kill(pid, 'SIGKILL')
  ingot.kill('SIGKILL')
  await eventually(() => !isAlive(pid), 'the database to end')

  const next = await start(dataDir)
  assert.deepEqual(await query(next.url, 'select value from kept'), [{ value: 42 }])
})

test('a server orphaned by the death of both Ingot and guard is stopped by the next Ingot', async () => {
  const dataDir = await makeDataDir()
  const { ingot, url, pid } = await startElsewhere(dataDir)
  const guard = await guardOf(url)
  // All are stopped first: no guard may be replaced or act before all are dead.
  ingot.kill('SIGSTOP')
  process.kill(guard, 'SIGKILL')
  ingot.kill('SIGKILL')
  await once(ingot, 'exit')
  assert.equal(isAlive(pid), true)

  const next = await start(dataDir)
  await eventually(() => !isAlive(pid), 'the database to end')
  assert.deepEqual(await query(next.url, 'select 1 as one'), [{ one: 1 }])
})

test('a killed guard is replaced, and the new one does its work', async () => {
  const { ingot, url, pid } = await startElsewhere(await makeDataDir())
  const first = await guardOf(url)
  process.kill(first, 'SIGKILL')
  await eventually(async () => (await guardOf(url).catch(() => first)) !== first, 'another guard')
  // From its start, and not by what Ingot writes later: that may come no more.
  const { words } = await guardProcess(url)
  assert.equal(words.includes(String(pid)), true)

  ingot.kill('SIGKILL')
  await eventually(() => !isAlive(pid), 'the database to end')
})

test('a killed server is started again at the same address, and a pool reconnects', async () => {
  const embedded = await start(await makeDataDir())
  const pool = new pg.Pool({ connectionString: embedded.url })
  const broken = Promise.withResolvers<void>()
  pool.on('error', () => broken.resolve())
  atEnd(() => pool.end())
  await pool.query('create table kept as select 42 as value')
  const killed = embedded.pid
  process.kill(killed, 'SIGKILL')
  await broken.promise
  await eventually(() => embedded.pid !== killed, 'another database')

  assert.deepEqual((await pool.query('select value from kept')).rows, [{ value: 42 }])
})

test('stopping in the middle of a restart leaves no server', async () => {
  const dataDir = await makeDataDir()
  const embedded = await start(dataDir)
  process.kill(embedded.pid, 'SIGKILL')
  await eventually(() => !isAlive(embedded.pid), 'the database to end')
  await embedded.stop()
  assert.equal(await embedded.exited, null)
  const successor = await start(dataDir)
  assert.deepEqual(await query(successor.url, 'select 1 as one'), [{ one: 1 }])
})

test('a server that keeps dying is not restarted for ever, and the reason is reported', async () => {
  const embedded = await start(await makeDataDir(), { isEphemeral: true })
  for (let kills = 0; kills <= 5; kills++) {
    const killed = embedded.pid
    process.kill(killed, 'SIGKILL')
    if (kills < 5) await eventually(() => embedded.pid !== killed, 'another database')
  }

  const reason = await embedded.exited
  assert.ok(reason instanceof EmbeddedError)
  assert.match(reason.message, /SIGKILL/)
})

test('a second Ingot on the same data directory is refused immediately', async () => {
  const dataDir = await makeDataDir()
  const { pid } = await start(dataDir)

  await assert.rejects(startEmbedded({ dataDir, log }), (error: Error) => {
    assert.ok(error instanceof EmbeddedError)
    assert.match(error.message, new RegExp(`^Another Ingot is using .*${pid}.*INGOT_DATA_DIR$`))
    return true
  })
  assert.equal(isAlive(pid), true)
})

test('a copy of the data of a running Ingot starts, and leaves the original its sockets', async () => {
  const dataDir = await makeDataDir()
  const { url } = await start(dataDir)
  const copy = await makeDir()
  await execute('cp', ['-a', join(dataDir, 'postgresql'), copy])

  const second = await start(copy)

  assert.deepEqual([await query(url, 'select 1 as one'), await query(second.url, 'select 2 as two')], [[{ one: 1 }], [{ two: 2 }]])
})

test('of two Ingots started at the same moment on a new data directory one runs and the other is refused', async () => {
  const dataDir = await makeDir()
  const outcomes = await Promise.all([tryElsewhere(dataDir), tryElsewhere(dataDir)])
  assert.equal(outcomes.filter(outcome => outcome.pid && isAlive(outcome.pid)).length, 1)
  assert.match(outcomes.find(outcome => outcome.refused)!.refused!, /^Another Ingot is using/)
})

test('an ephemeral database leaves nothing behind, neither stopped nor killed', async () => {
  const dataDir = await makeDir()
  const embedded = await startEmbedded({ dataDir, log, isEphemeral: true })
  await embedded.stop()
  assert.deepEqual(await readdir(dataDir), [])

  const killed = await tryElsewhere(dataDir, { isEphemeral: true })
  killed.ingot.kill('SIGKILL')
  await eventually(async () => (await readdir(join(dataDir, 'postgresql'))).length === 0, 'an empty directory')
})

test('a database starts from an archive of a cluster', async () => {
  const source = await makeDataDir()
  const first = await startEmbedded({ dataDir: source, log })
  await query(first.url, 'create table kept as select 1 as one')
  await first.stop()
  const archive = join(await makeDir(), 'database.tar')
  await packEmbedded({ dataDir: source, log }, archive)

  const second = await start(await makeDir(), { isEphemeral: true, prepared: archive })
  const third = await start(await makeDir(), { isEphemeral: true, prepared: archive })
  await query(second.url, 'drop table kept')
  assert.deepEqual(await query(third.url, 'select * from kept'), [{ one: 1 }])
})

test('a truncated archive is refused, and an incomplete cluster is not used', async () => {
  const archive = join(await makeDir(), 'database.tar')
  await packEmbedded({ dataDir: readyMade, log }, archive)
  await truncate(archive, 1_000_000)
  const dataDir = await makeDir()

  await assert.rejects(startEmbedded({ dataDir, log, isEphemeral: true, prepared: archive }), EmbeddedError)
  assert.equal((await readdir(join(dataDir, 'postgresql'))).includes('18'), false)
})

test('an incomplete cluster is not used', async () => {
  const dataDir = await makeDataDir()
  const home = join(dataDir, 'postgresql')
  await rm(join(home, '18'), { recursive: true })
  await mkdir(join(home, '18.new-123'))
  await writeFile(join(home, '18.new-123', 'PG_VERSION'), '18\n')

  const { url } = await start(dataDir)
  assert.deepEqual(await query(url, 'select current_database() as name'), [{ name: 'ingot' }])
  assert.deepEqual(await readdir(home), ['18', 'owner'])
})

test('a stale process file does not prevent the start, even if the pid is in use again', async () => {
  const dataDir = await makeDataDir()
  const stale = [process.pid, '/nowhere', 1_700_000_000, 5432, '/tmp/ingot-gone', '', '1 2', 'ready'].join('\n')
  await writeFile(join(dataDir, 'postgresql', '18', 'postmaster.pid'), `${stale}\n`)

  const { url } = await start(dataDir)
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
})

test('data of another major version are refused and left alone', async () => {
  const dataDir = await makeDir()
  await mkdir(join(dataDir, 'postgresql', '17'), { recursive: true })

  await assert.rejects(startEmbedded({ dataDir, log }), { name: 'EmbeddedError', message: /PostgreSQL 17, this Ingot brings 18/ })
  assert.deepEqual(await readdir(join(dataDir, 'postgresql')), ['17'])
})

test('a data directory with a long path works', async () => {
  const { url } = await start(join(await makeDir(), 'long'.repeat(30), 'path'.repeat(30)), { isEphemeral: true })
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
})

test('below a private home, root keeps the data in the shelter directory and finds them again', {
  skip: !isRoot && 'needs root',
}, async () => {
  const home = await makeDir(0o700)
  const shelter = join(await makeDir(), 'ingot')
  const dataDir = join(home, 'data')
  const first = await startEmbedded({ dataDir, log, shelter })
  await query(first.url, 'create table kept as select 42 as value')
  await first.stop()
  assert.equal((await readdir(shelter)).filter(name => name.startsWith('data-')).length, 1)

  const second = await start(dataDir, { shelter })
  assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 42 }])
})

test('below a private home, root moves data that were put back from a backup behind a link again', {
  skip: !isRoot && 'needs root',
}, async () => {
  const home = await makeDir(0o700)
  const shelter = join(await makeDir(), 'ingot')
  const dataDir = join(home, 'data')
  const first = await startEmbedded({ dataDir, log, shelter })
  await query(first.url, 'create table kept as select 42 as value')
  await first.stop()
  await execute('cp', ['-aL', dataDir, join(home, 'backup')])
  // A copy of an Ingot that runs, or was killed, has this too.
  await writeFile(join(home, 'backup', 'postgresql', 'owner'), `${join(dataDir, 'postgresql', '18')}\n/nowhere\n`)
  await execute('mv', [dataDir, join(home, 'data-broken')])
  await execute('cp', ['-a', join(home, 'backup'), dataDir])

  const restored = await start(dataDir, { shelter })

  assert.deepEqual(await query(restored.url, 'select value from kept'), [{ value: 42 }])
  assert.ok((await lstat(join(dataDir, 'postgresql'))).isSymbolicLink())
  assert.deepEqual(await readdir(dataDir), ['postgresql'])
  assert.equal((await readdir(shelter)).filter(name => name.startsWith('data-')).length, 2, 'the broken data keep theirs')
})

test('a move behind a link that a crash interrupted is finished by the next start', { skip: !isRoot && 'needs root' }, async () => {
  const dataDir = join(await makeDir(0o700), 'data')
  const shelter = join(await makeDir(), 'ingot')
  await mkdir(dataDir)
  await execute('cp', ['-a', join(readyMade, 'postgresql'), join(dataDir, 'postgresql.moved')])

  await start(dataDir, { shelter })

  assert.ok((await lstat(join(dataDir, 'postgresql'))).isSymbolicLink())
  assert.deepEqual(await readdir(dataDir), ['postgresql'])
})
