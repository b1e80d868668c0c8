/**
 * `kill -9` of a real server and its database in the midst of making issues (issue 4 "Speed and cost": creating an issue is durable):
 * several are made by one statement, which ends before the disk has it, and are acknowledged when it does.
 */
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newDirectory, type RunningIngot, startIngot } from './scene.ts'

const cwd = await newDirectory()
const data = join(cwd, 'data')
let token = ''
let ingot = await start()
after(async () => {
  await ingot.end('SIGKILL')
  await rm(cwd, { recursive: true, force: true })
})

async function start(): Promise<RunningIngot> {
  const started = await startIngot(['--data-dir', data, '--rate-limit', 'off', '--log-level', 'fatal'], { cwd })
  token = started.token ?? token
  return started
}

/** The server and its database at once, with all that they had not handed to the system yet. */
async function kill(): Promise<void> {
  const [pid] = (await readFile(join(data, 'postgresql', '18', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await ingot.end('SIGKILL')
}

const call = (method: string, path: string, body?: object) =>
  fetch(`${ingot.url}/api/v4${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

interface Made {
  readonly iid: number
  readonly title: string
  readonly labels: readonly string[]
}

test('every issue that was acknowledged before kill -9 is there afterwards, with its number and labels, and no number is left out', async () => {
  const { id } = (await (await call('POST', '/projects', { name: 'Killed' })).json()) as { id: number }
  for (const name of ['oak', 'wood']) await call('POST', `/projects/${id}/labels`, { name, color: '#112233' })
  const acknowledged: Made[] = []
  let number = 0

  /** Makes issues until the server is gone. */
  async function work(): Promise<void> {
    for (;;) {
      const title = `Issue ${++number}`
      const labels = number % 4 === 0 ? ['oak', 'wood'] : []
      try {
        const answer = await call('POST', `/projects/${id}/issues`, { title, labels })
        if (answer.status === 201) acknowledged.push((await answer.json()) as Made)
      } catch {
        return
      }
    }
  }

  for (let kills = 0; kills < 2; kills++) {
    const enough = acknowledged.length + 60
    const workers = Array.from({ length: 16 }, work)
    while (acknowledged.length < enough) await delay(1)
    await kill()
    await Promise.all(workers)
    ingot = await start()
  }

  const found: Made[] = []
  for (let page: string | null = '1'; page; ) {
    const answer = await call('GET', `/projects/${id}/issues?per_page=100&sort=asc&page=${page}`)
    found.push(...((await answer.json()) as Made[]))
    page = answer.headers.get('x-next-page')
  }
  const factsOf = ({ iid, title, labels }: Made) => `${iid} ${title} ${labels}`
  const there = new Set(found.map(factsOf))
  assert.deepEqual(
    acknowledged.map(factsOf).filter(facts => !there.has(facts)),
    [],
  )
  assert.deepEqual(
    found.map(({ iid }) => iid).sort((a, b) => a - b),
    found.map((_, index) => index + 1),
  )
  const project = (await (await call('GET', `/projects/${id}`)).json()) as { open_issues_count: number }
  assert.equal(project.open_issues_count, found.length)
  assert.equal(await ingot.end('SIGTERM'), 0)
})
