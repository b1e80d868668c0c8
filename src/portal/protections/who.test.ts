import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A maintainer in a browser and a developer of a project. */
async function world() {
  const maintainer = await surfer()
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, developer } = await scene.project({ group, owner, members: ['developer'] })
  await scene.root.post(`${project.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  return { maintainer, developer, project, group, settings: `/${project.full_path}/-/settings` }
}

const named = (levels: readonly { user_id: number | null; group_id: number | null; access_level: number }[]) =>
  levels.map(({ user_id, group_id, access_level }) => (user_id ? `user ${user_id}` : group_id ? `group ${group_id}` : access_level))

test('who may push, merge and unprotect is said when a branch is protected, and changed afterwards', async () => {
  const { maintainer, developer, project, group, settings } = await world()
  const branches = `${settings}/protected_branches`
  const made = await maintainer.submit(`${branches}/new`, {
    name: 'stable',
    merge_role: '40',
    push_role: '0',
    'push_user_ids[]': String(developer.id),
    unprotect_role: '40',
  })
  const one = async () => (await scene.root.get(`${project.url}/protected_branches/stable`)).body
  assert.equal(made.status, 303)
  assert.deepEqual(named((await one()).push_access_levels), [`user ${developer.id}`])
  const form = String((await maintainer.get(`${branches}/stable/edit`)).body)
  assert.match(form, new RegExp(`name="push_user_ids\\[\\]" value="${developer.id}" checked`))

  const changed = await maintainer.submit(`${branches}/stable/edit`, [
    ['merge_role', '0'],
    ['merge_user_ids[]', ''],
    ['merge_group_ids[]', String(group.id)],
    ['push_role', '0'],
    ['push_user_ids[]', ''],
    ['push_group_ids[]', ''],
    ['unprotect_role', '40'],
    ['unprotect_user_ids[]', ''],
    ['allow_force_push', 'true'],
    ['code_owner_approval_required', 'false'],
  ])
  const { push_access_levels, merge_access_levels, unprotect_access_levels, allow_force_push } = await one()

  assert.equal(changed.status, 303)
  assert.deepEqual(
    [named(push_access_levels), named(merge_access_levels), named(unprotect_access_levels)],
    [[0], [`group ${group.id}`], [40]],
  )
  assert.equal(allow_force_push, true)
  const nobody = await maintainer.submit(`${branches}/stable/edit`, {
    merge_role: '40',
    push_role: '40',
    unprotect_role: '0',
    allow_force_push: 'true',
  })
  assert.match(String(nobody.body), /must be one where nobody is named/)
})

test('an environment is protected for a role, people and groups, changed and unprotected, and its page says so', async () => {
  const { maintainer, developer, project, settings } = await world()
  const { body: environment } = await scene.root.post(`${project.url}/environments`, { name: 'review/<one>'.replace(/[<>]/g, '') })
  const page = `/${project.full_path}/-/environments/${environment.id}`
  const link = /href="([^"]*protected_environments\/new\?name=[^"]+)"/.exec(String((await maintainer.get(page)).body))?.[1] as string
  assert.match(String((await maintainer.get(link)).body), /value="review\/one"/)
  const list = `${settings}/protected_environments`
  const nobody = await maintainer.submit(`${list}/new`, { name: 'review/one', deploy_role: '0' })
  const made = await maintainer.submit(`${list}/new`, { name: 'review/one', deploy_role: '40', 'deploy_user_ids[]': String(developer.id) })

  assert.match(String(nobody.body), /Who may deploy must be one where nobody is named/)
  assert.equal(made.status, 303)
  const again = await maintainer.submit(`${list}/new`, { name: 'review/one', deploy_role: '40' })
  assert.match(String(again.body), /Environment is protected already/)
  const levels = async () => named((await scene.root.get(`${project.url}/protected_environments/review%2Fone`)).body.deploy_access_levels)
  assert.deepEqual(await levels(), [40, `user ${developer.id}`])
  assert.match(String((await maintainer.get(list)).body), new RegExp(`<a href="${page}">review/one</a>[\\s\\S]*Deploy: Maintainers, `))
  assert.match(String((await maintainer.get(page)).body), /It is protected: Maintainers, [^<]*may deploy here\.[\s\S]*Change who may/)
  await maintainer.submit(`${list}/review%2Fone/edit`, { deploy_role: '30', 'deploy_user_ids[]': '' })
  assert.deepEqual(await levels(), [30])
  assert.equal((await maintainer.submit(`${list}/review%2Fone/remove`, {})).status, 303)
  assert.match(String((await maintainer.get(list)).body), /Developers deploy everywhere/)
  const outsider = await surfer()
  assert.equal((await outsider.get(list)).status, 404)
})

test('a group protects tiers where the feature is on, and its settings say where', async () => {
  const owner = await surfer()
  const { group } = await scene.group({ owner: owner.person })
  const settings = `/groups/${group.full_path}/-/settings`
  await scene.root.delete('/features/group_level_protected_environments')
  assert.equal((await owner.get(`${settings}/protected_environments`)).status, 404)
  assert.match(String((await owner.get(`${settings}/ci_cd`)).body), /where an administrator has switched on the feature/)
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  assert.match(String((await owner.get(`${settings}/ci_cd`)).body), new RegExp(`href="${settings}/protected_environments"`))
  assert.equal((await owner.submit(`${settings}/protected_environments/new`, { name: 'production', deploy_role: '60' })).status, 303)
  assert.match(String((await owner.get(`${settings}/protected_environments`)).body), /production[\s\S]*Deploy: Instance admins/)
})

test('a group that the caller does not see is not offered, although the project is shared with it', async () => {
  const { maintainer, project, settings } = await world()
  const { group: hidden } = await scene.group({ visibility: 'private' })
  const { group: seen } = await scene.group({ visibility: 'public' })
  for (const { id } of [hidden, seen])
    assert.equal((await scene.root.post(`${project.url}/share`, { group_id: id, group_access: 30 })).status, 201)

  const { body } = await maintainer.get(`${settings}/protected_branches/new`)

  assert.ok(String(body).includes(seen.full_path))
  assert.ok(!String(body).includes(hidden.full_path))
})
