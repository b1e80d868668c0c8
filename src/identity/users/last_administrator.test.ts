/** The instance keeps an administrator who can act. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene
const { db } = scene.deps.database
const stateOf = (id: number) => db.selectFrom('users').select(['admin', 'state']).where('id', '=', id).executeTakeFirstOrThrow()

test('the last administrator cannot give the role away; blocked ones, bots and others do not count', async () => {
  const [other, person] = [await scene.user(), await scene.user()]
  await root.put(`/users/${other.id}`, { admin: true })
  await root.post(`/users/${other.id}/block`)
  await db.updateTable('users').set({ kind: 'project_bot', admin: true }).where('id', '=', person.id).execute()

  const refused = await root.put(`/users/${root.id}`, { admin: false, name: 'Former' })

  assert.equal(refused.status, 403)
  assert.match(refused.body.message, /The last administrator stays one/)
  assert.deepEqual(await stateOf(root.id), { admin: true, state: 'active' })
  assert.equal((await root.put(`/users/${root.id}`, { admin: true, bio: 'still one' })).status, 200)

  await root.post(`/users/${other.id}/unblock`)
  assert.equal((await root.put(`/users/${root.id}`, { admin: false })).status, 200)
  await db.updateTable('users').set({ admin: true }).where('id', '=', root.id).execute()
  await db.updateTable('users').set({ admin: false }).where('id', '!=', root.id).execute()
})

for (const [how, act] of Object.entries({
  'take the role of': (client, id) => client.put(`/users/${id}`, { admin: false }),
  block: (client, id) => client.post(`/users/${id}/block`),
  ban: (client, id) => client.post(`/users/${id}/ban`),
  deactivate: (client, id) => client.post(`/users/${id}/deactivate`),
  delete: (client, id) => client.delete(`/users/${id}`),
} satisfies Record<string, (client: typeof root, id: number) => Promise<{ status: number }>>))
  test(`of two administrators who ${how} each other at the same time one stays`, async () => {
    const one = await scene.user()
    const two = await scene.user()
    for (const { id } of [one, two]) await root.put(`/users/${id}`, { admin: true })
    await db.updateTable('users').set({ admin: false }).where('id', '=', root.id).execute()
    try {
      const answers = await Promise.all([act(one, two.id), act(two, one.id)])

      const left = await db.selectFrom('users').select('id').where('admin', '=', true).where('state', '=', 'active').execute()
      assert.equal(left.length, 1, answers.map(({ status }) => status).join(' '))
    } finally {
      await db.updateTable('users').set({ admin: true }).where('id', '=', root.id).execute()
    }
    await db.updateTable('users').set({ admin: false }).where('id', '!=', root.id).execute()
  })
