/**
 * `kill -9` of a real server and its database while runners take jobs and end them: several are handed out, and
 * ended, by one transaction, which ends before the disk has it, and are acknowledged when it does.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { killable } from './killable.ts'

const server = await killable()
const { call } = server

async function made<T>(path: string, body: object): Promise<T> {
  const answer = await call('POST', path, body)
  assert.equal(answer.status, 201)
  return (await answer.json()) as T
}

const JOBS = 400
const RUNNERS = 16

/** A project with a pipeline of many jobs, and runners of its own. */
async function projectWithRunners() {
  const { id, runners_token } = await made<{ id: number; runners_token: string }>('/projects', { name: 'Killed' })
  const tokens: string[] = []
  for (let n = 0; n < RUNNERS; n++) tokens.push((await made<{ token: string }>('/runners', { token: runners_token })).token)
  const content = Array.from({ length: JOBS }, (_, n) => `job-${n}:\n  script: [do it]\n`).join('')
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content }]
  await made(`/projects/${id}/repository/commits`, { branch: 'main', commit_message: 'Add jobs', actions })
  return { id, tokens }
}

test('no job that a runner was handed before kill -9 is handed out again, and every end that was acknowledged holds', async () => {
  const { id, tokens } = await projectWithRunners()
  const handed: number[] = []
  const ended: number[] = []

  /** Takes jobs and ends every other one, until the server is gone. */
  async function work(runner: string): Promise<void> {
    for (;;) {
      try {
        const answer = await call('POST', '/jobs/request', { token: runner })
        if (answer.status !== 201) continue
        const job = (await answer.json()) as { id: number; token: string }
        handed.push(job.id)
        if (handed.length % 2 === 0) continue
        const end = await call('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' })
        if (end.status === 200) ended.push(job.id)
      } catch {
        return
      }
    }
  }

  for (let kills = 0; kills < 2; kills++) {
    const enough = handed.length + 80
    const working = tokens.map(work)
    while (handed.length < enough) await delay(1)
    await server.kill()
    await Promise.all(working)
    await server.restart()
  }

  assert.equal(new Set(handed).size, handed.length)
  const jobs = await server.all<{ id: number; status: string }>(`/projects/${id}/jobs`)
  const statuses = new Map(jobs.map(({ id, status }) => [id, status]))
  assert.ok(ended.length > 40)
  assert.deepEqual(
    ended.filter(job => statuses.get(job) !== 'success'),
    [],
  )
  assert.deepEqual(
    handed.filter(job => !['running', 'success'].includes(statuses.get(job) ?? 'gone')),
    [],
  )
  assert.equal(await server.stop(), 0)
})
