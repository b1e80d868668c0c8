import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const level = (access_level: number, access_level_description: string) => ({
  access_level,
  access_level_description,
  user_id: null,
  group_id: null,
})
const withoutIds = (levels: { id: number }[]) => levels.map(({ id: _id, ...rest }) => rest)

test('a branch is protected, read, listed and unprotected', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/protected_branches`

  const made = await owner.post(url, { name: 'release-*', push_access_level: 0, merge_access_level: 30, allow_force_push: true })

  assert.equal(made.status, 201)
  const { id: _id, push_access_levels, merge_access_levels, unprotect_access_levels, ...rest } = made.body
  assert.deepEqual(rest, { name: 'release-*', allow_force_push: true, code_owner_approval_required: false })
  assert.deepEqual(withoutIds(push_access_levels), [level(0, 'No one')])
  assert.deepEqual(withoutIds(merge_access_levels), [level(30, 'Developers + Maintainers')])
  assert.deepEqual(withoutIds(unprotect_access_levels), [level(40, 'Maintainers')])
  assert.deepEqual((await owner.get(`${url}/release-%2A`)).body, made.body)
  assert.deepEqual((await owner.get(url)).body, [made.body])
  assert.deepEqual((await owner.get(url, { search: 'nothing' })).body, [])
  assert.equal((await owner.delete(`${url}/release-*`)).status, 204)
  assert.deepEqual(await owner.get(`${url}/release-*`), { status: 404, body: { message: '404 Not found' } })
})

test('a protection is changed, and its levels stay', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/protected_branches`
  const made = (await owner.post(url, { name: 'main' })).body
  const changed = await owner.patch(`${url}/main`, { code_owner_approval_required: true })
  assert.deepEqual(changed, { status: 200, body: { ...made, code_owner_approval_required: true } })
  assert.equal((await owner.patch(`${url}/main`, {})).status, 400)
})

test('levels of a protection are added, changed by their ids and taken away; who may not unprotect it changes none', async () => {
  const { project, owner, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const url = `${project.url}/protected_branches`
  const { body: made } = await owner.post(url, { name: 'main', push_access_level: 40, merge_access_level: 30 })
  const [push, merge] = [made.push_access_levels[0], made.merge_access_levels[0]]

  const { status, body } = await owner.patch(`${url}/main`, {
    allowed_to_push: [{ user_id: developer.id }, { user_id: developer.id }, { id: push.id, _destroy: true }],
    allowed_to_merge: [{ id: merge.id, access_level: 40 }],
    allowed_to_unprotect: [{ user_id: owner.id }, { access_level: 40, _destroy: true }],
  })

  assert.equal(status, 200)
  assert.deepEqual(
    body.push_access_levels.map(({ user_id }: { user_id: number }) => user_id),
    [developer.id],
    'once, and in place of the role',
  )
  assert.deepEqual(body.merge_access_levels, [{ ...merge, access_level: 40, access_level_description: 'Maintainers' }])
  assert.deepEqual((await owner.get(`${url}/main`)).body, body)
  const stranger = await scene.user()
  assert.equal((await owner.patch(`${url}/main`, { allowed_to_push: [{ user_id: stranger.id }] })).status, 422)
  assert.equal((await owner.patch(`${url}/main`, { allowed_to_push: [{ id: push.id, access_level: 30 }] })).status, 422, 'is gone')
  assert.equal((await owner.patch(`${url}/main`, { allowed_to_unprotect: [{ access_level: 0 }] })).status, 400)
  for (const change of [{ allowed_to_unprotect: [{ access_level: 40 }] }, { allow_force_push: true }])
    assert.equal((await maintainer.patch(`${url}/main`, change)).status, 403)
  assert.deepEqual((await owner.get(`${url}/main`)).body, body)
})

test('a name that is protected is a 409', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/protected_branches`, { name: 'main' })
  assert.deepEqual(await owner.post(`${project.url}/protected_branches`, { name: 'main' }), {
    status: 409,
    body: { message: "Protected branch 'main' already exists" },
  })
})

test('members of the project and groups with access to it can be allowed, others are a 422', async () => {
  const { group } = await scene.group()
  const { project, developer } = await scene.project({ group, members: ['developer'] })
  const stranger = await scene.user()
  const url = `${project.url}/protected_branches`

  const made = await scene.root.post(url, {
    name: 'main',
    allowed_to_push: [{ user_id: developer.id }, { group_id: group.id }],
    allowed_to_merge: [{ access_level: 60 }],
  })

  assert.deepEqual(withoutIds(made.body.push_access_levels), [
    { access_level: 40, access_level_description: developer.name, user_id: developer.id, group_id: null },
    { access_level: 40, access_level_description: group.name, user_id: null, group_id: group.id },
  ])
  assert.deepEqual(withoutIds(made.body.merge_access_levels), [level(60, 'Instance admins')])
  const refused = await scene.root.post(url, { name: 'other', allowed_to_push: [{ user_id: stranger.id }] })
  assert.deepEqual(refused, { status: 422, body: { message: ['Push access levels user is not a member of the project'] } })
  assert.equal((await scene.root.get(`${url}/other`)).status, 404)
})

test('only users with an unprotect level can remove a protection', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const url = `${project.url}/protected_branches`
  await owner.post(url, { name: 'main', allowed_to_unprotect: [{ user_id: owner.id }] })

  assert.equal((await maintainer.delete(`${url}/main`)).status, 403)
  assert.equal((await owner.delete(`${url}/main`)).status, 204)
})

test('a pattern applies to the branches that it matches, and the branch API shows it', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { a: '1' })
  await owner.post(`${project.url}/protected_branches`, { name: 'release-*', push_access_level: 40, merge_access_level: 30 })
  const branches = `${project.url}/repository/branches`

  const refused = await developer.post(branches, { branch: 'release-1', ref: 'main' })
  assert.deepEqual(refused, { status: 403, body: { message: '403 Forbidden - You are not allowed to push into this branch' } })
  assert.equal((await owner.post(branches, { branch: 'release-1', ref: 'main' })).status, 201)
  const { body } = await developer.get(`${branches}/release-1`)
  assert.deepEqual([body.protected, body.can_push, body.developers_can_push, body.developers_can_merge], [true, false, false, true])
  assert.equal((await developer.delete(`${branches}/release-1`)).status, 403)
  assert.equal((await owner.delete(`${branches}/release-1`)).status, 204)
})

test('the protection of the first branch is in the audit log, by the user who pushed it', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const file = { branch: 'main', commit_message: 'x', content: 'x' }
  assert.equal((await maintainer.post(`${project.url}/repository/files/a`, file)).status, 201)

  const entries = (await owner.get(`${project.url}/audit_events`)).body.filter(
    ({ details }: { details: { target_type: string } }) => details.target_type === 'ProtectedBranch',
  )

  assert.deepEqual(
    entries.map(({ author_id, details }: { author_id: number; details: Record<string, unknown> }) => [author_id, details.target_details]),
    [[maintainer.id, 'main']],
  )
  await maintainer.post(`${project.url}/repository/branches`, { branch: 'second', ref: 'main' })
  const { rows } = await scene.deps.database.pool.query(
    `select count(*)::int as count from audit_events where kind = 'protected_branch.created' and entity_type = 'Project' and entity_id = $1`,
    [project.id],
  )
  assert.deepEqual(rows, [{ count: 1 }])
})

test('whom a protection excludes does not let themselves in by another one of the same branches', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const url = `${project.url}/protected_branches`
  const mine = await maintainer.post(url, { name: '*ain', push_access_level: 0, merge_access_level: 0 })
  assert.equal(mine.status, 201)
  const closed = { name: 'main', push_access_level: 0, merge_access_level: 0, unprotect_access_level: 60 }
  assert.equal((await scene.root.post(url, closed)).status, 201)
  const open = { push_access_level: 40, merge_access_level: 40 }

  const refused = [
    await maintainer.post(url, { name: 'mai*', ...open }),
    await maintainer.post(url, { name: '*', ...open }),
    await maintainer.patch(`${url}/*ain`, { allowed_to_push: [{ access_level: 40 }] }),
  ]

  const body = { message: "403 Forbidden - Branches of 'main' are protected against you" }
  for (const answer of refused) assert.deepEqual(answer, { status: 403, body })
  assert.equal((await maintainer.post(url, { name: 'release-*', ...open })).status, 201)
  assert.equal((await scene.root.post(url, { name: 'm*', ...open })).status, 201)
})
