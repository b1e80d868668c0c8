/** Texts that are read out of a request after its parameters were looked at, and that the database does not take. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import Type from 'typebox'
import { atEnd } from '../../test/at_end.ts'
import { openScene } from '../../test/scene.ts'
import { bytes, endpoint } from '../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../platform/kernel/declaration/scope.ts'
import { buildApp } from './app.ts'

const scene = await openScene()

const reading = (route: `GET /${string}`, column: 'text' | 'jsonb') =>
  endpoint({
    route,
    summary: 'Read a text that is encoded twice',
    scope: inInstance,
    can: 'read_instance',
    params: { twice: Type.String({ description: 'The text', examples: ['a'] }) },
    answers: bytes('text/plain'),
    async run({ db, params }) {
      const text = decodeURIComponent(params.twice)
      await sql`select ${column === 'jsonb' ? JSON.stringify({ text }) : text}::${sql.raw(column)}`.execute(db)
      return { body: text }
    },
  })

const app = await buildApp(scene.deps, [reading('GET /texts', 'text'), reading('GET /documents', 'jsonb')])
atEnd(() => app.close())

for (const path of ['texts', 'documents'])
  test(`a text of ${path} that no column takes is the client’s mistake`, async () => {
    const ask = (twice: string) => app.inject({ url: `/api/v4/${path}`, query: { twice }, headers: { 'private-token': scene.root.token } })

    const [kept, refused] = [await ask('a%41'), await ask('a%00')]

    assert.deepEqual([kept.statusCode, kept.body], [200, 'aA'])
    assert.deepEqual(
      [refused.statusCode, refused.json()],
      [400, { message: '400 Bad request - a text has a character that cannot be kept' }],
    )
  })
