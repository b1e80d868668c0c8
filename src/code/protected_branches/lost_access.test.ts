/** Rights over protected branches and tags that users and groups have by name end with their access to the project. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()
const { root } = scene
const { db } = scene.deps.database
const { remove_group } = tasksOf(scene.deps)

const today = () => new Date().toISOString().slice(0, 10)

let pushed = 0

/** May this person push to `main`, and create tags `v…`? */
async function rights(person: Person, project: SceneProject) {
  const actions = [{ action: 'create', file_path: `${++pushed}.txt`, content: 'x' }]
  const commit = await person.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Write', actions })
  const tag = await person.post(`${project.url}/repository/tags`, { tag_name: `v${pushed}`, ref: 'main' })
  return [commit.status, tag.status]
}

const given = [201, 201]
const refused = [403, 403]
const unseen = [404, 404]

/** Only those whom these levels name push to `main`, and create tags. */
async function protect(project: SceneProject, levels: readonly object[]) {
  await scene.commit(project, { 'first.txt': 'x' })
  await root.delete(`${project.url}/protected_branches/main`)
  const branch = { name: 'main', push_access_level: 0, merge_access_level: 0, allowed_to_push: levels }
  assert.equal((await root.post(`${project.url}/protected_branches`, branch)).status, 201)
  const tag = { name: 'v*', create_access_level: 0, allowed_to_create: levels }
  assert.equal((await root.post(`${project.url}/protected_tags`, tag)).status, 201)
}

/** Whom the protections name: users and groups, of the branch and of the tag. */
async function named(project: SceneProject) {
  const { body: branch } = await root.get(`${project.url}/protected_branches/main`)
  const { body: tag } = await root.get(`${project.url}/protected_tags/v%2A`)
  const idsIn = (levels: { user_id: number | null; group_id: number | null }[]) =>
    levels.flatMap(({ user_id, group_id }) => user_id ?? group_id ?? [])
  return [idsIn(branch.push_access_levels), idsIn(tag.create_access_levels)]
}

const add = async (url: string, person: Person, rest: object = { access_level: 30 }) =>
  assert.equal((await root.post(`${url}/members`, { user_id: person.id, ...rest })).status, 201)
const share = async (url: string, group: { id: number }) =>
  assert.equal((await root.post(`${url}/share`, { group_id: group.id, group_access: 30 })).status, 201)

test('a member who is removed is named no more, and is not when they come back or stay a member by a group', async () => {
  const { group } = await scene.group()
  const { project, developer } = await scene.project({ group, members: ['developer'] })
  const other = await scene.user()
  await add(project.url, other)
  await protect(project, [{ user_id: developer.id }, { user_id: other.id }])
  assert.deepEqual(await rights(developer, project), given)

  assert.equal((await root.delete(`${project.url}/members/${developer.id}`)).status, 204)

  assert.deepEqual(await named(project), [[other.id], [other.id]])
  await add(project.url, developer)
  assert.deepEqual(await rights(developer, project), refused)
  assert.deepEqual(await rights(other, project), given)
  await add(group.url, other)
  await root.delete(`${project.url}/members/${other.id}`)
  assert.deepEqual(await rights(other, project), refused, 'still a Developer by the group')
})

test('who loses the role in the group loses what they were given in its projects, unless they have another role there', async () => {
  const { group, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project({ group })
  const { project: second } = await scene.project({ group })
  await add(second.url, developer)
  for (const each of [project, second]) await protect(each, [{ user_id: developer.id }])

  assert.equal((await root.delete(`${group.url}/members/${developer.id}`)).status, 204)

  assert.deepEqual(await named(project), [[], []])
  assert.deepEqual(await named(second), [[developer.id], [developer.id]])
  assert.deepEqual(await rights(developer, second), given)
  await add(project.url, developer)
  assert.deepEqual(await rights(developer, project), refused)
})

test('an expired membership gives nothing, and the next one does not bring back what rested on it', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await protect(project, [{ user_id: developer.id }])
  await db.updateTable('members').set({ expires_at: today() }).where('user_id', '=', developer.id).execute()
  assert.deepEqual(await rights(developer, project), unseen)

  await add(project.url, developer)

  assert.deepEqual(await rights(developer, project), refused)
  assert.deepEqual(await named(project), [[], []])
})

test('when a share ends, by hand or by its day, its group and the members by it are allowed nothing by name', async () => {
  const ends: Record<string, (project: SceneProject, group: { id: number }) => Promise<unknown>> = {
    'ended by hand': (project, group) => root.delete(`${project.url}/share/${group.id}`),
    expired: (project, group) =>
      db.updateTable('shares').set({ expires_at: today() }).where('project_id', '=', project.id).where('group_id', '=', group.id).execute(),
  }
  for (const [says, end] of Object.entries(ends)) {
    const { project, developer: insider } = await scene.project({ members: ['developer'] })
    const { group, developer: guest } = await scene.group({ members: ['developer'] })
    const { group: again } = await scene.group()
    await add(group.url, insider)
    await share(project.url, group)
    await protect(project, [{ group_id: group.id }, { user_id: guest.id }])
    for (const person of [insider, guest]) assert.deepEqual(await rights(person, project), given)

    await end(project, group)

    assert.deepEqual(await rights(insider, project), refused, says)
    assert.deepEqual(await rights(guest, project), unseen, says)
    await add(again.url, guest)
    await share(project.url, again)
    assert.deepEqual(await named(project), [[], []], says)
    await share(project.url, group)
    for (const person of [insider, guest]) assert.deepEqual(await rights(person, project), refused, says)
  }
})

test('a role by an invited group ends with what was given by name, and no invited group brings that back', async () => {
  type Scene = { person: Person; invited: { id: number; url: string }; next: { url: string } }
  const leave = ({ person, invited }: Scene) => root.delete(`${invited.url}/members/${person.id}`)
  const ways: Record<string, [(scene: Scene) => Promise<unknown>, (scene: Scene) => Promise<unknown>]> = {
    'left the group, and is added to it again': [leave, ({ person, invited }) => add(invited.url, person)],
    'left the group, and is added to another': [leave, ({ person, next }) => add(next.url, person)],
    'the group is deleted': [({ invited }) => root.delete(invited.url), ({ person, next }) => add(next.url, person)],
  }
  for (const [says, [end, comeBack]] of Object.entries(ways))
    for (const at of ['project', 'group'] as const) {
      const { group: home } = await scene.group()
      const { project } = await scene.project({ group: home })
      const { group: invited, developer: person } = await scene.group({ members: ['developer'] })
      const { group: next } = await scene.group()
      for (const each of [invited, next]) await share((at === 'project' ? project : home).url, each)
      await protect(project, [{ user_id: person.id }])
      assert.deepEqual(await rights(person, project), given, says)

      await end({ person, invited, next })

      assert.deepEqual(await rights(person, project), unseen, says)
      assert.deepEqual(await named(project), [[], []], `${says}, invited to the ${at}`)
      await comeBack({ person, invited, next })
      assert.deepEqual(await rights(person, project), refused, `${says}, invited to the ${at}`)
    }
})

test('members of a group above the invited one are invited too, until that is moved or deleted', async () => {
  const { group: above, developer } = await scene.group({ members: ['developer'] })
  for (const end of ['moved', 'deleted']) {
    const { project } = await scene.project()
    const { group: invited } = await scene.group({ parent: above, owner: root })
    await share(project.url, invited)
    await protect(project, [{ user_id: developer.id }])
    assert.deepEqual(await rights(developer, project), given)

    if (end === 'moved') assert.equal((await root.post(`${invited.url}/transfer`)).status, 201)
    else await root.delete(invited.url)

    assert.deepEqual(await named(project), [[], []], end)
    if (end === 'moved') await root.post(`${invited.url}/transfer`, { group_id: above.id })
    else await add(project.url, developer)
    assert.deepEqual(await rights(developer, project), refused, end)
  }
})

test('who leaves an invited group keeps what they were given where they have another role', async () => {
  const { group: invited, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project()
  await share(project.url, invited)
  await add(project.url, developer)
  await protect(project, [{ user_id: developer.id }])

  await root.delete(`${invited.url}/members/${developer.id}`)

  assert.deepEqual(await rights(developer, project), given)
})

test('a group that a group above is shared with is allowed by name while that share lasts', async () => {
  const { group: above } = await scene.group()
  const { project, developer } = await scene.project({ group: above, members: ['developer'] })
  const { group } = await scene.group()
  await add(group.url, developer)
  await share(above.url, group)
  await protect(project, [{ group_id: group.id }])
  assert.deepEqual(await rights(developer, project), given)

  assert.equal((await root.delete(`${above.url}/share/${group.id}`)).status, 204)

  assert.deepEqual(await rights(developer, project), refused)
  assert.deepEqual(await named(project), [[], []])
})

test('after a transfer neither the former group nor its members are allowed by name', async () => {
  const { group, developer } = await scene.group({ members: ['developer'] })
  const { group: next } = await scene.group()
  const { project, maintainer } = await scene.project({ group, members: ['maintainer'] })
  await add(group.url, maintainer, { access_level: 40 })
  await protect(project, [{ group_id: group.id }, { user_id: developer.id }, { user_id: maintainer.id }])
  for (const person of [developer, maintainer]) assert.deepEqual(await rights(person, project), given)

  assert.equal((await root.put(`${project.url}/transfer`, { namespace: next.full_path })).status, 200)

  assert.deepEqual(await named(project), [[maintainer.id], [maintainer.id]])
  await add(project.url, developer)
  assert.deepEqual(await rights(developer, project), refused)
  assert.deepEqual(await rights(maintainer, project), given, 'as a user: still a member')
})

test('a move to a group where a user has a role does not bring back what rested on an expired membership', async () => {
  for (const moved of ['project', 'group'] as const) {
    const { group: home } = await scene.group()
    const { project, developer } = await scene.project({ group: home, members: ['developer'] })
    const { group: next } = await scene.group()
    await add(next.url, developer)
    await protect(project, [{ user_id: developer.id }])
    await db.updateTable('members').set({ expires_at: today() }).where('project_id', '=', project.id).execute()

    if (moved === 'project') assert.equal((await root.put(`${project.url}/transfer`, { namespace: next.full_path })).status, 200)
    else assert.equal((await root.post(`${home.url}/transfer`, { group_id: next.id })).status, 201)

    assert.deepEqual(await rights(developer, project), refused, moved)
  }
})

test('sharing that is unlocked does not bring back rights by name', async () => {
  const { group: home } = await scene.group()
  const { project } = await scene.project({ group: home })
  const { group, developer } = await scene.group({ members: ['developer'] })
  await share(project.url, group)
  await protect(project, [{ user_id: developer.id }, { group_id: group.id }])
  assert.deepEqual(await rights(developer, project), given)

  await root.put(home.url, { share_with_group_lock: true })
  assert.deepEqual(await rights(developer, project), unseen)
  await root.put(home.url, { share_with_group_lock: false })

  assert.deepEqual(await named(project), [[], []])
  assert.deepEqual(await rights(developer, project), refused)
})

test('a group whose share is locked unprotects nothing, and the last who may unprotect stay named', async () => {
  const { group: home } = await scene.group()
  const { project, maintainer } = await scene.project({ group: home, members: ['maintainer'] })
  const { group } = await scene.group()
  await add(group.url, maintainer, { access_level: 40 })
  await share(project.url, group)
  const url = `${project.url}/protected_branches`
  await root.post(url, { name: 'stable', allowed_to_unprotect: [{ group_id: group.id }] })
  const change = { allow_force_push: true }
  assert.equal((await maintainer.patch(`${url}/stable`, change)).status, 200)

  await root.put(home.url, { share_with_group_lock: true })
  assert.equal((await maintainer.patch(`${url}/stable`, change)).status, 403)

  await root.put(home.url, { share_with_group_lock: false })
  await root.delete(`${project.url}/share/${group.id}`)
  assert.equal((await maintainer.delete(`${url}/stable`)).status, 403, 'not open to every Maintainer')
  const { body } = await root.get(`${url}/stable`)
  assert.deepEqual(
    body.unprotect_access_levels.map(({ group_id }: { group_id: number }) => group_id),
    [group.id],
  )
})

test('a protection does not open when all who may unprotect are deleted: administrators are left', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const { group: above } = await scene.group()
  const { group } = await scene.group({ parent: above, owner: root })
  const { group: other } = await scene.group()
  const user = await scene.user()
  await add(project.url, user, { access_level: 40 })
  for (const each of [group, other]) await share(project.url, each)
  const url = `${project.url}/protected_branches`
  const holders = { group: { group_id: group.id }, user: { user_id: user.id }, other: { group_id: other.id } }
  const protections: Record<string, readonly object[]> = {
    'by-group': [holders.group],
    'by-user': [holders.user],
    'by-both': [holders.group, holders.user],
    'by-other': [holders.group, holders.user, holders.other],
    'by-role': [holders.user, { access_level: 40 }],
  }
  for (const [name, allowed_to_unprotect] of Object.entries(protections))
    assert.equal((await root.post(url, { name, push_access_level: 0, allowed_to_unprotect })).status, 201)
  const left = async (name: string) => {
    const { body } = await root.get(`${url}/${name}`)
    return body.unprotect_access_levels.map(({ access_level, user_id, group_id }: Record<string, number | null>) => [
      access_level,
      user_id ?? group_id,
    ])
  }

  assert.equal((await root.delete(above.url)).status, 204)
  await remove_group({ group_id: above.id }, undefined)
  assert.deepEqual(await left('by-group'), [[60, null]])
  assert.deepEqual(await left('by-both'), [[40, user.id]])
  assert.equal((await root.delete(`/users/${user.id}`)).status, 204)

  for (const name of ['by-group', 'by-user', 'by-both']) {
    assert.deepEqual(await left(name), [[60, null]], name)
    assert.equal((await maintainer.delete(`${url}/${name}`)).status, 403, name)
    assert.equal((await root.delete(`${url}/${name}`)).status, 204, name)
  }
  assert.deepEqual(await left('by-other'), [[40, other.id]])
  assert.deepEqual(await left('by-role'), [[40, null]])
  assert.equal((await maintainer.delete(`${url}/by-role`)).status, 204)
})

test('two who alone may unprotect and are deleted at the same time leave administrators', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const users = await Promise.all([scene.user(), scene.user()])
  for (const user of users) await add(project.url, user, { access_level: 40 })
  const url = `${project.url}/protected_branches`
  await root.post(url, { name: 'stable', allowed_to_unprotect: users.map(({ id }) => ({ user_id: id })) })

  await Promise.all(users.map(({ id }) => root.delete(`/users/${id}`)))

  assert.equal((await maintainer.delete(`${url}/stable`)).status, 403)
})
