/** Bridges with files of other servers. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { pipelinesStartedBy } from '../pipelines/queries.ts'
import { playground } from '../pipelines/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const ci = await playground(scene)

test('a child pipeline includes a file of another server, which is waited for before its bridge is locked', async () => {
  const { project } = await scene.project()
  const asked = Promise.withResolvers<void>()
  const answers = Promise.withResolvers<void>()
  const server = createServer(async (_request, response) => {
    asked.resolve()
    await answers.promise
    response.end('inner: {script: "true"}\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}/child.yml`
  await scene.commit(project, { 'child.yml': `include: {remote: "${remote}"}\n` }, { message: 'Add the child [skip ci]' })
  const ciFile = JSON.stringify({ child: { trigger: { include: 'child.yml' } } })
  const pipeline = await ci.pipelineOf(project, await scene.commit(project, { '.gitlab-ci.yml': ciFile }))
  const { id } = await ci.find(pipeline, 'child')

  await asked.promise
  // Fails where another transaction has locked it.
  const { rows } = await scene.deps.database.pool.query('select id from jobs where id = $1 for update nowait', [id])
  answers.resolve()

  assert.equal(rows.length, 1)
  const [child] = await eventually(async () => {
    const started = await pipelinesStartedBy(ci.db, [id])
    return started.length > 0 && started
  }, 'the child pipeline')
  assert.equal(child?.source, 'parent_pipeline')
  await ci.run(child, 'inner')
  await ci.jobsAre(child, { inner: 'success' })
})
