/** Pushes and merge requests whose CI files include files of other servers: nothing else waits for these. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { playground } from '../pipelines/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const ci = await playground(scene)

/** A server that answers when it is let. */
async function openSilent() {
  const asked: ServerResponse[] = []
  let isLet = false
  const server = createServer((_request, response) => {
    asked.push(response)
    if (isLet) response.end('inner: {script: "true"}\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const letAnswer = () => {
    isLet = true
    for (const response of asked) response.end('inner: {script: "true"}\n')
  }
  atEnd(async () => {
    letAnswer()
    server.close()
    server.closeAllConnections()
  })
  return { asked, letAnswer, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/part.yml` }
}

/** The tasks that run. */
const running = async () => {
  const { rows } = await sql<{
    task: string
  }>`select task_identifier as task from graphile_worker.jobs where locked_at is not null`.execute(ci.db)
  return rows.map(({ task }) => task)
}

test('pushes of one user that wait for another server leave workers for those of others', async () => {
  const { asked, letAnswer, url } = await openSilent()
  const { project } = await scene.project()
  const { project: other } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  for (const branch of ['a', 'b', 'c', 'd'])
    await scene.commit(project, { '.gitlab-ci.yml': `include: {remote: "${url}"}\n` }, { branch, start_branch: 'main' })
  await eventually(() => asked.length > 0, 'a request that is not answered')

  const sha = await scene.commit(other, { '.gitlab-ci.yml': 'job: {script: "true"}\n' })

  await ci.pipelineOf(other, sha)
  assert.equal(asked.length, 1)
  await eventually(async () => (await running()).join() === 'start_pipeline', 'all else to end')
  letAnswer()
})

test('a later push has the later pipeline, whatever the former waits for', async () => {
  const { asked, letAnswer, url } = await openSilent()
  const { project } = await scene.project()
  const first = await scene.commit(project, { '.gitlab-ci.yml': `include: {remote: "${url}"}\n` })
  await eventually(() => asked.length > 0, 'a request that is not answered')
  const actions = [{ action: 'update', file_path: '.gitlab-ci.yml', content: 'job: {script: "true"}\n' }]
  const answer = await scene.root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Do without', actions })
  const second: string = answer.body.id
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs where queue_name = ${`pipelines:${project.id}`}`.execute(ci.db)
    return rows.length === 2
  }, 'the second to wait for the first')
  letAnswer()

  const [former, later] = [await ci.pipelineOf(project, first), await ci.pipelineOf(project, second)]

  assert.ok(former.id < later.id)
})

test('the pipeline of a merge request that waits for another server has a task of its own', async () => {
  const { asked, letAnswer, url } = await openSilent()
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const rules = 'workflow: {rules: [{if: $CI_MERGE_REQUEST_IID}]}\n'
  const sha = await scene.commit(
    project,
    { '.gitlab-ci.yml': `${rules}include: {remote: "${url}", rules: [{if: $CI_MERGE_REQUEST_IID}]}\n` },
    { branch: 'topic', start_branch: 'main' },
  )
  await owner.post(`${project.url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'Topic' })
  await eventually(async () => asked.length > 0 && (await running()).includes('start_merge_request_pipeline'), 'its task')
  letAnswer()

  await eventually(
    () =>
      ci.db
        .selectFrom('pipelines')
        .select('id')
        .where('project_id', '=', project.id)
        .where('sha', '=', sha)
        .where('source', '=', 'merge_request_event')
        .executeTakeFirst(),
    'the pipeline of the merge request',
  )
})
