import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { atEnd } from '../../../../test/at_end.ts'
import { type Embedded, startEmbedded } from './embedded.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-test-account-'))
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function start(dataDir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log })
  atEnd(() => embedded.stop())
  return embedded
}

/** Runs a program of the system as another user and returns its exit code. */
const runAs = (uid: number, gid: number, program: string, ...args: string[]) =>
  spawnSync(program, args, { uid, gid, cwd: '/', stdio: 'ignore' }).status

const socketDirOf = ({ url }: Embedded): string =>
  new URL(url.replace('postgres:', 'http:').replace('@/', '@x/')).searchParams.get('host') as string

describe('under root', { skip: !isRoot && 'needs root' }, () => {
  test('a process of `nobody` reaches neither the files of the database, nor its socket, nor its process', async () => {
    const dataDir = await newDataDir()
    const embedded = await start(dataDir)
    const [socketDir, cluster] = [socketDirOf(embedded), join(dataDir, 'postgresql')]

    const reached = [
      ['ls', socketDir],
      ['ls', cluster],
      ['cat', join(cluster, '18', 'PG_VERSION')],
      ['sh', '-c', `: < ${socketDir}/.s.PGSQL.5432 || [ -S ${socketDir}/.s.PGSQL.5432 ]`],
      ['ls', '-l', `/proc/${embedded.pid}/cwd/`],
      ['kill', '-0', String(embedded.pid)],
    ].filter(([program = '', ...args]) => runAs(NOBODY, NOBODY, program, ...args) === 0)

    assert.deepEqual(reached, [])
    const { uid, gid } = await stat(join(cluster, '18', 'PG_VERSION'))
    assert.ok(![0, NOBODY].includes(uid) && ![0, NOBODY].includes(gid), `${uid}:${gid}`)
  })

  test('the files of a database that ran as `nobody` are given to the user of its own', async () => {
    const dataDir = await newDataDir()
    const first = await startEmbedded({ dataDir, log })
    await first.stop()
    const cluster = join(dataDir, 'postgresql')
    for (const entry of ['.', ...(await readdir(cluster, { recursive: true }))]) await chown(join(cluster, entry), NOBODY, NOBODY)
    await chown(dataDir, 0, NOBODY)
    await chmod(dataDir, 0o710)

    const { url } = await start(dataDir)

    const client = new pg.Client(url)
    await client.connect()
    assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
    await client.end()
    const owners = await Promise.all(
      (await readdir(cluster, { recursive: true })).map(async entry => (await stat(join(cluster, entry)).catch(() => undefined))?.uid),
    )
    assert.ok(!owners.includes(NOBODY))
    assert.notEqual(runAs(NOBODY, NOBODY, 'ls', cluster), 0)
  })
})
