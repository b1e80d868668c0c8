/** The built-in runner as people start it: one word more on the command line (issue "The built-in runner"). */
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { newDirectory, type RunningIngot, runIngot, startIngot } from './scene.ts'

const parent = await newDirectory()
after(() => rm(parent, { recursive: true, force: true }))

/** Ends what a test that failed half-way left running. */
const running = new Set<RunningIngot>()
after(async () => {
  for (const ingot of running) await ingot.end('SIGKILL')
})

async function call({ url, token }: RunningIngot, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { 'private-token': token as string, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return JSON.parse(await answer.text())
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A server with its runner, and a project whose CI file has just been pushed. */
async function startWith(ciFile: string) {
  const cwd = await newDirectory(parent)
  const ingot = await startIngot(['--ephemeral', '--builtin-runner'], { cwd })
  running.add(ingot)
  const { id } = await call(ingot, 'POST', '/projects', { name: 'built' })
  await call(ingot, 'POST', `/projects/${id}/repository/files/.gitlab-ci.yml`, { branch: 'main', content: ciFile, commit_message: 'Build' })
  return { cwd, ingot, id: id as number }
}

test('a project with a CI file is pushed, and its jobs succeed', async () => {
  const ciFile =
    'stages: [one, two]\nfirst:\n  stage: one\n  script: [test -f .gitlab-ci.yml]\nsecond:\n  stage: two\n  script: [echo done]\n'
  const { ingot, id } = await startWith(ciFile)

  const status = await eventually(async () => {
    const [pipeline] = await call(ingot, 'GET', `/projects/${id}/pipelines`)
    return ['success', 'failed'].includes(pipeline?.status) ? (pipeline.status as string) : undefined
  }, 'a pipeline that has ended')
  const jobs = await call(ingot, 'GET', `/projects/${id}/jobs`)
  const code = await ingot.end('SIGTERM')
  running.delete(ingot)

  assert.equal(status, 'success')
  assert.deepEqual(
    jobs.map((job: { name: string; status: string; runner: { description: string } }) => [
      job.name,
      job.status,
      typeof job.runner.description,
    ]),
    [
      ['second', 'success', 'string'],
      ['first', 'success', 'string'],
    ],
  )
  assert.equal(code, 0)
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`${signal} ends the server with its runner, and with what the jobs have started`, async () => {
    const { cwd, ingot } = await startWith('long:\n  script:\n    - sleep 1000 & echo "$$ $PPID $!" > "$HOME/pids"\n    - wait\n')
    const pids = await eventually(async () => {
      const found = await readFile(join(cwd, 'pids'), 'utf8').catch(() => '')
      return /^\d+ \d+ \d+\n$/.test(found) ? found.trim().split(' ').map(Number) : undefined
    }, 'the job to run')
    assert.deepEqual(pids.map(lives), [true, true, true])

    await ingot.end(signal)
    running.delete(ingot)

    await eventually(() => !pids.some(lives), 'the processes to end')
  })

test('without a token or with a wrong address the runner says so in one line', async () => {
  const cwd = await newDirectory(parent)

  const without = await runIngot(['runner'], { cwd })
  const nowhere = await runIngot(['runner', '--url', 'http://127.0.0.1:1'], { cwd, env: { INGOT_RUNNER_TOKEN: 'token' } })

  assert.deepEqual(
    [without.code, without.stderr],
    [2, 'ingot: a registration token is needed: INGOT_RUNNER_TOKEN, or a file that --token-file names\n'],
  )
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.stderr, /^ingot: the runner cannot work for http:\/\/127\.0\.0\.1:1: .+\n$/)
})
