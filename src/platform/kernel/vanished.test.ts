/** What a request is about may be deleted after its scope has found it: the answer is a refusal, not a failure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { openScene } from '../../../test/scene.ts'
import { endpoint, nothing } from './declaration/endpoint.ts'
import { scope } from './declaration/scope.ts'
import { notFound } from './errors.ts'

/** What is gone since a request began. */
const gone = new Set<string>()

const inThing = scope({
  name: 'inThing',
  path: { name: Type.String() },
  load: async (_, { name }) => {
    if (gone.has(name)) throw notFound('Thing')
    return { name }
  },
  subject: () => ({ on: 'instance' as const }),
})

const scene = await openScene({
  failuresExpected: true,
  endpoints: [
    endpoint({
      route: 'POST /things/:name',
      summary: 'Miss a row that was there',
      scope: inThing,
      can: 'use_instance',
      params: {
        missing: Type.String(),
        ends: Type.Optional(Type.String()),
      },
      answers: nothing,
      run: async ({ db, actor, params, name, deps }) => {
        if (params.ends === 'thing') gone.add(name)
        const own = deps.database.db
          .updateTable('personal_access_tokens')
          .set({ revoked: true })
          .where('user_id', '=', actor.user?.id as number)
        if (params.ends === 'account') await own.execute()
        if (params.missing === 'second reading') {
          const [row] = await db.selectFrom('projects').select('id').where('id', '=', 999).execute()
          Object.assign(params, { missing: (row as { id: number }).id })
        } else if (params.missing === 'parent') await db.insertInto('project_stars').values({ project_id: 999, user_id: 999 }).execute()
        else await db.selectFrom('projects').select('id').where('id', '=', 999).executeTakeFirstOrThrow()
      },
    }),
  ],
})

test('a thing that vanishes under a request is not found, whichever row is missed', async () => {
  const person = await scene.user()
  for (const missing of ['row', 'parent', 'second reading'])
    assert.deepEqual(await person.post(`/things/${encodeURIComponent(missing)}`, { missing, ends: 'thing' }), {
      status: 404,
      body: { message: '404 Thing Not Found' },
    })
})

test('a caller whose account vanishes under a request is not known', async () => {
  const person = await scene.user()
  assert.equal((await person.post('/things/mine', { missing: 'parent', ends: 'account' })).status, 401)
})

test('what is missing while all is there is a fault of the server', async () => {
  const person = await scene.user()
  for (const missing of ['row', 'parent']) assert.equal((await person.post('/things/there', { missing })).status, 500)
})
