/** The effects of a group's settings (document 3 "Group"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

/** Every setting with a value other than the default, and refused values. */
const settings: [name: string, value: unknown, wrong: unknown[]][] = [
  ['description', 'What it does', ['x'.repeat(501)]],
  ['visibility', 'public', ['open']],
  ['share_with_group_lock', true, ['perhaps']],
  ['require_two_factor_authentication', true, ['perhaps']],
  ['two_factor_grace_period', 24, [-1, 'soon', 1.5]],
  ['project_creation_level', 'maintainer', ['owner']],
  ['subgroup_creation_level', 'owner', ['developer']],
  ['auto_devops_enabled', true, ['perhaps']],
  ['emails_disabled', true, ['perhaps']],
  ['mentions_disabled', true, ['perhaps']],
  ['lfs_enabled', false, ['perhaps']],
  ['request_access_enabled', false, ['perhaps']],
  ['default_branch_protection', 0, [-1, 4, 'full']],
  ['membership_lock', true, ['perhaps']],
  ['prevent_forking_outside_group', true, ['perhaps']],
  ['shared_runners_minutes_limit', 60, [-1, 'many']],
  ['extra_shared_runners_minutes_limit', 60, [-1, 'many']],
]

for (const [name, value, wrong] of settings)
  test(`${name} is set on creation and by an update, shown, and refused when it is wrong (document 3 "Group")`, async () => {
    const { group } = await scene.group()
    const before = (await scene.root.get(group.url)).body

    const changed = await scene.root.put(group.url, { [name]: value })

    assert.equal(changed.status, 200)
    assert.notDeepEqual(before[name], value)
    const after = (await scene.root.get(group.url)).body
    assert.deepEqual(after, { ...before, [name]: value })
    for (const bad of wrong) {
      const refused = await scene.root.put(group.url, { [name]: bad })
      assert.deepEqual([refused.status, Object.keys(refused.body.message)], [400, [name]], String(bad))
    }
    const path = name.replaceAll('_', '-')
    const made = await scene.root.post('/groups', { name: `Made with ${name}`, path, [name]: value })
    assert.deepEqual([made.status, made.body[name]], [201, value])
  })

test('a template project must be visible to the caller, and is null after its deletion (decision 53)', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: hidden } = await scene.project()

  assert.deepEqual(await owner.put(group.url, { file_template_project_id: hidden.id }), {
    status: 400,
    body: { message: { file_template_project_id: ['does not exist'] } },
  })
  assert.equal((await owner.put(group.url, { file_template_project_id: project.id })).body.file_template_project_id, project.id)
  await owner.delete(project.url)
  assert.equal((await owner.get(group.url)).body.file_template_project_id, null)
})

for (const [level, allowed] of Object.entries({
  noone: [],
  maintainer: ['maintainer', 'owner'],
  developer: ['developer', 'maintainer', 'owner'],
}))
  test(`project_creation_level ${level}: projects are created by ${allowed.join(', ') || 'administrators alone'}`, async () => {
    const members = ['guest', 'reporter', 'developer', 'maintainer'] as const
    const { group, ...people } = await scene.group({ members })
    await people.owner.put(group.url, { project_creation_level: level })
    for (const role of [...members, 'owner'] as const) {
      const made = await people[role].post('/projects', { name: `Of ${role}`, namespace_id: group.id })
      assert.equal(made.status, (allowed as string[]).includes(role) ? 201 : 403, role)
    }
    assert.equal((await scene.root.post('/projects', { name: 'Of root', namespace_id: group.id })).status, 201)
  })

for (const [level, allowed] of Object.entries({ owner: ['owner'], maintainer: ['maintainer', 'owner'] }))
  test(`subgroup_creation_level ${level}: subgroups are created by ${allowed.join(', ')}`, async () => {
    const members = ['developer', 'maintainer'] as const
    const { group, ...people } = await scene.group({ members })
    await people.owner.put(group.url, { subgroup_creation_level: level })
    for (const role of [...members, 'owner'] as const) {
      const made = await people[role].post('/groups', { name: `Of ${role}`, path: `of-${role}`, parent_id: group.id })
      assert.equal(made.status, allowed.includes(role) ? 201 : 403, role)
    }
  })

/** Who may push to and merge into the first branch, and whether a Developer may create it. */
const protections: [level: number, push: number[], merge: number[], first: number][] = [
  [0, [], [], 201],
  [1, [30], [40], 201],
  [2, [40], [40], 403],
  [3, [40], [30], 403],
]
for (const [level, push, merge, first] of protections)
  test(`default_branch_protection ${level} decides the protection of the first branch of a project`, async () => {
    const { group, owner, developer } = await scene.group({ members: ['developer'] })
    await owner.put(group.url, { default_branch_protection: level })
    const { project } = await scene.project({ group })
    const commit = (person: Person) =>
      person.post(`${project.url}/repository/commits`, {
        branch: 'main',
        commit_message: 'First',
        actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
      })

    assert.equal((await commit(developer)).status, first)
    if (first !== 201) assert.equal((await commit(owner)).status, 201)

    const { body } = await owner.get(`${project.url}/protected_branches`)
    const levelsOf = (kind: string) =>
      body.flatMap((branch: Record<string, { access_level: number }[]>) => branch[kind]?.map(l => l.access_level))
    assert.deepEqual([levelsOf('push_access_levels'), levelsOf('merge_access_levels')], [push, merge])
  })

test('a lock on sharing applies to everything below, and only owners of the parent remove it there', async () => {
  const { group: top, owner } = await scene.group()
  const { group: below, owner: theirs } = await scene.group({ parent: top, owner })
  const lockOf = async ({ url }: { url: string }) => (await scene.root.get(url)).body.share_with_group_lock
  const person = await scene.user()
  await theirs.post(`${below.url}/members`, { user_id: person.id, access_level: 50 })

  await owner.put(top.url, { share_with_group_lock: true })

  assert.deepEqual([await lockOf(top), await lockOf(below)], [true, true])
  const { group: later } = await scene.group({ parent: below, owner })
  assert.equal(await lockOf(later), true, 'and for what comes later')
  assert.equal((await person.put(below.url, { share_with_group_lock: false })).status, 400)
  assert.equal((await person.put(below.url, { description: 'Still ours' })).status, 200)
  assert.equal((await owner.put(below.url, { share_with_group_lock: false })).status, 200)
  assert.deepEqual([await lockOf(top), await lockOf(below), await lockOf(later)], [true, false, true])
  const { group: moved } = await scene.group({ owner })
  await owner.post(`${moved.url}/transfer`, { group_id: top.id })
  assert.equal(await lockOf(moved), true, 'and for what moves in')
})
