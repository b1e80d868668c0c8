import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newDirectory, type RunningIngot, runIngot, startIngot } from './scene.ts'

const root = resolve(import.meta.dirname, '../../..')
const parent = await newDirectory()
after(() => rm(parent, { recursive: true, force: true }))

/** Processes to end if a test fails half-way. */
const running = new Set<RunningIngot>()
after(async () => {
  for (const ingot of running) await ingot.end('SIGKILL')
})

async function startIn(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<RunningIngot> {
  const ingot = await startIngot(['--data-dir', join(cwd, 'data'), ...args], { cwd, env })
  running.add(ingot)
  return { ...ingot, end: signal => ingot.end(signal).finally(() => running.delete(ingot)) }
}

async function call(url: string, token: string, method: string, path: string, form?: Record<string, string>) {
  const body = form && new URLSearchParams(form)
  const answer = await fetch(`${url}/api/v4${path}`, { method, headers: { 'private-token': token }, ...(body && { body }) })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

test('the data of an instance survive a clean stop and kill -9', async () => {
  const cwd = await newDirectory(parent)
  const first = await startIn(cwd)
  const token = first.token as string
  const modes = await Promise.all(
    ['secret.key', 'root-credentials.json'].map(async name => (await stat(join(cwd, 'data', name))).mode & 0o777),
  )
  const user = await call(first.url, token, 'GET', '/user')
  const made = await call(first.url, token, 'POST', '/groups', { name: 'Kept', path: 'kept' })
  const stopped = await first.end('SIGTERM')

  const second = await startIn(cwd)
  const found = await call(second.url, token, 'GET', '/groups/kept')
  const killed = await second.end('SIGKILL')

  const third = await startIn(cwd)
  const foundAgain = await call(third.url, token, 'GET', '/groups/kept')
  const interrupted = await third.end('SIGINT')

  assert.deepEqual(modes, [0o600, 0o600])
  assert.deepEqual([user.body.username, user.body.is_admin], ['root', true])
  assert.deepEqual([made.status, found.body.id, foundAgain.body.id], [201, made.body.id, made.body.id])
  assert.deepEqual([second.password, second.token], [null, null])
  assert.deepEqual([stopped, killed, interrupted], [0, 'SIGKILL', 0])
})

test('an ephemeral instance leaves nothing behind, and leaves configured databases and folders alone', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const cwd = await newDirectory(parent)
    const ingot = await startIn(cwd, ['--ephemeral'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })

    const answer = await call(ingot.url, ingot.token as string, 'GET', '/user')
    const code = await ingot.end(signal)

    assert.equal(answer.body.username, 'root')
    assert.equal(code, 0)
    assert.deepEqual(await readdir(cwd), [])
  }
})

test('a running request is answered before the server stops', async () => {
  const cwd = await newDirectory(parent)
  const ingot = await startIn(cwd, ['--ephemeral'])
  const body = 'name=Late&path=late'
  const headers = {
    'private-token': ingot.token as string,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
    expect: '100-continue',
  }
  const late = request(`${ingot.url}/api/v4/groups`, { method: 'POST', headers })
  late.flushHeaders()
  // The server has started to read the request.
  await new Promise(resolve => late.once('continue', resolve))
  late.write(body.slice(0, 5))

  const ended = ingot.end('SIGTERM')
  // It accepts no new requests.
  await refused(ingot.url)
  late.end(body.slice(5))
  const answer = await new Promise<{ status: number | undefined; path: string }>((resolve, reject) =>
    late
      .once('error', reject)
      .once('response', async response => resolve({ status: response.statusCode, path: JSON.parse(await text(response)).path })),
  )

  assert.deepEqual(answer, { status: 201, path: 'late' })
  assert.equal(await ended, 0)
})

/** Resolves when nothing listens at the address any more. */
async function refused(url: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`${url}/-/liveness`)).text()
    } catch {
      return
    }
  }
}

test('a second server on the same data or the same port ends with one line and exit code 1', async () => {
  const cwd = await newDirectory(parent)
  const ingot = await startIn(cwd)
  const port = new URL(ingot.url).port

  const [sameData, samePort] = await Promise.all([
    runIngot(['start', '--port', '0', '--data-dir', join(cwd, 'data')], { cwd }),
    runIngot(['start', '--ephemeral', '--port', port], { cwd }),
  ])
  await ingot.end('SIGTERM')

  assert.deepEqual([sameData.code, samePort.code], [1, 1])
  assert.match(sameData.stderr, /^ingot: Another Ingot is using the database .*\n$/)
  assert.equal(samePort.stderr, `ingot: 127.0.0.1:${port} is in use: stop what uses it, or set INGOT_PORT\n`)
})

test('a first start that finds its port taken makes nothing: the next one shows the password', async () => {
  const cwd = await newDirectory(parent)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  const failed = await runIngot(['start', '--port', String(port), '--ssh-port', 'off', '--data-dir', 'data'], { cwd })
  other.close()
  const made = await readdir(cwd)
  const next = await startIn(cwd)
  await next.end('SIGTERM')

  assert.equal(failed.code, 1)
  assert.deepEqual(made, [])
  assert.match(next.password ?? '', /^\S{20}$/)
})

test('a data directory that cannot be made, or is a file, is an invalid setting: one line and exit code 2', async () => {
  const cwd = await newDirectory(parent)
  await writeFile(join(cwd, 'file'), '')
  const start = (dataDir: string) => runIngot(['start', '--port', '0', '--ssh-port', 'off', '--data-dir', dataDir], { cwd })

  const [below, file] = await Promise.all([start('/proc/ingot/data'), start('file')])

  assert.deepEqual([below.code, file.code], [2, 2])
  assert.equal(below.stderr, 'ingot: INGOT_DATA_DIR: cannot make the folder /proc/ingot/data (ENOENT)\n')
  assert.equal(file.stderr, `ingot: INGOT_DATA_DIR: cannot make the folder ${join(cwd, 'file')}: a file is in its place\n`)
})

test('a folder that another program has its data in is refused, and nothing is written into it', async () => {
  const cwd = await newDirectory(parent)
  await mkdir(join(cwd, 'data', 'photos'), { recursive: true })

  const said = `INGOT_DATA_DIR: ${join(cwd, 'data')} has folders of another program (photos): choose an empty folder, or one that Ingot made`
  for (const command of [['start', '--port', '0', '--ssh-port', 'off'], ['seed']]) {
    const { code, stderr } = await runIngot([...command, '--data-dir', 'data'], { cwd })
    assert.deepEqual({ code, stderr }, { code: 2, stderr: `ingot: ${said}\n` })
  }
  assert.deepEqual(await readdir(join(cwd, 'data')), ['photos'])
})

test('a start without the key of the instance is refused, and makes none', async () => {
  const cwd = await newDirectory(parent)
  const first = await startIn(cwd)
  await first.end('SIGTERM')
  const key = join(cwd, 'data', 'secret.key')
  const kept = await readFile(key)
  await rm(key)

  const args = ['--port', '0', '--ssh-port', 'off', '--data-dir', 'data']
  const without = await runIngot(['start', ...args], { cwd })
  const doctor = await runIngot(['doctor', ...args], { cwd })
  await writeFile(key, 'ab'.repeat(32))
  const wrong = await runIngot(['start', ...args], { cwd })
  await writeFile(key, kept)
  const again = await startIn(cwd)
  await again.end('SIGTERM')

  assert.deepEqual([without.code, wrong.code, doctor.code], [2, 2, 1])
  assert.match(without.stderr, /^ingot: \S+\/data has no key of the instance in this database: .*\n$/)
  assert.match(wrong.stderr, /secret\.key is not the key of the instance in this database/)
  assert.match(doctor.stdout, /secret\.key is not there/)
})

test('npm hands the signal of a container or a supervisor on to the server', async () => {
  const cwd = await newDirectory(parent)
  const args = ['start', '--silent', '--', '--json', '--port', '0', '--ssh-port', 'off', '--data-dir', join(cwd, 'data')]
  const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface(npm.stdout), 'line')
  const { url, pid } = JSON.parse(line as string) as { url: string; pid: number }
  const ended = once(npm, 'close')

  npm.kill('SIGTERM')
  await ended

  await refused(url)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('an address that this machine does not have is an invalid setting: one line and exit code 2', async () => {
  const answer = await runIngot(['start', '--ephemeral', '--host', '192.0.2.1', '--port', '8080'], { cwd: await newDirectory(parent) })

  assert.deepEqual([answer.code, answer.stderr], [2, 'ingot: 192.0.2.1:8080 is no address of this machine: set INGOT_HOST\n'])
})

test('the output shows where the server is and how to sign in, once with the secrets', async () => {
  const cwd = await newDirectory(parent)
  const env = { INGOT_ROOT_PASSWORD: 'correct horse', INGOT_ROOT_TOKEN: 'given-token-0123456789' }
  const first = await startIn(cwd, [], env)
  const resets = await Promise.all([
    runIngot(['admin', 'reset-password', 'root', '--data-dir', join(cwd, 'data')], { cwd }),
    runIngot(['admin', 'reset-password', 'root', '--stdin', '--data-dir', join(cwd, 'data')], { cwd, input: 'short\n' }),
    runIngot(['admin', 'reset-password', 'nobody', '--data-dir', join(cwd, 'data')], { cwd }),
  ])
  const away = { headers: { 'private-token': env.INGOT_ROOT_TOKEN, 'content-type': 'application/json' } }
  const person = { username: 'ada', name: 'Ada', email: 'ada@example.com', force_random_password: true, skip_confirmation: true }
  const made = await fetch(`${first.url}/api/v4/users`, { ...away, method: 'POST', body: JSON.stringify(person) })
  const { id } = (await made.json()) as { id: number }
  await fetch(`${first.url}/api/v4/users/${id}/ban`, { ...away, method: 'POST', body: '{}' })
  const promoted = await Promise.all(
    ['ada', 'nobody'].map(name => runIngot(['admin', 'make-administrator', name, '--data-dir', join(cwd, 'data')], { cwd })),
  )
  const ada = (await (await fetch(`${first.url}/api/v4/users/${id}`, away)).json()) as { state: string; is_admin: boolean }
  const reason = await runIngot(['why', 'root', 'admin_instance', '--data-dir', join(cwd, 'data')], { cwd })
  await first.end('SIGTERM')
  const { stderr } = await first.ended
  assert.equal(/Ingot runs as root/.test(stderr), process.getuid?.() === 0)

  assert.deepEqual([first.password, first.token, first.credentials_file], [null, env.INGOT_ROOT_TOKEN, null])
  assert.deepEqual(
    resets.map(({ code, stderr }) => [code, stderr]),
    [
      [0, ''],
      [1, 'ingot: password is too short (minimum is 8 characters)\n'],
      [1, 'ingot: there is no user "nobody"\n'],
    ],
  )
  assert.match(resets[0]!.stdout, /^The new password of root: \S{20}\n$/)
  assert.deepEqual(
    promoted.map(({ code, stdout, stderr }) => [code, stdout, stderr]),
    [
      [0, 'ada is an administrator\n', ''],
      [1, '', 'ingot: there is no user "nobody"\n'],
    ],
  )
  assert.deepEqual([ada.state, ada.is_admin], ['active', true])
  assert.match(reason.stdout, /^admin_instance: Administrators only\n {2}admin: yes\n {2}on: instance\nyes\n$/)
})

test('a database that cannot be kept running ends the server with one line and exit code 1', async () => {
  const cwd = await newDirectory(parent)
  const ingot = await startIn(cwd, ['--log-level', 'fatal'])
  const ended = ingot.ended
  // It is restarted a few times; after that an operator has to repair it.
  let killed: number | undefined
  for (let over = false; !over; over = await Promise.race([ended.then(() => true), delay(20).then(() => false)])) {
    const pid = await serverPid(join(cwd, 'data'))
    if (pid === undefined || pid === killed) continue
    killed = pid
    process.kill(pid, 'SIGKILL')
  }

  assert.equal((await ended).code, 1)
  assert.match((await ended).stderr, /^ingot: The database server keeps dying .*\n$/)
})

/** The pid of the database server; undefined while none accepts connections. */
async function serverPid(dataDir: string): Promise<number | undefined> {
  const file = await readFile(join(dataDir, 'postgresql', '18', 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = file.split('\n')
  const pid = Number(lines[0])
  return lines[7]?.trim() === 'ready' && existsSync(`/proc/${pid}`) ? pid : undefined
}
