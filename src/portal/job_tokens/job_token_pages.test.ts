/** The lists of what job tokens reach, on the page of the settings of CI/CD. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('projects and groups are put on the lists by their paths, shown there, and taken off', async () => {
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { group } = await scene.group({ owner: owner.person })
  const { project } = await scene.project({ owner: owner.person })
  const { project: other } = await scene.project({ group, owner: owner.person })
  const page = `/${project.full_path}/-/settings/ci_cd`
  const lists = `${page}/job_tokens`
  const scope = `${project.url}/job_token_scope`
  const ids = async (path: string, query = {}) => (await by.get(`${scope}/${path}`, query)).body.map(({ id }: { id: number }) => id)

  const form = (await owner.get(`${lists}/projects/new`, { direction: 'outbound' })).body
  assert.match(form, new RegExp(`<option value="${other.full_path}">`))
  assert.match(form, /value="outbound" checked/)
  const added = await owner.submit(`${lists}/projects/new`, { project: `/${other.full_path}`, direction: 'inbound' })
  assert.equal(added.headers.location, `${page}#job_tokens`)
  const outward = await owner.submit(`${lists}/projects/new`, { project: other.full_path, direction: 'outbound' })
  assert.equal(outward.headers.location, `${page}#reach`)
  assert.equal((await owner.submit(`${lists}/groups/new`, { group: group.full_path })).status, 303)
  assert.deepEqual([await ids('allowlist'), await ids('groups_allowlist')], [[project.id, other.id], [group.id]])

  const shown = (await owner.get(page)).body
  assert.match(shown, new RegExp(`/groups/${group.id}/remove`))
  assert.ok(!shown.includes(`/projects/${project.id}/remove`), 'the project itself stays on its lists')
  assert.equal((await owner.submit(`${lists}/projects/${other.id}/remove`, { direction: 'inbound' })).status, 303)
  assert.deepEqual([await ids('allowlist'), await ids('allowlist', { direction: 'outbound' })], [[project.id], [project.id, other.id]])
  assert.equal((await owner.submit(`${lists}/groups/${group.id}/remove`, {})).status, 303)
  assert.deepEqual(await ids('groups_allowlist'), [])
})

test('what the caller cannot see is refused at its field, and so is what is listed already', async () => {
  const owner = await surfer()
  const { project } = await scene.project({ owner: owner.person })
  const { project: hidden } = await scene.project({ visibility: 'private' })
  const { group: hiddenGroup } = await scene.group({ visibility: 'private' })
  const lists = `/${project.full_path}/-/settings/ci_cd/job_tokens`

  const refused = await owner.submit(`${lists}/projects/new`, { project: hidden.full_path, direction: 'inbound' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /Project is not the path of a project that you can see/)
  assert.match(refused.body, new RegExp(`value="${hidden.full_path}"`))
  assert.equal((await owner.submit(`${lists}/groups/new`, { group: hiddenGroup.full_path })).status, 422)
  assert.equal((await owner.submit(`${lists}/groups/new`, { group: String(hiddenGroup.id) })).status, 422)
  const twice = await owner.submit(`${lists}/projects/new`, { project: project.full_path, direction: 'inbound' })
  assert.match(twice.body, /role="alert".*already in the job token scope/)
})

test('the lists are for Maintainers', async () => {
  const developer = await surfer()
  const { project } = await scene.project({ visibility: 'public' })
  await scene.root.post(`${project.url}/members`, { user_id: developer.person.id, access_level: 30 })
  const lists = `/${project.full_path}/-/settings/ci_cd/job_tokens`
  assert.equal((await developer.get(`${lists}/projects/new`)).status, 403)
  assert.equal((await developer.submit(`${lists}/projects/new`, { project: project.full_path, direction: 'inbound' })).status, 403)
})
