/** Visibility of epics, epics embedded in issues (document 3 "Issue", `epic`), and the lock on what an epic holds. */
import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { groupVisibleTo, hasGroupRole } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'

/** May the actor see the epic `epics` of the group `namespaces`? Confidential ones are for members from Reporter up. */
export function epicVisibleTo(actor: Actor): RawBuilder<boolean> {
  if (isAdmin(actor)) return sql<boolean>`true`
  const { user } = actor
  const trusted = user ? sql` or ${hasGroupRole({ ...actor, user }, roles.reporter)}` : sql``
  return sql<boolean>`(${groupVisibleTo(actor)} and (not epics.confidential${trusted}))`
}

export const EmbeddedEpic = Type.Object({
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  title: text('Title of the epic'),
  url: text('Path of its page'),
  group_id: integer('ID of the group'),
})

/**
 * Locks epics against changes of which issues and epics they hold and in which order, in the order of their ids, and returns those that
 * there are. Callers take this lock before they lock such an issue or epic; otherwise a change of the order would deadlock with them.
 */
export async function lockContents(db: Db, which: RawBuilder<unknown>): Promise<number[]> {
  const rows = await db
    .selectFrom('epics')
    .select('id')
    .where(sql<boolean>`epics.id in (${which})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(row => row.id)
}

/** Locks an epic as `lockContents` does. One that was deleted meanwhile has the transaction run again. */
export async function lockContentsOf(db: Db, epicId: number): Promise<void> {
  await db.selectFrom('epics').select('id').where('id', '=', epicId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Epics by id with the path of their group, as far as the actor may see them: one statement for a page. */
export async function embeddedEpics(db: Db, actor: Actor, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await epicsKnownTo(db, actor, ids).execute()
  return new Map(rows.map(row => [row.id, row]))
}

const epicsKnownTo = (db: Db, actor: Actor, ids: readonly number[]) =>
  db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
    .innerJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .select(['epics.id', 'epics.iid', 'epics.title', 'epics.namespace_id', 'routes.path as group_path'])
    .where('epics.id', '=', anyOf(ids))
    .where(epicVisibleTo(actor))

type EmbeddedEpicRow = NonNullable<ReturnType<Awaited<ReturnType<typeof embeddedEpics>>['get']>>

export const presentEpic = (row: EmbeddedEpicRow) => ({
  id: row.id,
  iid: row.iid,
  title: row.title,
  url: `/groups/${row.group_path}/-/epics/${row.iid}`,
  group_id: row.namespace_id,
})
