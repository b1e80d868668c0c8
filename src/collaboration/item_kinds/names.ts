/** Names of items in texts: the path of their project or group, and their number. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { type RolesAmong, rolesAmong } from '../../platform/access/visible.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ItemTables } from './kinds.ts'

/** The full path of a project or group in lower case, and the number of an item in it. */
export interface ItemName {
  readonly path: string
  readonly iid: number
}

/** The user for whom names are resolved. */
export type Reader = Pick<Context, 'db' | 'actor'>

const pathsOf = (names: readonly ItemName[]) => names.map(({ path }) => path)
const iidsOf = (names: readonly ItemName[]) => names.map(({ iid }) => iid)

const namedProjects = (names: readonly ItemName[]) => sql<number>`select project_id from routes where lower(path) = any(${pathsOf(names)})`

/** The named projects, to narrow conditions of visibility, which would otherwise examine every project. */
export const inNamedProjects = (names: readonly ItemName[]) => sql<boolean>`projects.id in (${namedProjects(names)})`

/** The reader's roles in the named projects, for a statement about what is in them. */
export const rolesAmongNamed = (actor: Actor, names: readonly ItemName[]): RolesAmong => rolesAmong(actor, namedProjects(names))

/** A condition on the named rows of a table joined with the routes of their places. */
export const isNamed = (table: ItemTables['table'], names: readonly ItemName[]) =>
  sql<boolean>`(lower(routes.path), ${sql.raw(`${table}.iid`)}) in (select * from unnest(${pathsOf(names)}::text[], ${iidsOf(names)}::bigint[]))`
