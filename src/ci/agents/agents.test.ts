import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { runningJob } from '../jobs/scene.ts'
import { ciAccessIn, configPath, letsIn } from './access.ts'

const scene = await openScene()

test('agents are registered by Maintainers under a name of their own, listed by name, and deleted', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const url = `${project.url}/cluster_agents`

  const created = await maintainer.post(url, { name: 'staging' })

  const { id, config_project, created_by_user_id, name } = created.body
  assert.deepEqual([created.status, name, config_project.id, created_by_user_id], [201, 'staging', project.id, maintainer.id])
  await maintainer.post(url, { name: 'production' })
  assert.deepEqual(await maintainer.post(url, { name: 'staging' }), {
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
  assert.equal((await maintainer.post(url, { name: '-' })).status, 400)
  const listed = await developer.get(url)
  assert.deepEqual(
    listed.body.map((agent: { name: string }) => agent.name),
    ['production', 'staging'],
  )
  assert.equal((await developer.delete(`${url}/${id}`)).status, 403)
  assert.equal((await maintainer.delete(`${url}/${id}`)).status, 204)
  assert.equal((await maintainer.get(`${url}/${id}`)).status, 404)
  const audited = (await scene.root.get(`${project.url}/audit_events`)).body
    .filter((event: { details: { target_type: string } }) => event.details.target_type === 'Clusters::Agent')
    .map(({ details }: { details: { add?: string; remove?: string; target_details: string } }) => [
      details.target_details,
      details.add ?? details.remove,
    ])
  assert.deepEqual(audited.toReversed(), [
    ['staging', 'cluster_agent'],
    ['production', 'cluster_agent'],
    ['staging', 'cluster_agent'],
  ])
})

test('the configuration of an agent lets in projects by their path, and those below a group', async () => {
  const table: [string, string, boolean][] = [
    ['ci_access: { projects: [{ id: Group/App }] }', 'group/app', true],
    ['ci_access: { projects: [{ id: group/app }] }', 'group/app-two', false],
    ['ci_access: { groups: [{ id: group }] }', 'group/below/app', true],
    ['ci_access: { groups: [{ id: group }] }', 'group-two/app', false],
    ['ci_access: { groups: group }', 'group/app', false],
    ['ci_access: [', 'group/app', false],
    ['', 'group/app', false],
  ]
  for (const [text, path, expected] of table) assert.equal(letsIn(await ciAccessIn(text), path), expected, text)
})

test('a job gets the agents that it may use, with its context, and no other caller does (document 2 "Job-token context")', async () => {
  const { group } = await scene.group()
  const own = await scene.project({ group, members: ['developer', 'maintainer'] })
  const sharing = await scene.project({ group, members: ['maintainer'] })
  const elsewhere = await scene.project({ members: ['maintainer'] })
  const agent = async ({ project, maintainer }: typeof sharing, name: string) =>
    (await maintainer.post(`${project.url}/cluster_agents`, { name })).body.id
  const config = `ci_access: { projects: [{ id: ${own.project.full_path} }] }\n`
  await scene.commit(sharing.project, { [configPath('shared')]: config })
  await scene.commit(elsewhere.project, { [configPath('foreign')]: config })
  const expected = [await agent(own, 'own'), await agent(sharing, 'shared')]
  // As YAML it would be read for a long time.
  await scene.commit(sharing.project, { [configPath('large')]: `${config}#${' '.repeat(16 * 1024)}\n` })
  for (const name of ['closed', 'large']) await agent(sharing, name)
  await agent(elsewhere, 'foreign')
  const { id, token } = await runningJob(scene, own.project, own.developer)
  const job = scene.as({ 'job-token': token })

  const { status, body } = await job.get('/job/allowed_agents')

  assert.equal(status, 200)
  assert.deepEqual(
    body.allowed_agents.map((allowed: { id: number }) => allowed.id),
    expected,
  )
  assert.deepEqual(Object.keys(body.allowed_agents[0]), ['id', 'config_project'])
  assert.deepEqual([body.job.id, body.job.project_id, body.job.project_name], [id, own.project.id, own.project.name])
  assert.deepEqual([body.project.id, body.user.id, body.pipeline.project_id], [own.project.id, own.developer.id, own.project.id])
  assert.equal((await job.get('/job')).body.id, id, 'document 2, `GET /job`')
  assert.equal((await own.developer.get('/job/allowed_agents')).status, 404)
})
