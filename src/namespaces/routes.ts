/**
 * Full paths: one `routes` row for each group, personal namespace and project. A path leads to one thing, in any case
 * of letters, and moves with everything below it.
 */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { uniqueViolation } from '../db/errors.ts'
import { conflict } from '../kernel/errors.ts'

/** What a route leads to. */
type Target = { readonly namespace_id: number } | { readonly project_id: number }

/** The last part of a full path and of a full name. */
interface Own {
  readonly path: string
  readonly name: string
}

/**
 * Keeps a namespace and those above it where they are until the transaction ends: whoever renames, moves or deletes
 * one of them waits, or is waited for. So nothing gets a path below a name that is no longer true.
 */
export async function holdNamespace(db: Db, id: number): Promise<void> {
  await sql`select from namespaces where id = any((select traversal_ids from namespaces where id = ${id})::bigint[]) order by id for share`.execute(
    db,
  )
}

/** The full path and full name of a thing below namespace `parentId`, or at the top. */
async function fullOf(db: Db, parentId: number | undefined, own: Own): Promise<Own> {
  if (parentId === undefined) return { path: own.path, name: own.name }
  await holdNamespace(db, parentId)
  const above = await db.selectFrom('routes').select(['path', 'name']).where('namespace_id', '=', parentId).executeTakeFirstOrThrow()
  return { path: `${above.path}/${own.path}`, name: `${above.name} / ${own.name}` }
}

/** A path that is taken is a 409 (decision 13). */
function refuseTaken(error: unknown): never {
  if (uniqueViolation(error) === 'routes_path_key') throw conflict('Path has already been taken')
  throw error
}

/** Takes a full path, below namespace `parentId` or at the top, for a namespace or project. */
export async function takePath(db: Db, target: Target, parentId: number | undefined, own: Own): Promise<void> {
  const full = await fullOf(db, parentId, own)
  await db
    .insertInto('routes')
    .values({ ...target, ...full })
    .execute()
    .catch(refuseTaken)
}

/** Moves the route of a namespace or project, and of everything below a namespace, to a new full path and name. */
export async function movePath(db: Db, target: Target, parentId: number | undefined, own: Own): Promise<void> {
  const full = await fullOf(db, parentId, own)
  const before = await db
    .selectFrom('routes')
    .select(['id', 'path', 'name'])
    .where(({ and }) => and(target))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const below = `${before.path.replace(/[\\%_]/g, '\\$&')}/%`
  await sql`update routes set path = ${full.path} || substr(path, length(${before.path}) + 1), name = ${full.name} || substr(name, length(${before.name}) + 1)
             where id = ${before.id} or lower(path) like lower(${below})`
    .execute(db)
    .catch(refuseTaken)
}
