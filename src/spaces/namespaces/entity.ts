/** A namespace as JSON (namespaces API). */
import Type from 'typebox'
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { described, flag, integer, Nullable, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type MemberCounts, memberCountsOf, type NamespaceRow } from './queries.ts'

/** Contract: only owners of a group see the counts, and personal namespaces have none (namespaces API). */
const showsCounts = (row: NamespaceRow, { actor }: Facts): boolean => row.kind === 'group' && (isAdmin(actor) || row.role >= roles.owner)

type Counts = ReadonlyMap<number, MemberCounts>

/** The fields of a namespace, alone and inside a project (document 3 "Project"). */
export const namespaceFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the namespace'),
  path: text('Last part of the path, as in addresses'),
  kind: text('`user` or `group`'),
  full_path: text('Path with those of all parents'),
  parent_id: Nullable(integer('ID of the parent; null at the top')),
  avatar_url: Nullable(text('Address of the avatar; null where there is none')),
  web_url: text('Address of the page for people'),
}

type ShownNamespace = Pick<NamespaceRow, 'id' | 'name' | 'path' | 'kind' | 'full_path' | 'parent_id' | 'avatar_url'>

export const presentNamespace = (row: ShownNamespace, facts: Facts) => ({
  id: row.id,
  name: row.name,
  path: row.path,
  kind: row.kind,
  full_path: row.full_path,
  parent_id: row.parent_id,
  avatar_url: row.avatar_url && `${facts.url}${row.avatar_url}`,
  web_url: `${facts.url}/${row.kind === 'group' ? 'groups/' : ''}${row.full_path}`,
})

export const Namespace = entity({
  name: 'Namespace',
  schema: Type.Object({
    ...namespaceFields,
    members_count_with_descendants: optional(integer('Number of members, those of subgroups included')),
    billable_members_count: onTier('premium', optional(integer('Number of members who count for billing'))),
  }),
  load: (ctx: Context, rows: readonly NamespaceRow[]): Promise<Counts> =>
    memberCountsOf(
      ctx.db,
      rows.filter(row => showsCounts(row, ctx)).map(row => row.id),
    ),
  present: (row: NamespaceRow, counts: Counts, facts) => ({
    ...presentNamespace(row, facts),
    ...(showsCounts(row, facts)
      ? {
          members_count_with_descendants: counts.get(row.id)?.members ?? 0,
          billable_members_count: counts.get(row.id)?.billable ?? 0,
        }
      : {}),
  }),
})

/** Whether a path is taken, and similar free paths. */
export const PathAvailability = plain(
  'PathAvailability',
  Type.Object({ exists: flag('Whether the path is taken'), suggests: described('Free paths that are similar', Type.Array(Type.String())) }),
)
