/** Members that count in a group's tree (members API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** A group with an owner, a member of a subgroup, one of a project below, and one who comes in by a share. */
async function tree() {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner })
  const { group: guests, owner: guest } = await scene.group({ visibility: 'public' })
  const [inGroup, inProject] = [await scene.user(), await scene.user()]
  await scene.root.post(`${below.url}/members`, { user_id: inGroup.id, access_level: 20 })
  await scene.root.post(`${project.url}/members`, { user_id: inProject.id, access_level: 30 })
  await scene.root.post(`${project.url}/share`, { group_id: guests.id, group_access: 10 })
  return { group, below, project, owner, inGroup, inProject, guest }
}

test('everyone in the tree counts once, with how they came in', async () => {
  const { group, owner, inGroup, inProject, guest } = await tree()
  await owner.post(`${group.url}/access_tokens`, { name: 'bot', scopes: ['api'] })

  const { body } = await owner.get(`${group.url}/billable_members`)

  assert.deepEqual(
    body.map((row: Record<string, unknown>) => [row.id, row.membership_type, row.removable]),
    [
      [owner.id, 'group_member', true],
      [guest.id, 'project_invite', false],
      [inGroup.id, 'group_member', true],
      [inProject.id, 'project_member', true],
    ],
  )
})

test('the list is searched and ordered, and only top-level groups have one', async () => {
  const { group, below, owner, inGroup, inProject } = await tree()
  const list = async (query: Record<string, string>) =>
    (await owner.get(`${group.url}/billable_members`, query)).body.map((row: { id: number }) => row.id)

  assert.deepEqual(await list({ search: inGroup.username }), [inGroup.id])
  assert.deepEqual(await list({ search: inProject.email }), [inProject.id])
  assert.equal((await list({ sort: 'access_level_desc' }))[0], owner.id)
  assert.equal((await owner.get(`${below.url}/billable_members`)).status, 400)
  assert.equal((await inGroup.get(`${group.url}/billable_members`)).status, 403)
})

test('the memberships of one are listed, and all of them end by one removal', async () => {
  const { group, below, project, owner, inGroup, guest } = await tree()
  await owner.post(`${project.url}/members`, { user_id: inGroup.id, access_level: 40 })
  const url = `${group.url}/billable_members/${inGroup.id}`

  const { body } = await owner.get(`${url}/memberships`)

  assert.deepEqual(
    body.map((row: Record<string, unknown>) => [row.source_id, row.access_level]),
    [
      [below.id, { string_value: 'Reporter', integer_value: 20 }],
      [project.id, { string_value: 'Maintainer', integer_value: 40 }],
    ],
  )
  assert.equal(body[1].source_members_url, `${scene.url}/${project.full_path}/-/project_members`)
  assert.equal((await owner.delete(url)).status, 204)
  assert.equal((await owner.delete(url)).status, 404)
  assert.equal((await owner.get(`${project.url}/members/${inGroup.id}`)).status, 404)
  assert.equal((await owner.delete(`${group.url}/billable_members/${guest.id}`)).status, 400)
  assert.equal((await owner.delete(`${group.url}/billable_members/${owner.id}`)).status, 403)
})

test('who is no owner does not learn whether someone is a member somewhere below', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: below } = await scene.group({ visibility: 'private', parent: group, owner })
  const [inside, outsider] = [await scene.user(), await scene.user()]
  await owner.post(`${below.url}/members`, { user_id: inside.id, access_level: 20 })
  const statusFor = async ({ id }: { id: number }) => (await outsider.get(`${group.url}/billable_members/${id}/memberships`)).status

  assert.deepEqual([await statusFor(inside), await statusFor(outsider)], [403, 403])
})
