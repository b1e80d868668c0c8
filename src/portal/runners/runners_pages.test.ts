import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { registered } from '../../ci/runner_protocol/scene.ts'
import { jobOf, projectWithPipeline } from '../../ci/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A member of a project or group in a browser. */
async function memberOf(place: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${place.url}/members`, { user_id: member.person.id, access_level })
  return member
}

const idOf = async (project: { readonly url: string }): Promise<number> =>
  (await scene.root.get(`${project.url}/runners`, { type: 'project_type' })).body[0].id

test('the runners of a project are listed with the lines that register one; a Developer gets no such page', async () => {
  const { project } = await scene.project({})
  await registered(scene, { project })
  const [maintainer, developer] = [await memberOf(project, 40), await memberOf(project, 30)]
  const address = `/${project.full_path}/-/runners`
  const { runners_token: token } = (await scene.root.get(project.url)).body

  const page = String((await maintainer.get(address)).body)

  assert.match(page, new RegExp(`INGOT_RUNNER_TOKEN=${token} bin/ingot runner --url `))
  assert.match(page, new RegExp(`gitlab-runner register [^"]*--registration-token ${token}`))
  assert.match(page, /Started as root, add <code>--run-as 1000:1000<\/code>/)
  assert.match(page, /Online|Never contacted/)
  assert.match(String((await maintainer.get(`${address}?status=paused`)).body), /None is like this/)
  assert.equal((await developer.get(address)).status, 403)
})

test('a runner is paused, changed and removed by its maintainers; what it cannot be is said at the form', async () => {
  const { project } = await scene.project({})
  await registered(scene, { project })
  const id = await idOf(project)
  const maintainer = await memberOf(project, 40)
  const page = `/${project.full_path}/-/runners/${id}`

  await maintainer.submit(`${page}/change`, { active: 'false' })
  const paused = String((await maintainer.get(page)).body)
  const form = { description: 'The <big> one', active: 'true', access_level: 'ref_protected', locked: 'true', maximum_timeout: '' }
  const refused = await maintainer.submit(`${page}/edit`, { ...form, tag_list: '', run_untagged: 'false' })
  const changed = await maintainer.submit(`${page}/edit`, {
    ...form,
    tag_list: 'linux, docker',
    run_untagged: 'false',
    maximum_timeout: '3600',
  })

  assert.match(paused, /Paused[\s\S]*Resume|Resume[\s\S]*Paused/)
  assert.equal(refused.status, 422)
  assert.match(String(refused.body), /can not be empty when runner is not allowed to pick untagged jobs/)
  assert.equal(changed.headers.location, page)
  const { body } = await scene.root.get(`/runners/${id}`)
  assert.deepEqual(
    [body.description, body.active, body.access_level, body.locked, body.tag_list, body.run_untagged, body.maximum_timeout],
    ['The <big> one', true, 'ref_protected', true, ['linux', 'docker'], false, 3600],
  )
  assert.match(String((await maintainer.get(page)).body), /The &lt;big&gt; one/)
  await maintainer.submit(`${page}/delete`, {})
  assert.equal((await scene.root.get(`/runners/${id}`)).status, 404)
})

test('a runner of another project is enabled and taken away again, and runners of the instance are left out', async () => {
  const [{ project }, { project: other }] = [await scene.project({}), await scene.project({})]
  await registered(scene, { project: other })
  const id = await idOf(other)
  await scene.root.put(`/runners/${id}`, { locked: false })
  const maintainer = await memberOf(project, 40)
  await scene.root.post(`${other.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  const address = `/${project.full_path}/-/runners`

  const offered = String((await maintainer.get(address)).body)
  await maintainer.submit(`${address}/enable`, { runner_id: String(id) })
  const one = String((await maintainer.get(`${address}/${id}`)).body)
  await maintainer.submit(`${address}/${id}/disable`, {})
  await maintainer.submit(`${address}/toggle_shared_runners`, { shared_runners_enabled: 'false' })

  assert.match(offered, /Runners of your other projects[\s\S]*Enable/)
  assert.doesNotMatch(offered, new RegExp(`href="[^"]*/-/runners/${id}"`), 'it has no page here')
  assert.match(one, /Take from the project/)
  assert.equal((await maintainer.get(`${address}/${id}`)).status, 404)
  assert.equal((await scene.root.get(project.url)).body.shared_runners_enabled, false)
})

test('a group has a page of its runners, for its owners', async () => {
  const { group } = await scene.group({})
  const [owner, maintainer] = [await memberOf(group, 50), await memberOf(group, 40)]
  const address = `/groups/${group.full_path}/-/runners`

  const page = String((await owner.get(address)).body)

  assert.match(page, /Register a runner/)
  assert.doesNotMatch(page, /toggle_shared_runners/)
  assert.equal((await maintainer.get(address)).status, 403)
})

test('the page of a waiting job leads those who manage runners to them', async () => {
  const { project, pipeline } = await projectWithPipeline(scene, {})
  const { id } = await jobOf(scene, pipeline, { status: 'pending' })
  const [maintainer, developer] = [await memberOf(project, 40), await memberOf(project, 30)]
  const address = `/${project.full_path}/-/jobs/${id}`
  const link = new RegExp(`href="/${project.full_path}/-/runners">See the runners`)

  assert.match(String((await maintainer.get(address)).body), link)
  assert.doesNotMatch(String((await developer.get(address)).body), link)
})
