/** A server that has more to do than it can. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../test/eventually.ts'
import { holdTable } from '../../test/held_table.ts'
import { openScene } from '../../test/scene.ts'
import { buildApp } from './app.ts'

// What waits for the database too long on a busy machine is a failure that is logged.
const scene = await openScene({ failuresExpected: true })

test('what comes beyond what a busy server can answer is refused, and what was taken is answered', async () => {
  const app = await buildApp(scene.deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { project } = await scene.project()
  const ask = (path: string, headers = {}) => fetch(`${url}${path}`, { headers: { 'private-token': scene.root.token, ...headers } })
  const held = await holdTable(scene.deps.database, 'issues')
  let isHeld = true
  const release = async () => {
    if (isHeld) await held.release()
    isHeld = false
  }
  try {
    const answers: Promise<Response>[] = []
    let refused: Response | undefined
    // None of them is answered before the table is free, so each answer until then is a refusal.
    while (!refused) {
      assert.ok(answers.length < 2_000, 'none was refused')
      answers.push(...Array.from({ length: 50 }, () => ask(`/api/v4/projects/${project.id}/issues`)))
      refused = await Promise.race([...answers, delay(30, undefined)])
    }

    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.deepEqual(await refused.json(), { message: '503 Service Unavailable' })
    assert.equal((await fetch(`${url}/-/health`)).status, 200)
    const page = await fetch(`${url}/explore`, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 503)
    assert.match(await page.text(), /Nothing was changed: please try again/)

    await release()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
    assert.equal((await ask(`/api/v4/projects/${project.id}/issues`)).status, 200)
  } finally {
    await release()
    await app.close()
  }
})

test('requests whose clients keep them waiting are not among those that a busy server answers', async () => {
  const app = await buildApp(scene.deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const { project } = await scene.project()
  const { pool } = scene.deps.database
  let begun = 0
  app.server.on('request', () => {
    begun += 1
  })
  const head = `POST /api/v4/projects HTTP/1.1\r\nhost: localhost\r\nprivate-token: ${scene.root.token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`
  const slow = Array.from({ length: 250 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(slow.map(socket => once(socket, 'connect')))
  for (const socket of slow) socket.write(head)
  await eventually(() => begun === slow.length, 'the slow requests')
  const held = await holdTable(scene.deps.database, 'issues')
  const ask = (path: string) => fetch(`${url}/api/v4/projects/${project.id}${path}`, { headers: { 'private-token': scene.root.token } })
  const answers: Promise<Response>[] = []
  try {
    for (let at = 0; at < 60 || pool.waitingCount === 0; at++) {
      assert.ok(at < 150, 'the database has no queue')
      answers.push(ask('/issues'))
      await delay(5)
    }
  } finally {
    await held.release()
  }
  try {
    assert.deepEqual([...new Set((await Promise.all(answers)).map(({ status }) => status))], [200])
  } finally {
    for (const socket of slow) socket.destroy()
    await app.close()
  }
})
