import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()
const { db } = scene.deps.database

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** A project of a group with environments that were last changed a month ago, and a deployment of yesterday in `deployed`. */
async function projectWithEnvironments() {
  const group = await scene.group()
  const made = await scene.project({ group: group.group, members: ['reporter', 'developer', 'maintainer'] })
  const { project, developer, maintainer } = made
  const commit = await scene.commit(project, { 'README.md': 'text' })
  for (const name of ['review/old', 'review/stopped', 'deployed', 'guarded', 'production']) {
    const { status, body } = await developer.post(`${project.url}/environments`, { name })
    assert.equal(status, 201, JSON.stringify(body))
    if (name === 'review/stopped') await developer.post(`${project.url}/environments/${body.id}/stop`)
  }
  const deployment = { environment: 'deployed', sha: commit, ref: 'main', tag: false, status: 'success' }
  const { status, body } = await developer.post(`${project.url}/deployments`, deployment)
  assert.equal(status, 201, JSON.stringify(body))
  await db
    .updateTable('environments')
    .set({ updated_at: daysAgo(30) })
    .where('project_id', '=', project.id)
    .execute()
  await developer.post(`${project.url}/environments`, { name: 'review/new' })
  await maintainer.post(`${project.url}/protected_environments`, { name: 'guarded', deploy_access_levels: [{ access_level: 30 }] })
  return { ...made, group }
}

test('environments unused since a day are stopped by the clock; not those in use, nor what is protected', async () => {
  const { project, developer, group } = await projectWithEnvironments()
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  const above = { name: 'production', deploy_access_levels: [{ access_level: 40 }] }
  assert.equal((await scene.root.post(`${group.group.url}/protected_environments`, above)).status, 201)

  const asked = await developer.post(`${project.url}/environments/stop_stale`, { before: daysAgo(8) })
  await tasksOf(scene.deps).stop_expired_environments({}, undefined)

  assert.deepEqual(asked, { status: 200, body: { message: '200 OK' } })
  const { body } = await developer.get(`${project.url}/environments?states=available`)
  assert.deepEqual(body.map(({ name }: { name: string }) => name).sort(), ['deployed', 'guarded', 'production', 'review/new'])
})

test('the day of stale environments lies between ten years and a week ago, and reporters stop none', async () => {
  const { project, developer, reporter } = await projectWithEnvironments()
  const url = `${project.url}/environments/stop_stale`

  for (const before of [daysAgo(6), daysAgo(-1), daysAgo(3_660)])
    assert.deepEqual(await developer.post(url, { before }), { status: 400, body: { message: '400 Bad request - Invalid Date' } })
  assert.equal((await developer.post(url, {})).status, 400)
  assert.equal((await developer.post(url, { before: 'long ago' })).status, 400)
  assert.equal((await reporter.post(url, { before: daysAgo(8) })).status, 403)
  assert.equal((await developer.get(`${project.url}/environments?states=available`)).body.length, 5)
})
