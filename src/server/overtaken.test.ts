/** A transaction that the database ends for another one, and that is not run again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../test/scene.ts'
import { endpoint, nothing } from '../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../platform/kernel/declaration/scope.ts'

const scene = await openScene({
  endpoints: [
    endpoint({
      route: 'GET /overtaken',
      summary: 'Lose in a deadlock',
      scope: inInstance,
      can: 'read_instance',
      answers: nothing,
      async run({ db }) {
        await sql`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`.execute(db)
      },
    }),
  ],
})

test('a request that lost in a deadlock is 503, and says to try again', async () => {
  const answer = await scene.root.get('/overtaken')
  assert.deepEqual(answer, { status: 503, body: { message: '503 Service Unavailable - another request was faster, try again' } })
})
