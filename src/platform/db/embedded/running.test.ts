/** What programs find that want to share the server of another Ingot. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { EmbeddedError, startEmbedded } from './embedded.ts'
import { isAlive, ownerSocket, recordOwner } from './pidfile.ts'
import { runningServerUrl } from './running.ts'

const log = pino({ level: 'silent' })

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ingot-test-running-'))
  await chmod(dir, 0o755)
  atEnd(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function one(url: string): Promise<unknown> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query('select 1 as one')).rows[0]?.one
  } finally {
    await client.end()
  }
}

const dataDir = await makeDir()
const embedded = await startEmbedded({ dataDir, log })
atEnd(() => embedded.stop())
const [version = ''] = await promisify(execFile)('ls', [join(dataDir, 'postgresql')]).then(({ stdout }) =>
  stdout.split('\n').filter(name => /^\d+$/.test(name)),
)
const pidFile = (dir: string) => join(dir, 'postgresql', version, 'postmaster.pid')

test('a server that has died, and that its Ingot starts again, is waited for', async () => {
  const killed = embedded.pid
  process.kill(killed, 'SIGKILL')
  await eventually(() => !isAlive(killed), 'the database to end')

  const url = await runningServerUrl(dataDir)

  assert.equal(url, embedded.url)
  assert.equal(await one(url!), 1)
})

test('the server of the original is not that of a copy', async () => {
  const copy = await makeDir()
  await promisify(execFile)('cp', ['-a', join(dataDir, 'postgresql'), copy])

  assert.equal(await runningServerUrl(copy), undefined)
  assert.equal(await runningServerUrl(dataDir), embedded.url)
})

test('no second server is started on the data of an Ingot whose own one has died', async () => {
  const other = await makeDir()
  const first = await startEmbedded({ dataDir: other, log })
  const content = await readFile(pidFile(other), 'utf8')
  await first.stop()
  // What is left while that Ingot has not started it again: the file of the dead server, and an owner that answers.
  const sockets = await makeDir()
  const owner = createServer(connection => connection.end()).listen(ownerSocket(sockets))
  atEnd(async () => void owner.close())
  const lines = content.split('\n')
  lines[4] = sockets
  await writeFile(pidFile(other), lines.join('\n'))

  await assert.rejects(startEmbedded({ dataDir: other, log }), (error: Error) => {
    assert.ok(error instanceof EmbeddedError)
    assert.match(error.message, /^Another Ingot is using the database/)
    return true
  })
})

test('nor while the file of the dead server is gone, which its Ingot that starts it again has removed', async () => {
  const other = await makeDir()
  const first = await startEmbedded({ dataDir: other, log })
  await first.stop()
  const sockets = await makeDir()
  const owner = createServer(connection => connection.end()).listen(ownerSocket(sockets))
  atEnd(async () => void owner.close())
  await recordOwner(dirname(pidFile(other)), sockets)

  await assert.rejects(startEmbedded({ dataDir: other, log }), /^EmbeddedError: Another Ingot is using the database/)
  let url: string | undefined | null = null
  const asked = runningServerUrl(other).then(found => (url = found))
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(url, null, 'the server is waited for')

  owner.close()
  assert.equal(await asked, undefined, 'its Ingot has ended')
  const second = await startEmbedded({ dataDir: other, log })
  assert.equal(await runningServerUrl(other), second.url)
  await second.stop()
  assert.equal(await runningServerUrl(other), undefined)
})

test('a server that is killed again and again is found each time, however long its start takes', async () => {
  for (let kill = 0; kill < 3; kill++) {
    process.kill(embedded.pid, 'SIGKILL')
    const found = await Promise.all(Array.from({ length: 5 }, () => runningServerUrl(dataDir)))
    for (const url of found) assert.equal(url, embedded.url)
  }
})
