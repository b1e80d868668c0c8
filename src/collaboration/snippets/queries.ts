/** Reads of snippets. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { NamedItem } from '../item_kinds/item_kind.ts'
import { type ItemName, inNamedProjects, type Reader } from '../item_kinds/names.ts'
import { anySnippetVisibleTo, snippetVisibleTo } from './visible.ts'

/** Snippets with the path of their project, which is null for personal ones. */
export const snippets = (db: Db) =>
  db
    .selectFrom('snippets')
    // An outer join, which the planner can drop from counts.
    .leftJoin('routes', 'routes.project_id', 'snippets.project_id')
    .selectAll('snippets')
    .select('routes.path as project_path')

export type SnippetRow = Awaited<ReturnType<ReturnType<typeof snippets>['executeTakeFirstOrThrow']>>

/** The snippets that a user wrote and still sees, of projects too, newest first. */
export const snippetsBy = (db: Db, actor: Actor, authorId: number) =>
  snippets(db).where('snippets.author_id', '=', authorId).where(anySnippetVisibleTo(actor)).orderBy('snippets.id', 'desc')

/** Every snippet that the actor may see, of projects too, newest first. */
export function allSnippets(db: Db, actor: Actor, { after, before }: { after?: string | undefined; before?: string | undefined }) {
  let query = snippets(db).where(anySnippetVisibleTo(actor)).orderBy('snippets.id', 'desc')
  if (after !== undefined) query = query.where('snippets.created_at', '>=', after)
  if (before !== undefined) query = query.where('snippets.created_at', '<', before)
  return query
}

/** The personal snippets that are open to everyone, newest first. */
export const publicSnippets = (db: Db) =>
  snippets(db)
    .where('snippets.project_id', 'is', null)
    .where('snippets.visibility', '=', 'public')
    .orderBy('snippets.created_at', 'desc')
    .orderBy('snippets.id', 'desc')

/** The snippets of a project that the actor may see, newest first. */
export const snippetsOf = (db: Db, actor: Actor, projectId: number) =>
  snippets(db)
    .where('snippets.project_id', '=', projectId)
    .where(snippetVisibleTo(actor, sql<boolean>`projects.id = ${projectId}`))
    .orderBy('snippets.id', 'desc')

/** A snippet that the actor may see. */
export const visibleSnippet = (db: Db, actor: Actor, id: number) =>
  snippets(db).where('snippets.id', '=', id).where(anySnippetVisibleTo(actor)).executeTakeFirst()

/** A snippet without a visibility check; for commands. */
export const snippetById = (db: Db, id: number) => snippets(db).where('snippets.id', '=', id).executeTakeFirst()

/** Snippets by id without a visibility check; the caller is responsible for it. */
export async function snippetsById(db: Db, ids: readonly number[]): Promise<Map<number, SnippetRow>> {
  if (ids.length === 0) return new Map()
  const rows = await snippets(db).where('snippets.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The snippets of projects with these names that the reader may see: the number of a snippet is its id. */
export async function snippetsNamed({ db, actor }: Reader, names: readonly ItemName[]): Promise<NamedItem[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('snippets')
    .innerJoin('routes', 'routes.project_id', 'snippets.project_id')
    .select(['snippets.id', 'snippets.id as iid', 'snippets.title', 'routes.path', 'snippets.project_id'])
    .where(
      sql<boolean>`(lower(routes.path), snippets.id) in (
        select * from unnest(${names.map(({ path }) => path)}::text[], ${names.map(({ iid }) => iid)}::bigint[]))`,
    )
    .where(snippetVisibleTo(actor, inNamedProjects(names)))
    .execute()
  return rows.map(({ project_id, ...row }) => ({ ...row, ...(project_id !== null && { project_id }) }))
}
