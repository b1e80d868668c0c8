/** Reads of deploy keys: keys without an owner (those of users: identity/keys/queries.ts). */
import { sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { deployKeyActs } from '../../platform/access/credentials/deploy_keys.ts'
import { endOf } from '../../platform/access/credentials/lifetimes.ts'
import { isProjectMember } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

const deployKeys = (db: Db) =>
  db
    .selectFrom('keys')
    .select(['keys.id', 'keys.title', 'keys.key', 'keys.fingerprint', 'keys.public', 'keys.created_at'])
    .select(endOf('keys.fingerprint_sha256', 'keys').as('expires_at'))
    .where('keys.user_id', 'is', null)

export type DeployKeyRow = Awaited<ReturnType<ReturnType<typeof deployKeys>['executeTakeFirstOrThrow']>>

/** The deploy keys of all projects, and the public ones. */
export function allDeployKeys(db: Db, filters: { readonly public?: boolean | undefined }) {
  const query = deployKeys(db).orderBy('keys.id')
  return filters.public ? query.where('keys.public', '=', true) : query
}

/** The deploy keys that a project has enabled. */
export const deployKeysOf = (db: Db, projectId: number) =>
  deployKeys(db)
    .innerJoin('deploy_key_projects as d', 'd.key_id', 'keys.id')
    .select(['d.project_id', 'd.can_push', deployKeyActs().as('active')])
    .where('d.project_id', '=', projectId)
    .orderBy('keys.id')

export type ProjectDeployKeyRow = Awaited<ReturnType<ReturnType<typeof deployKeysOf>['executeTakeFirstOrThrow']>>

/** One deploy key of a project. */
export const deployKeyOf = (db: Db, projectId: number, id: number) =>
  deployKeysOf(db, projectId).where('keys.id', '=', id).executeTakeFirst()

/** The deploy key with this id. */
export const deployKeyById = (db: Db, id: number) => deployKeys(db).where('keys.id', '=', id).executeTakeFirst()

/** A deploy key that the actor may enable: a public one, or one of a project that they maintain. */
function enableableKeys(db: Db, actor: Actor) {
  const query = deployKeys(db)
  if (isAdmin(actor)) return query
  const userId = actor.user?.id
  if (userId === undefined) return query.where(sql<boolean>`false`)
  return query.where(
    sql<boolean>`(keys.public or exists (select from deploy_key_projects links join projects on projects.id = links.project_id
                                          where links.key_id = keys.id and ${isProjectMember(userId, roles.maintainer)}))`,
  )
}

/** The deploy key with this id, if the actor may enable it in a project of theirs. */
export const enableableKeyById = (db: Db, actor: Actor, id: number) =>
  enableableKeys(db, actor).where('keys.id', '=', id).executeTakeFirst()

/** The deploy key with this fingerprint (SHA-256), if the actor may enable it in a project of theirs. */
export const enableableKeyByFingerprint = (db: Db, actor: Actor, fingerprintSha256: string) =>
  enableableKeys(db, actor).where('keys.fingerprint_sha256', '=', fingerprintSha256).executeTakeFirst()

/** The ids of the projects that each of these keys may push to: one statement. */
export async function writableProjectsOf(db: Db, keyIds: readonly number[]): Promise<Map<number, number[]>> {
  const links = await db
    .selectFrom('deploy_key_projects')
    .select(['key_id', 'project_id'])
    .where('can_push', '=', true)
    .where('key_id', '=', anyOf(keyIds))
    .orderBy('project_id')
    .execute()
  const found = new Map<number, number[]>()
  for (const { key_id, project_id } of links) found.set(key_id, [...(found.get(key_id) ?? []), project_id])
  return found
}

const links = (db: Db) =>
  db
    .selectFrom('deploy_key_projects')
    .select(({ ref }) => ['id', ref('key_id').as('deploy_key_id'), 'project_id', 'created_at', 'updated_at', 'can_push'])
    .orderBy('id')

/** A project that has enabled a deploy key. */
export type DeployKeyLink = Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirstOrThrow']>>

/** The projects that have enabled each of these deploy keys: one statement. */
export async function linksOf(db: Db, keyIds: readonly number[]): Promise<Map<number, DeployKeyLink[]>> {
  const rows = await links(db).where('key_id', '=', anyOf(keyIds)).execute()
  return Map.groupBy(rows, row => row.deploy_key_id)
}
