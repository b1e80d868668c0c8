/** Whose a scoped name of npm is. The registry of the instance serves a name from one project, so one project below the path of a scope has it. */
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../../../../platform/access/places.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { lockName } from '../../../../platform/db/statements/named_locks.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { unfitPackage } from '../shared/published.ts'

/** The scope of `@scope/name`. */
export const scopeOfName = (name: string): string | undefined => /^@([^/]+)\//.exec(name)?.[1]

/** Publications and transfers that could give a name in this scope to two projects wait for each other. */
const lockScope = (db: Db, scope: string) => lockName(db, 'npm scope', scope)

interface Root {
  readonly id: number
  readonly path: string
}

/** The group or user at the top, above these projects. */
async function rootAbove(db: Db, projects: RawBuilder<unknown>): Promise<Root | undefined> {
  const { rows } = await sql<Root>`select root.id, root.path from namespaces root where root.id = (${projects})`.execute(db)
  return rows[0]
}

/**
 * Keeps a name for the project that has it until the transaction ends. Contract: below the path of its scope a name is of one project (public behaviour
 * at 14.0); elsewhere the registry of the instance does not look for it.
 * @param db a transaction
 * @throws Refusal 400 where another project has it; of several that have it since earlier versions, the one that had it first
 */
export async function assertOwnName(db: Db, projectId: number, name: string): Promise<void> {
  const scope = scopeOfName(name)
  if (scope === undefined) return
  // Before the root is read: a transfer changes it.
  await lockScope(db, scope)
  const root = await rootAbove(
    db,
    sql`select home.traversal_ids[1] from projects join namespaces home on home.id = projects.namespace_id where projects.id = ${projectId}`,
  )
  if (root?.path !== scope) return
  const { rows } = await sql<{ project_id: number }>`
    select packages.project_id from packages
      join projects on projects.id = packages.project_id
      join namespaces home on home.id = projects.namespace_id
     where packages.package_type = 'npm' and packages.lookup_name = ${name} and home.traversal_ids[1] = ${root.id}
     order by packages.id limit 1`.execute(db)
  if (rows[0] && rows[0].project_id !== projectId) throw unfitPackage('Package already exists')
}

const placed = (moved: Place): RawBuilder<boolean> =>
  'project_id' in moved ? sql`projects.id = ${moved.project_id}` : sql`home.traversal_ids @> array[${moved.namespace_id}::bigint]`

/**
 * Refuses to move packages of npm to where another project has the name, or where two that are moved have it: the one that published it first would
 * take it from the other.
 * @param moved a project, or a group with what is below it, which is there already
 * @param from the id of the group or user at the top until now
 * @throws Refusal 400
 */
export async function assertNamesStayOwn(db: Db, moved: Place, from: number | undefined): Promise<void> {
  const root = await rootAbove(
    db,
    'project_id' in moved
      ? sql`select home.traversal_ids[1] from projects join namespaces home on home.id = projects.namespace_id where projects.id = ${moved.project_id}`
      : sql`select home.traversal_ids[1] from namespaces home where home.id = ${moved.namespace_id}`,
  )
  if (!root || root.id === from) return
  await lockScope(db, root.path)
  const { rows } = await sql<{ name: string }>`
    select packages.lookup_name as name from packages
      join projects on projects.id = packages.project_id
      join namespaces home on home.id = projects.namespace_id
     where ${placed(moved)} and packages.package_type = 'npm' and starts_with(packages.lookup_name, ${`@${root.path}/`})
       and exists (
         select from packages other
           join projects theirs on theirs.id = other.project_id
           join namespaces place on place.id = theirs.namespace_id
          where other.package_type = 'npm' and other.lookup_name = packages.lookup_name and other.project_id <> packages.project_id
            and place.traversal_ids[1] = ${root.id})
     order by packages.id limit 1`.execute(db)
  if (rows[0]) throw badRequest(`Another project in ${root.path} has the npm package ${rows[0].name}`)
}
