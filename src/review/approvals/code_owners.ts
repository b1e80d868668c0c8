/**
 * The rules that come from a CODEOWNERS file (code owners at 14.0). They are stored with each version of a merge request, so that to show and to count
 * them takes no git; whether they are required is decided where they are read, by the protection of the target branch.
 */

import { sql } from 'kysely'
import type { OwnedPaths } from '../../code/code_owners/file.ts'
import { ownersOfChanges } from '../../code/code_owners/read.ts'
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { ObjectId, Repository } from '../../platform/git/index.ts'
import { groupHasAccess } from '../../spaces/shares/queries.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'

/** Who owns what a version changes. */
export interface OwnersOfVersion {
  /** The id of the CODEOWNERS file; null where there is none. */
  readonly file: ObjectId | null
  readonly owned: readonly OwnedPaths[]
}

/** The owners of what differs between two commits, by this file. */
export async function ownersFrom(
  repository: Repository,
  file: ObjectId | null,
  { base, head }: { readonly base: ObjectId; readonly head: ObjectId },
): Promise<OwnersOfVersion> {
  return { file, owned: file === null ? [] : await ownersOfChanges(repository, file, base, head) }
}

/**
 * Replaces the rules of a merge request by those of a new version, or of a new file. At most five statements, whatever the number of rules; none where
 * there is no file. `db` is a transaction in which the merge request is locked, or made.
 * @param before the merge request as it is stored
 */
export async function setCodeOwners(
  db: Db,
  before: Pick<MergeRequestRow, 'id' | 'project_id' | 'code_owners_file'>,
  { owned }: OwnersOfVersion,
): Promise<void> {
  const { id, project_id, code_owners_file } = before
  if (code_owners_file !== null)
    await db.deleteFrom('approval_rules').where('merge_request_id', '=', id).where('rule_type', '=', 'code_owner').execute()
  if (owned.length === 0) return
  const { users, groups } = await ownersNamed(db, project_id, owned)
  const { rows: rules } = await sql<{ id: number; name: string; section: string | null }>`
    insert into approval_rules (merge_request_id, rule_type, name, section, approvals_required)
    select ${id}, 'code_owner', given.name, given.section, given.required
      from unnest(
        ${owned.map(({ name }) => name)}::text[],
        ${owned.map(({ section }) => section)}::text[],
        ${owned.map(({ isOptional }) => (isOptional ? 0 : 1))}::integer[]
      ) with ordinality as given (name, section, required, place)
     order by given.place
    returning id, name, section`.execute(db)
  const idOf = new Map(rules.map(rule => [keyOf(rule), rule.id]))
  const usersOf = pairs(owned, idOf, ({ paths, emails }) => [...paths, ...emails].flatMap(name => users.get(name) ?? []))
  const groupsOf = pairs(owned, idOf, ({ paths }) => paths.flatMap(path => groups.get(path) ?? []))
  if (usersOf.rules.length > 0)
    await sql`insert into approval_rule_users (approval_rule_id, user_id)
      select * from unnest(${usersOf.rules}::bigint[], ${usersOf.owners}::bigint[])`.execute(db)
  if (groupsOf.rules.length > 0)
    await sql`insert into approval_rule_groups (approval_rule_id, group_id)
      select * from unnest(${groupsOf.rules}::bigint[], ${groupsOf.owners}::bigint[])`.execute(db)
}

const keyOf = ({ name, section }: { readonly name: string; readonly section: string | null }): string => JSON.stringify([section, name])

/** Rules and their owners, as two columns. */
function pairs(owned: readonly OwnedPaths[], idOf: ReadonlyMap<string, number>, ownersOf: (entry: OwnedPaths) => readonly number[]) {
  const rows = owned.flatMap(entry => [...new Set(ownersOf(entry))].map(owner => [idOf.get(keyOf(entry))!, owner] as const))
  return { rules: rows.map(([rule]) => rule), owners: rows.map(([, owner]) => owner) }
}

/**
 * The users and groups that entries name. Of the users only members of the project count, so that nothing is learned of the addresses of others; of the
 * groups only those above the project, and those invited to it (code owners). One statement.
 */
async function ownersNamed(db: Db, projectId: number, owned: readonly OwnedPaths[]) {
  const paths = [...new Set(owned.flatMap(entry => entry.paths))]
  const emails = [...new Set(owned.flatMap(entry => entry.emails))]
  const { rows } = await sql<{ name: string; user_id: number | null; group_id: number | null }>`
    with place as materialized (
      select p.id, n.owner_id, n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id where p.id = ${projectId}
    ), named as materialized (
      select lower(username) as name, id from users where lower(username) = any(${paths}::text[])
      union select lower(email), id from users where lower(email) = any(${emails}::text[]) and confirmed_at is not null
      union select lower(email), user_id from emails where lower(email) = any(${emails}::text[]) and confirmed_at is not null
    )
    select named.name, named.id as user_id, null::bigint as group_id from named, place
     where named.id = place.owner_id or exists (
       select from memberships m where m.user_id = named.id and ${isCurrentMembership()}
          and (m.project_id = place.id or m.namespace_id = any(place.traversal_ids)))
    union all
    select lower(routes.path), null, namespaces.id
      from place join projects on projects.id = place.id join namespaces home on home.id = projects.namespace_id,
           routes join namespaces on namespaces.id = routes.namespace_id
     where lower(routes.path) = any(${paths}::text[]) and namespaces.kind = 'group' and ${groupHasAccess(sql.ref('namespaces.id'))}`.execute(
    db,
  )
  const users = new Map<string, number>()
  const groups = new Map<string, number>()
  for (const { name, user_id, group_id } of rows) {
    if (user_id !== null) users.set(name, user_id)
    if (group_id !== null) groups.set(name, group_id)
  }
  return { users, groups }
}

/** Do the target branches of these merge requests require the approval of code owners? One statement. */
export async function requireOwners(
  db: Db,
  rows: readonly Pick<MergeRequestRow, 'id' | 'project_id' | 'target_branch'>[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set()
  const protections = await db
    .selectFrom('protected_branches')
    .select(['project_id', 'name'])
    .where('project_id', '=', anyOf([...new Set(rows.map(row => row.project_id))]))
    .where('code_owner_approval_required', '=', true)
    .execute()
  const isRequired = ({ project_id, target_branch }: (typeof rows)[number]) =>
    protections.some(protection => protection.project_id === project_id && fitsName(protection.name, target_branch))
  return new Set(rows.filter(isRequired).map(({ id }) => id))
}

/** Like `requireOwners`, for merge requests by id. Two statements. */
export async function requireOwnersById(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('merge_requests')
    .select(['id', 'project_id', 'target_branch'])
    .where('id', '=', anyOf([...new Set(ids)]))
    .execute()
  return requireOwners(db, rows)
}
