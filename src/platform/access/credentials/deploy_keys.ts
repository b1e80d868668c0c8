/**
 * What a deploy key may do. It acts in a project for the user who enabled it there: it is stopped once that account is deleted or not active,
 * or its user has not the role that the key acts with. Each project is judged by its own enabler.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Actor } from '../actor.ts'
import { levelInProject } from '../memberships.ts'
import { type Role, roles } from '../open_to.ts'

/** What a statement calls the row of `deploy_key_projects`. */
type Link = 'd' | 'deploy_key_projects'

/** The role that a deploy key acts with, unless it is stopped. */
export const deployKeyRole = (link: Link = 'd'): RawBuilder<Role> =>
  sql`case when ${sql.ref(`${link}.can_push`)} then ${sql.lit(roles.developer)} else ${sql.lit(roles.reporter)} end`

/** Is the deploy key not stopped in the project? */
export const deployKeyActs = (link: Link = 'd'): RawBuilder<boolean> => sql<boolean>`exists (
  select from users enabler, projects held join namespaces home on home.id = held.namespace_id
   where enabler.id = ${sql.ref(`${link}.enabled_by`)} and held.id = ${sql.ref(`${link}.project_id`)} and enabler.state = 'active'
     and (enabler.admin or ${levelInProject(sql`enabler.id`, 'held', 'home')} >= ${deployKeyRole(link)}))`

/** A project by its id, or by the path or alias that a client named. */
export type NamedProject = { readonly id: number } | { readonly path: string }

/**
 * Why a deploy key that the project has does not act there, in words; undefined for one that does, that the project does not have, and
 * for all other actors. One statement for deploy keys, none for others.
 */
export async function whyKeyStopped(db: Db, { credential }: Actor, project: NamedProject): Promise<string | undefined> {
  if (credential?.kind !== 'deploy_key') return undefined
  const isNamed =
    'id' in project
      ? sql`d.project_id = ${project.id}`
      : sql`d.project_id in (
          select r.project_id from routes r where lower(r.path) = lower(${project.path}) union all
          select r.project_id from redirect_routes r where lower(r.path) = lower(${project.path}) union all
          select a.project_id from project_aliases a where lower(a.name) = lower(${project.path}))`
  const { rows } = await sql`
    select from deploy_key_projects d where d.key_id = ${credential.id} and ${isNamed} and not ${deployKeyActs()}`.execute(db)
  if (rows.length === 0) return undefined
  return 'This deploy key is stopped: the user who enabled it is not active, or may not do here what the key does. A Maintainer of the project has to enable it again.'
}

/** The user who enabled a deploy key first, or who made the bot that did; null where the account is gone, and where no project has the key. */
export async function deployKeyCreator(db: Db, keyId: number): Promise<number | null> {
  const { rows } = await sql<{ creator: number | null }>`
    select coalesce(enabler.creator_id, enabler.id) as creator
      from deploy_key_projects d left join users enabler on enabler.id = d.enabled_by
     where d.key_id = ${keyId} order by d.id limit 1`.execute(db)
  return rows[0]?.creator ?? null
}

/** The user whom what the actor does in a project counts as: themselves, and for a deploy key the user who enabled it there. */
export async function authorIdIn(db: Db, { user, credential }: Actor, projectId: number): Promise<number | undefined> {
  if (credential?.kind !== 'deploy_key') return user?.id
  const { rows } = await sql<{ enabled_by: number | null }>`
    select d.enabled_by from deploy_key_projects d where d.key_id = ${credential.id} and d.project_id = ${projectId}`.execute(db)
  return rows[0]?.enabled_by ?? undefined
}
