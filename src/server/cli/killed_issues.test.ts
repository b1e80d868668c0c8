/**
 * `kill -9` of a real server and its database in the midst of making issues:
 * several are made by one statement, which ends before the disk has it, and are acknowledged when it does.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { killable } from './killable.ts'

const server = await killable()
const { call } = server

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
    await server.kill()
    await Promise.all(workers)
    await server.restart()
  }

  const found = await server.all<Made>(`/projects/${id}/issues`)
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
  assert.equal(await server.stop(), 0)
})
