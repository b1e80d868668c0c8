/** What the tokens of jobs reach of groups, and of what their users have for themselves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneGroup } from '../../../test/scene.ts'
import { runningJob } from '../jobs/scene.ts'

const scene = await openScene()

/** A group with a wiki, a distribution of Debian, and a project with a package that lets no jobs in. */
async function filledGroup(owner: Person, options: { readonly parent?: SceneGroup; readonly visibility?: 'private' | 'public' } = {}) {
  const { visibility = 'private' } = options
  const { group } = await scene.group({ owner, visibility, ...(options.parent && { parent: options.parent }) })
  const { project } = await scene.project({ owner, group, visibility })
  assert.equal((await owner.post(`${group.url}/wikis`, { title: 'home', content: 'internal' })).status, 201)
  assert.equal((await owner.post(`${group.url}/-/debian_distributions`, { codename: 'sid' })).status, 201)
  const file = `${scene.url}/api/v4${project.url}/packages/generic/tool/1.0/tool.txt`
  assert.equal((await fetch(file, { method: 'PUT', headers: { 'private-token': owner.token }, body: 'tool' })).status, 201)
  assert.equal((await owner.patch(`${project.url}/job_token_scope`, { enabled: true })).status, 204)
  return { group, project }
}

/** What the token of a job gets of a group. */
async function waysInto(token: string, { url, full_path }: SceneGroup) {
  const basic = { authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }
  const job = scene.as({ 'job-token': token })
  const distributions = `${url}/-/debian_distributions`
  const wiki = await scene.anonymous.get(`${scene.url}/${full_path}.wiki.git/info/refs`, { service: 'git-upload-pack' }, basic)
  const packages = await job.get(`${url}/packages`)
  return {
    wiki: wiki.status,
    packages: packages.status === 200 ? packages.body.length : packages.status,
    distributions: (await job.get(distributions)).status,
    creates: (await job.post(distributions, { codename: 'trixie' })).status,
    changes: (await job.put(`${distributions}/sid`, { description: 'changed' })).status,
    deletes: (await job.delete(`${distributions}/sid`)).status,
  }
}

const user = await scene.user()
const { group: top } = await scene.group({ owner: user })
const { project: own } = await scene.project({ owner: user, group: top })
const { token } = await runningJob(scene, own, user)

test('of the groups of its user a job reaches those that its project is in', async () => {
  const elsewhere = await filledGroup(user)
  const beside = await filledGroup(user, { parent: top })

  const none = { wiki: 404, packages: 404, distributions: 404, creates: 404, changes: 404, deletes: 404 }
  assert.deepEqual([await waysInto(token, elsewhere.group), await waysInto(token, beside.group)], [none, none])
  await user.post(`${top.url}/wikis`, { title: 'home', content: 'internal' })
  await user.post(`${top.url}/-/debian_distributions`, { codename: 'sid' })
  assert.deepEqual(await waysInto(token, top), { wiki: 200, packages: 0, distributions: 200, creates: 201, changes: 200, deletes: 202 })
})

test('of a group with a project that lets it in it reads packages, and nothing else that is not public', async () => {
  const { group, project } = await filledGroup(user)
  await user.post(`${project.url}/job_token_scope/allowlist`, { target_project_id: own.id })

  assert.deepEqual(await waysInto(token, group), { wiki: 404, packages: 1, distributions: 200, creates: 403, changes: 403, deletes: 403 })
})

test('of a public group it sees what anyone does', async () => {
  const { group } = await filledGroup(user, { visibility: 'public' })

  assert.deepEqual(await waysInto(token, group), { wiki: 200, packages: 1, distributions: 200, creates: 403, changes: 403, deletes: 403 })
})

test('of the snippets of its user it reads those that anyone reads', async () => {
  const basic = { authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }
  const answers = []
  for (const visibility of ['private', 'internal', 'public']) {
    const { body } = await user.post('/snippets', { title: 'Mine', files: [{ file_path: 'a.txt', content: 'a' }], visibility })
    const git = `${scene.url}/snippets/${body.id}.git/info/refs`
    answers.push((await scene.anonymous.get(git, { service: 'git-upload-pack' }, basic)).status)
  }

  assert.deepEqual(answers, [404, 404, 200])
})
