/** Several processes on one port, as real programs. */
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { newDirectory, type RunningIngot, startIngot } from '../cli/scene.ts'

const parent = await newDirectory()
after(() => rm(parent, { recursive: true, force: true }))

const running = new Set<RunningIngot>()
after(async () => {
  for (const ingot of running) await ingot.end('SIGKILL')
})

/** Starts a server whose requests are served by two processes. */
async function startTwo(env: Readonly<Record<string, string>> = {}): Promise<RunningIngot> {
  const cwd = await newDirectory(parent)
  const settings = { INGOT_HTTP_PROCESSES: '2', INGOT_LOG_LEVEL: 'info', ...env }
  const ingot = await startIngot(['--data-dir', join(cwd, 'data'), '--ssh-port', '0'], { cwd, env: settings })
  running.add(ingot)
  return { ...ingot, end: signal => ingot.end(signal).finally(() => running.delete(ingot)) }
}

/** A request over a connection of its own: connections are given to the processes in turn. */
async function get({ url, token }: RunningIngot, path: string): Promise<{ status: number; headers: Headers; body: string }> {
  const answer = await fetch(url + path, { headers: { 'private-token': token ?? '', connection: 'close' } })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

/** The pids of the processes that a server has started to serve requests. */
async function pidsOf({ pid }: RunningIngot): Promise<readonly number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  const commands = await Promise.all(children.map(child => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')))
  return children.filter((_, index) => commands[index]?.includes('\0--json\0')).map(Number)
}

const isAlive = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')).includes(') Z') === false

test('two processes serve one port: they count together, answer for each other, and end with the first', async () => {
  const ingot = await startTwo({ INGOT_RATE_LIMIT: 'authenticated=8' })
  const pids = await pidsOf(ingot)
  assert.equal(pids.length, 2)

  const answers = []
  for (let index = 0; index < 10; index++) answers.push(await get(ingot, '/api/v4/user'))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 200, 200, 429, 429],
  )
  assert.equal(answers[5]?.headers.get('ratelimit-observed'), '6')
  assert.equal(await ingot.end('SIGTERM'), 0)
  const { stderr } = await ingot.ended
  const lines = stderr.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const serving = lines.filter(({ msg, path }) => msg === 'request' && path === '/api/v4/user').map(({ pid }) => pid as number)
  assert.deepEqual([...new Set(serving)].sort(), [...pids].sort(), 'both have served')
  assert.equal(serving.length, 10)
  for (const pid of pids) assert.equal(await isAlive(pid), false)
  await assert.rejects(fetch(ingot.url))
})

test('the metrics are those of all processes, and the address for SSH is known to all', async () => {
  const ingot = await startTwo()
  for (let index = 0; index < 6; index++) await get(ingot, '/api/v4/user')

  const { body: metrics } = await get(ingot, '/-/metrics')
  const made = await fetch(`${ingot.url}/api/v4/projects?name=Lamp`, { method: 'POST', headers: { 'private-token': ingot.token ?? '' } })
  const { id } = (await made.json()) as { id: number }
  const addresses = new Set<string>()
  for (let index = 0; index < 4; index++) addresses.add(JSON.parse((await get(ingot, `/api/v4/projects/${id}`)).body).ssh_url_to_repo)

  assert.match(metrics, /^http_request_duration_seconds_count\{method="GET",route="\/api\/v4\/user",status="200"\} 6$/m)
  assert.deepEqual([...addresses], [`ssh://git@127.0.0.1:${ingot.ssh_port}/root/lamp.git`])
  assert.equal(await ingot.end('SIGINT'), 0)
})

test('a process that dies is replaced while the other one serves, and both end when the first is killed', async () => {
  const ingot = await startTwo()
  const [dying = 0, other = 0] = await pidsOf(ingot)

  process.kill(dying, 'SIGKILL')

  const pids = await eventually(async () => {
    const now = await pidsOf(ingot)
    return now.length === 2 && !now.includes(dying) && now
  }, 'another process')
  assert.ok(pids.includes(other))
  for (let index = 0; index < 6; index++) assert.equal((await get(ingot, '/api/v4/user')).status, 200)
  assert.equal(await ingot.end('SIGKILL'), 'SIGKILL')
  assert.match((await ingot.ended).stderr, /a process that serves requests ended/)
  for (const pid of pids) await eventually(async () => !(await isAlive(pid)), `the end of ${pid}`)
})

test('a process that is still starting when all are stopped ends too', async () => {
  const ingot = await startTwo()
  const [dying = 0] = await pidsOf(ingot)
  process.kill(dying, 'SIGKILL')
  const pids = await eventually(async () => {
    const now = await pidsOf(ingot)
    return now.length === 2 && !now.includes(dying) && now
  }, 'another process')

  assert.equal(await ingot.end('SIGTERM'), 0)

  assert.doesNotMatch((await ingot.ended).stderr, /did not close in time/)
  for (const pid of pids) assert.equal(await isAlive(pid), false)
})
