/** What an actor is a member of is asked once for all lists of a page, and again for the next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../db/statements/statements.ts'
import type { Actor } from './actor.ts'
import { findActingUser } from './credentials/credentials.ts'
import { knownMemberships } from './visible.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('lists that ask at the same time share one statement, and what it found is not kept', async () => {
  const { id } = await scene.user()
  const { group } = await scene.group({ owner: scene.root, visibility: 'private' })
  const { project } = await scene.project({ group })
  const actor: Actor = { user: await findActingUser(db, String(id)), credential: undefined, sudoBy: undefined }
  const ask = () => Promise.all([knownMemberships(db, actor), knownMemberships(db, actor), knownMemberships(db, { ...actor })])
  const held = async (known: Awaited<ReturnType<typeof ask>>[number]) =>
    (await sql<{ id: number }>`select id from projects where id in (${known?.atLeast(10)})`.execute(db)).rows.map(row => row.id)

  const { result, statements } = await recordStatements(ask)
  assert.equal(statements.length, 2, 'one for each actor, of whom the second is the same user in another request')
  for (const known of result) assert.deepEqual(await held(known), [])

  await db.insertInto('members').values({ namespace_id: group.id, user_id: id, access_level: 10, expires_at: null }).execute()
  for (const known of await ask()) assert.deepEqual(await held(known), [project.id])

  // Those of a group are another question.
  const { statements: others } = await recordStatements(() =>
    Promise.all([knownMemberships(db, actor, group.id), knownMemberships(db, actor)]),
  )
  assert.equal(others.length, 2)
})
