import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const visitor = await surfer()

/** A public project of the owner with a CI file, and its path. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const ci = 'build:\n  script: make\nship:\n  stage: deploy\n  script: make ship\n'
  await scene.commit(project, { '.gitlab-ci.yml': ci, 'src/lamp.txt': 'lit\n' })
  assert.equal((await scene.root.post(`${project.url}/pipeline`, { ref: 'main' })).status, 201)
  return { project, path: `/${project.full_path}` }
}

test('the newest commit stands above the files with the status of its pipeline, for those who may read that', async () => {
  const { project, path } = await place()
  const { body: commit } = await scene.root.get(`${project.url}/repository/commits/main`)
  const line = new RegExp(`class="panel last-commit">.*${commit.short_id}`, 's')
  const chip = /class="panel last-commit">.*\/-\/pipelines\/\d+"/s
  for (const page of [path, `${path}/-/tree/main`]) {
    const { body } = await owner.get(page)
    assert.match(body, line)
    assert.match(body, chip)
  }
  assert.doesNotMatch((await owner.get(`${path}/-/tree/main/src`)).body, line, 'the files of a folder are older')
  await scene.root.put(project.url, { builds_access_level: 'private' })
  const { body } = await visitor.get(path)
  assert.match(body, line)
  assert.doesNotMatch(body, chip)
})

test('who has asked for access sees so, and takes the request back', async () => {
  const { path } = await place()
  assert.match((await visitor.get(path)).body, />Ask for access</)
  await visitor.submit(`${path}/-/request_access`, {})
  const { body } = await visitor.get(path)
  assert.match(body, /You asked for access/)
  assert.doesNotMatch(body, />Ask for access</)
  const taken = await visitor.submit(`${path}/-/project_members/requests/${visitor.person.id}/deny`, {})
  assert.equal(taken.status, 303)
  assert.equal(new URL(String(taken.headers.location), scene.url).pathname, path)
  assert.match((await visitor.get(path)).body, />Ask for access</)

  await visitor.submit(`${path}/-/request_access`, {})
  const members = `${path}/-/project_members`
  const denied = await owner.submit(`${members}/requests/${visitor.person.id}/deny`, {})
  assert.equal(new URL(String(denied.headers.location), scene.url).pathname, members)
  assert.match((await visitor.get(path)).body, />Ask for access</)
})

test('an issue that nobody is assigned to is taken by one button, by those who may plan', async () => {
  const { project, path } = await place()
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'The lamp flickers' })
  const page = `${path}/-/issues/${issue.iid}`
  assert.doesNotMatch((await visitor.get(page)).body, />Assign yourself</)
  const [, id] = /name="assignee_ids" value="(\d+)"[^>]*>(?:<[^>]*>)*Assign yourself/.exec((await owner.get(page)).body) ?? []
  assert.equal(Number(id), owner.person.id)
  assert.equal((await owner.submit(`${page}/change`, { assignee_ids: id ?? '' })).status, 303)
  assert.equal((await scene.root.get(`${project.url}/issues/${issue.iid}`)).body.assignees[0].id, owner.person.id)
  assert.doesNotMatch((await owner.get(page)).body, />Assign yourself</)
})

test('a job without a log says why it has none', async () => {
  const { project, path } = await place()
  const { body: jobs } = await scene.root.get(`${project.url}/jobs`)
  const job = jobs.find(({ name }: { name: string }) => name === 'ship')
  const become = (status: 'created' | 'skipped' | 'canceled') =>
    scene.deps.database.db.updateTable('jobs').set({ status }).where('id', '=', job.id).execute()
  for (const [status, says] of [
    ['created', /Its log appears here once it runs/],
    ['skipped', new RegExp(`It was skipped: .*${path}/-/pipelines/${job.pipeline.id}/failures`)],
    ['canceled', /It was canceled before it ran/],
  ] as const) {
    await become(status)
    assert.match((await owner.get(`${path}/-/jobs/${job.id}`)).body, says)
  }
})

test('what is read by a former path leads to the same page of the project, and nothing is written there', async () => {
  const { project, path } = await place()
  const name = `moved-${project.id}`
  assert.equal((await scene.root.put(project.url, { path: name })).status, 200)
  const now = path.replace(/[^/]+$/, name)
  for (const rest of ['/-/tree/main/src?search=a', '/-/blob/main/src/lamp.txt', '/-/issues', '/-/edit', '/-/hooks/new', '']) {
    const { status, headers } = await owner.get(path + rest)
    assert.deepEqual([status, headers.location], [301, `${scene.url}${now}${rest}`])
  }
  assert.equal((await owner.submit(`${path}/-/issues/new`, { title: 'A lamp' })).status, 404)
  assert.equal((await owner.submit(`${path}/-/hooks/new`, { url: 'https://example.com' })).status, 405)
  await scene.root.put(project.url, { visibility: 'private' })
  assert.equal((await visitor.get(`${path}/-/issues`)).status, 404, 'who may not see the project does not learn its path')
})

test('the forks of a project are listed for those who may see them', async () => {
  const { project, path } = await place()
  assert.match((await owner.get(`${path}/-/forks`)).body, /No forks to show/)
  const fork = async (name: string, visibility: string) => {
    const { status, body } = await scene.root.post(`${project.url}/fork`, { name, path: name, visibility })
    assert.equal(status, 201)
    return body.path_with_namespace as string
  }
  const [open, hidden] = [await fork(`open-${project.id}`, 'public'), await fork(`hidden-${project.id}`, 'private')]
  const { body } = await visitor.get(`${path}/-/forks`)
  assert.ok(body.includes(`href="/${open}"`))
  assert.ok(!body.includes(hidden))
  assert.ok(body.includes(`href="${path}/-/forks/new"`))
  assert.ok(!(await visitor.get(`${path}/-/forks?search=nothing-like-it`)).body.includes(open))
  assert.ok((await visitor.get(path)).body.includes(`href="${path}/-/forks">`), 'the number of forks leads there')
})
