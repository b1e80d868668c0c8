import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { impersonationEnabled: 'false' } })

test('with impersonation disabled its tokens are neither created nor valid, and can still be revoked (document 1, Authentication 5)', async () => {
  const person = await scene.user()
  const path = `/users/${person.id}/impersonation_tokens`
  const secret = await scene.token(person)
  await scene.deps.database.db.updateTable('personal_access_tokens').set({ impersonation: true }).where('user_id', '=', person.id).execute()
  const [token] = (await scene.root.get(path)).body

  assert.deepEqual(await scene.root.post(path, { name: 'x', scopes: ['api'] }), {
    status: 403,
    body: { message: '403 Forbidden - Impersonation is disabled' },
  })
  assert.equal((await scene.as({ 'private-token': secret }).get('/user')).status, 401)
  assert.equal((await scene.root.delete(`${path}/${token.id}`)).status, 204)
})
