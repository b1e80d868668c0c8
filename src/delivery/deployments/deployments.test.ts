import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import type { Person, SceneProject } from '../../../test/scene.ts'
import { openScene } from '../../../test/scene.ts'
import { addHookTo, openReceiver, workOf } from '../../integrations/hooks/scene.ts'
import { keepAroundRef, readRefs } from '../../platform/git/index.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)
const { db } = scene.deps.database

/** A project with a commit, and a function that reports its deployment by a user. */
async function deployable() {
  const made = await scene.project({ members: ['developer', 'maintainer', 'reporter'] })
  const sha = await scene.commit(made.project, { 'a.txt': 'a' })
  return { ...made, sha, url: `${made.project.url}/deployments` }
}

const deploy = (person: Person, project: SceneProject, sha: string, given: object = {}) =>
  person.post(`${project.url}/deployments`, { environment: 'production', sha, ref: 'main', status: 'success', ...given })

const iids = (answer: { body: { iid: number }[] }) => answer.body.map(deployment => deployment.iid)

test('a deployment is reported, makes its environment, and is the last one of it (document 2 `last_deployment`)', async () => {
  const { project, developer, sha, url } = await deployable()

  const created = await deploy(developer, project, sha)

  const { id, created_at, updated_at, environment, user, ...rest } = created.body
  assert.equal(created.status, 201)
  assert.deepEqual(rest, { iid: 1, ref: 'main', sha, status: 'success', deployable: null })
  assert.deepEqual([environment.name, environment.slug, environment.external_url], ['production', 'production', null])
  assert.equal(user.username, developer.username)
  assert.equal(created_at, updated_at)
  assert.deepEqual(await developer.get(`${url}/${id}`), { status: 200, body: created.body })
  const { body } = await developer.get(`${project.url}/environments/${environment.id}`)
  assert.deepEqual(body.last_deployment, { id, created_at, user, ...rest })
  await deploy(developer, project, sha, { status: 'failed' })
  const again = await developer.get(`${project.url}/environments/${environment.id}`)
  assert.equal(again.body.last_deployment.iid, 1, 'what failed is not there')
})

test('what is reported must exist in the repository', async () => {
  const { project, developer, sha } = await deployable()
  const { project: empty } = await scene.project({ owner: developer })
  const refused: [object, object][] = [
    [{ sha: 'f'.repeat(40) }, { sha: ['is invalid'] }],
    [{ sha: 'main' }, { sha: ['is invalid'] }],
    [{ ref: 'gone' }, { ref: ['The branch or tag does not exist'] }],
    [{ status: 'created' }, { status: ['does not have a valid value'] }],
  ]
  for (const [given, message] of refused) assert.deepEqual(await deploy(developer, project, sha, given), { status: 400, body: { message } })
  assert.equal((await deploy(developer, empty, sha)).status, 400)
  assert.equal((await deploy(developer, project, sha, { environment: '/x' })).status, 400)
  assert.deepEqual(await developer.post(`${project.url}/deployments`, { environment: 'x', sha, ref: 'main' }), {
    status: 400,
    body: { message: '400 (Bad request) "status" not given' },
  })
  assert.equal((await deploy(developer, project, sha.slice(0, 8))).body.sha, sha)
  assert.deepEqual((await developer.get(`${project.url}/environments?name=x`)).body, [], 'a refused report makes no environment')
})

test('a deployment moves as it is reported, and a stopped environment is there again when one succeeds', async () => {
  const { project, developer, reporter, sha, url } = await deployable()
  const { body } = await deploy(developer, project, sha, { status: 'running' })
  const environment = `${project.url}/environments/${body.environment.id}`
  await developer.post(`${environment}/stop`)

  assert.deepEqual(await developer.put(`${url}/${body.id}`, { status: 'running' }), {
    status: 400,
    body: { message: { status: ['cannot transition via "run"'] } },
  })
  assert.equal((await developer.get(environment)).body.state, 'stopped')
  const done = await developer.put(`${url}/${body.id}`, { status: 'success' })
  assert.deepEqual([done.status, done.body.status], [200, 'success'])
  assert.equal((await developer.get(environment)).body.state, 'available')
  assert.equal((await developer.put(`${url}/${body.id}`, { status: 'canceled' })).body.status, 'canceled')
  assert.equal((await reporter.put(`${url}/${body.id}`, { status: 'failed' })).status, 403)
})

test('concurrent deployments to an environment all succeed, each with a number of its own', async () => {
  const { project, developer, sha } = await deployable()
  const { body } = await developer.post(`${project.url}/environments`, { name: 'production' })
  await developer.post(`${project.url}/environments/${body.id}/stop`)

  const answers = await Promise.all(Array.from({ length: 8 }, () => deploy(developer, project, sha)))

  assert.deepEqual(answers.map(answer => answer.body.iid).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
  const moved = await Promise.all(
    ['success', 'failed', 'canceled'].map(status => developer.put(`${project.url}/deployments/${answers[0]?.body.id}`, { status })),
  )
  assert.ok(moved.every(answer => answer.status === 200 || answer.status === 400))
})

test('a list is narrowed by environment, status and time, and ordered', async () => {
  const { project, developer, sha, url } = await deployable()
  await scene.root.post(`${project.url}/repository/branches`, { branch: 'a-branch', ref: 'main' })
  await deploy(developer, project, sha)
  await deploy(developer, project, sha, { environment: 'staging', status: 'failed' })
  const { body: third } = await deploy(developer, project, sha, { ref: 'a-branch', status: 'running' })

  assert.deepEqual(iids(await developer.get(url)), [1, 2, 3])
  assert.deepEqual(iids(await developer.get(`${url}?sort=desc`)), [3, 2, 1])
  assert.deepEqual(iids(await developer.get(`${url}?order_by=ref&sort=asc`)), [3, 1, 2])
  for (const order_by of ['iid', 'created_at', 'updated_at'])
    assert.deepEqual(iids(await developer.get(url, { order_by })), [1, 2, 3], order_by)
  assert.deepEqual(iids(await developer.get(`${url}?environment=production`)), [1, 3])
  assert.deepEqual(iids(await developer.get(`${url}?environment=prod`)), [])
  assert.deepEqual(iids(await developer.get(`${url}?status=failed`)), [2])
  assert.deepEqual(iids(await developer.get(url, { updated_after: third.updated_at })), [3], 'inclusive (decision 41)')
  assert.deepEqual(iids(await developer.get(url, { updated_before: '2000-01-01T00:00:00Z' })), [])
  assert.deepEqual(iids(await developer.get(url, { order_by: 'finished_at', finished_after: '2000-01-01T00:00:00Z' })), [1, 2])
  assert.equal((await developer.get(`${url}?status=gone`)).status, 400)
})

test('a deployment that becomes the last one while it is deleted stays', async () => {
  const { project, developer, maintainer, sha, url } = await deployable()
  await deploy(developer, project, sha)
  const { body: failed } = await deploy(developer, project, sha, { status: 'failed' })
  const report = [`update deployments set status = 'success', finished_at = now() where id = $1`, [failed.id]] as const

  const deletion = await overtakenBy(scene.deps.database, report, () => maintainer.delete(`${url}/${failed.id}`))

  assert.deepEqual(deletion, { status: 400, body: { message: '400 Bad request - Deployment currently deployed to environment' } })
  assert.equal((await maintainer.get(`${url}/${failed.id}`)).body.status, 'success')
})

test('a deployment that is over is deleted by a Maintainer, unless it is the one that is there', async () => {
  const { project, developer, maintainer, sha, url } = await deployable()
  const { body: first } = await deploy(developer, project, sha)
  const { body: running } = await deploy(developer, project, sha, { status: 'running' })

  assert.equal((await developer.delete(`${url}/${first.id}`)).status, 403)
  assert.deepEqual(await maintainer.delete(`${url}/${first.id}`), {
    status: 400,
    body: { message: '400 Bad request - Deployment currently deployed to environment' },
  })
  assert.deepEqual(await maintainer.delete(`${url}/${running.id}`), {
    status: 400,
    body: { message: '400 Bad request - Cannot destroy running deployment' },
  })
  await developer.put(`${url}/${running.id}`, { status: 'success' })
  assert.equal((await maintainer.delete(`${url}/${first.id}`)).status, 204)
  assert.equal((await maintainer.get(`${url}/${first.id}`)).status, 404)
  assert.equal((await deploy(developer, project, sha)).body.iid, 3, 'no number is given twice')
})

test('what is deployed stays in the repository when its branch is gone', async () => {
  const { project, developer } = await deployable()
  const sha = await scene.commit(project, { 'b.txt': 'b' })
  await deploy(developer, project, sha)
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  assert.deepEqual(await readRefs(repository, [keepAroundRef(sha)]), [sha])
})

/** A merge request as it is once it was merged as this commit. */
async function merged(project: SceneProject, iid: number, columns: Record<string, string>, target_branch = 'main') {
  const row = { project_id: project.id, iid, source_branch: `s${iid}`, target_branch, author_id: scene.root.id, title: `Merge ${iid}` }
  await db
    .insertInto('merge_requests')
    .values({ ...row, state: 'merged', merged_at: '2020-01-01T00:00:00Z', ...columns })
    .execute()
}

test('merge requests come with the first deployment to an environment after they were merged', async () => {
  const { project, developer, sha: first, url } = await deployable()
  await merged(project, 1, { merge_commit_sha: first })
  await merged(project, 2, { merge_commit_sha: 'e'.repeat(40) }, 'elsewhere')
  await merged(project, 6, { merge_commit_sha: 'd'.repeat(40), merged_at: '2999-01-01T00:00:00Z' })
  const brought = async (deployment: { id: number }, query = '') =>
    iids(await developer.get(`${url}/${deployment.id}/merge_requests${query}`))
  const { body: one } = await deploy(developer, project, first)
  await deliver()
  const second = await scene.commit(project, { 'b.txt': 'b' })
  const third = await scene.commit(project, { 'c.txt': 'c' })
  const fourth = await scene.commit(project, { 'd.txt': 'd' })
  await merged(project, 3, { merge_commit_sha: second })
  await merged(project, 4, { squash_commit_sha: third })
  await merged(project, 5, { merged_commit_sha: fourth })
  const { body: two } = await deploy(developer, project, third, { status: 'running' })
  await deliver()
  assert.deepEqual(await brought(two), [], 'it has not arrived yet')
  await developer.put(`${url}/${two.id}`, { status: 'success' })
  const { body: three } = await deploy(developer, project, fourth)
  const { body: back } = await deploy(developer, project, first)
  const { body: again } = await deploy(developer, project, fourth)
  const { body: review } = await deploy(developer, project, fourth, { environment: 'review/x' })
  const { body: staging } = await deploy(developer, project, fourth, { environment: 'staging/eu' })

  await deliver()
  await deliver()

  assert.deepEqual(await brought(one), [1], 'the first brings what was merged into its branch')
  assert.deepEqual(await brought(two, '?sort=asc'), [3, 4])
  assert.deepEqual(await brought(three), [5])
  assert.deepEqual([await brought(back), await brought(again)], [[], []], 'each comes once')
  assert.deepEqual(await brought(review), [], 'none comes with a review app')
  assert.deepEqual(await brought(staging, '?sort=asc'), [1, 3, 4, 5])
  const events = await db
    .selectFrom('events')
    .select('payload')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'deployment.brought')
    .orderBy('id')
    .execute()
  const payloads = events.map(({ payload }) => payload as unknown as { deployment_id: number; tier: string; merge_request_ids: number[] })
  assert.deepEqual(
    payloads.map(({ deployment_id, tier, merge_request_ids }) => [deployment_id, tier, merge_request_ids.length]),
    [
      [one.id, 'production', 1],
      [two.id, 'production', 2],
      [three.id, 'production', 1],
      [staging.id, 'staging', 4],
    ],
  )
  const inProduction = (await developer.get(`${project.url}/merge_requests/3`)).body.first_deployed_to_production_at
  assert.match(String(inProduction), /Z$/)
})

test('hooks are notified of a deployment when it begins and when it ends', async () => {
  const { project, developer, owner, sha, url } = await deployable()
  const receiver = await openReceiver()
  await deliver()
  await addHookTo(owner, project, { url: receiver.url, deployment_events: true, push_events: false })
  const { body } = await deploy(developer, project, sha, { status: 'running' })
  await developer.put(`${url}/${body.id}`, { status: 'failed' })

  await deliver()

  assert.deepEqual(
    receiver.received.map(request => [request.headers['x-gitlab-event'], request.body.status]),
    [
      ['Deployment Hook', 'running'],
      ['Deployment Hook', 'failed'],
    ],
  )
  const { project: about, user, status_changed_at, ...rest } = receiver.received[1]?.body ?? {}
  assert.match(status_changed_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/)
  assert.deepEqual([about.path_with_namespace, user.username], [project.full_path, developer.username])
  assert.deepEqual(rest, {
    object_kind: 'deployment',
    status: 'failed',
    deployment_id: body.id,
    deployable_id: null,
    deployable_url: null,
    environment: 'production',
    environment_tier: 'production',
    environment_slug: 'production',
    environment_external_url: null,
    short_sha: sha.slice(0, 8),
    user_url: about.web_url.replace(project.full_path, developer.username),
    commit_url: `${about.web_url}/-/commit/${sha}`,
    commit_title: 'Change files',
    ref: 'main',
  })
  assert.equal(
    (await owner.post(`${project.url}/hooks/${(await owner.get(`${project.url}/hooks`)).body[0].id}/test/deployment_events`)).status,
    201,
  )
})
