/**
 * Full paths: one `routes` row for each group, personal namespace and project. A path is unique, ignoring case, and moves with everything
 * below it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Places } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/** The target of a route. */
type Target = { readonly namespace_id: number } | { readonly project_id: number }

/** The last part of a full path and of a full name. */
interface Own {
  readonly path: string
  readonly name: string
}

/**
 * Locks a namespace and its ancestors in share mode until the transaction ends: a transaction that renames, moves or deletes one of them
 * waits, or is waited for. So no path is created below a name that has changed.
 */
export async function lockNamespaceShared(db: Db, id: number): Promise<void> {
  await sql`select from namespaces where id = any((select traversal_ids from namespaces where id = ${id})::bigint[]) order by id for share`.execute(
    db,
  )
}

/** Locks a namespace until the transaction ends: no other transaction can add, rename or move anything at or below it. */
export const lockNamespace = (db: Db, id: number) =>
  db.selectFrom('namespaces').select(['id', 'deleting']).where('id', '=', id).forUpdate().executeTakeFirst()

/** The full path and full name of a thing below namespace `parentId`, or at the top. */
async function fullOf(db: Db, parentId: number | undefined, own: Own): Promise<Own> {
  if (parentId === undefined) return { path: own.path, name: own.name }
  await lockNamespaceShared(db, parentId)
  const above = await db.selectFrom('routes').select(['path', 'name']).where('namespace_id', '=', parentId).executeTakeFirstOrThrow()
  return { path: `${above.path}/${own.path}`, name: `${above.name} / ${own.name}` }
}

/** A path that is taken is a 409 (decision 13). */
function rethrowTaken(error: unknown): never {
  if (uniqueViolation(error) === 'routes_path_key') throw conflict('Path has already been taken')
  throw error
}

/** Takes a full path, below namespace `parentId` or at the top, for a namespace or project. */
export async function createRoute(db: Db, target: Target, parentId: number | undefined, own: Own): Promise<void> {
  const full = await fullOf(db, parentId, own)
  await db
    .insertInto('routes')
    .values({ ...target, ...full })
    .execute()
    .catch(rethrowTaken)
  await endRedirects(db, full.path)
}

/** Moves the route of a namespace or project, and of everything below a namespace, to a new full path and name. */
export async function moveRoute(db: Db, target: Target, parentId: number | undefined, own: Own): Promise<void> {
  const full = await fullOf(db, parentId, own)
  const before = await db
    .selectFrom('routes')
    .select(['id', 'path', 'name'])
    .where(({ and }) => and(target))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const moved = sql`(id = ${before.id} or lower(path) like lower(${`${escaped(before.path)}/%`}))`
  if (full.path !== before.path) await leaveRedirects(db, moved)
  await sql`update routes set path = ${full.path} || substr(path, length(${before.path}) + 1), name = ${full.name} || substr(name, length(${before.name}) + 1)
             where ${moved}`
    .execute(db)
    .catch(rethrowTaken)
  if (full.path !== before.path) await endRedirects(db, full.path)
}

const escaped = (path: string): string => path.replace(/[\\%_]/g, '\\$&')

/** Adds redirects for the paths of these routes, which are about to move. */
const leaveRedirects = (db: Db, moved: RawBuilder<unknown>) =>
  sql`insert into redirect_routes (namespace_id, project_id, path) select namespace_id, project_id, path from routes where ${moved}
        on conflict (lower(path)) do update set namespace_id = excluded.namespace_id, project_id = excluded.project_id`.execute(db)

/** A path in use, or with something below it, has no redirects. */
const endRedirects = (db: Db, path: string) =>
  sql`delete from redirect_routes
       where lower(path) in (select lower(path) from routes where lower(path) = lower(${path}) or lower(path) like lower(${`${escaped(path)}/%`}))`.execute(
    db,
  )

/** Releases the paths of places that are being deleted, with their redirects. */
export async function releasePaths(db: Db, { namespaceIds, projectIds }: Places): Promise<void> {
  await db.deleteFrom('routes').where('namespace_id', '=', anyOf(namespaceIds)).execute()
  await db.deleteFrom('routes').where('project_id', '=', anyOf(projectIds)).execute()
  await db.deleteFrom('redirect_routes').where('namespace_id', '=', anyOf(namespaceIds)).execute()
  await db.deleteFrom('redirect_routes').where('project_id', '=', anyOf(projectIds)).execute()
}
