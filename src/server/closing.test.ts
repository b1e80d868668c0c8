/** A server that is stopped while requests come in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../test/scene.ts'
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
