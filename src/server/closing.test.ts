/** A server that is stopped while requests come in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../test/scene.ts'
import { info, registered } from '../ci/runner_protocol/scene.ts'
import { buildApp } from './app.ts'
import { endpoints } from './endpoints.ts'

const scene = await openScene()

test('a request that comes in while the server begins to stop is served, and its connection ends', async () => {
  const begun = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const app = await buildApp(scene.deps, endpoints, built =>
    built.addHook('preClose', async () => {
      begun.resolve()
      await asked.promise
    }),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const closed = app.close()
  await begun.promise

  const answer = await fetch(`${url}/api/v4/version`, { headers: { 'private-token': scene.root.token } })

  asked.resolve()
  await closed
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await assert.rejects(fetch(`${url}/api/v4/version`))
})

/** Milliseconds that an answer may take which waits for nothing. */
const SOON = 5_000

test('a runner and a page that ask while the server stops do not wait, so that they do not hold it up', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const runner = await registered(scene, { project })
  const begun = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const deps = { ...scene.deps, config: { ...scene.deps.config, runnerWait: 50 } }
  const app = await buildApp(deps, endpoints, built =>
    built.addHook('preClose', async () => {
      begun.resolve()
      await asked.promise
    }),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const closed = app.close()
  await begun.promise

  const [job, stream] = await Promise.all([
    fetch(`${url}/api/v4/jobs/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: runner.token, info }),
      signal: AbortSignal.timeout(SOON),
    }),
    fetch(`${url}/-/live?on=repository:${project.id}`, { headers: { accept: 'text/event-stream' }, signal: AbortSignal.timeout(SOON) }),
  ]).finally(asked.resolve)

  assert.equal(job.status, 204)
  assert.deepEqual([stream.status, await stream.text()], [200, ''])
  await closed
})
