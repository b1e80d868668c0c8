/** Bridges with files of other servers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { holdServer } from '../../../test/held_server.ts'
import { openScene } from '../../../test/scene.ts'
import { pipelinesStartedBy } from '../pipelines/queries.ts'
import { playground } from '../pipelines/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const ci = await playground(scene)

test('a child pipeline includes a file of another server, which is waited for before its bridge is locked', async () => {
  const { project } = await scene.project()
  const server = await holdServer('inner: {script: "true"}\n')
  const remote = `${server.url}/child.yml`
  await scene.commit(project, { 'child.yml': `include: {remote: "${remote}"}\n` }, { message: 'Add the child [skip ci]' })
  const ciFile = JSON.stringify({ child: { trigger: { include: 'child.yml' } } })
  const pipeline = await ci.pipelineOf(project, await scene.commit(project, { '.gitlab-ci.yml': ciFile }))
  const { id } = await ci.find(pipeline, 'child')

  await server.asked
  // Fails where another transaction has locked it.
  const { rows } = await scene.deps.database.pool.query('select id from jobs where id = $1 for update nowait', [id])
  server.answer()

  assert.equal(rows.length, 1)
  const [child] = await eventually(async () => {
    const started = await pipelinesStartedBy(ci.db, [id])
    return started.length > 0 && started
  }, 'the child pipeline')
  assert.equal(child?.source, 'parent_pipeline')
  await ci.run(child, 'inner')
  await ci.jobsAre(child, { inner: 'success' })
})
