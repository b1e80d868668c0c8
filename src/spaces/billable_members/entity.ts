/** Members that count in a group's tree, as JSON (members API at 14.0). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { roleNames } from '../../platform/access/rules/in_words.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Day, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { BillableRow, TreeMembershipRow } from './queries.ts'

export const BillableMember = entity({
  name: 'BillableMember',
  schema: Type.Object({
    ...summaryFields,
    last_activity_on: Nullable(Day('Day of the last activity; null: none yet')),
    membership_type: text('How the user came in: `group_member`, `project_member`, `group_invite` or `project_invite`'),
    removable: flag('Whether the user can be removed from the whole group; not who came in by a share'),
  }),
  present: (row: BillableRow, _loaded: undefined, facts) => ({
    ...presentSummary(row, facts),
    last_activity_on: row.last_activity_on,
    membership_type: row.membership_type,
    removable: row.removable,
  }),
})

export const TreeMembership = entity({
  name: 'TreeMembership',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    source_id: integer('ID of the group or project'),
    source_full_name: text('Names of all parents and its own, with ` / ` between'),
    source_members_url: text('Address of the page of its members'),
    created_at: DateTime('When it was created'),
    expires_at: Nullable(Day('Last day of the membership; null: none')),
    access_level: described(
      'The role',
      Type.Object({
        string_value: text('Its name'),
        integer_value: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner'),
      }),
    ),
  }),
  present: (row: TreeMembershipRow, _loaded: undefined, { url }) => ({
    id: row.id,
    source_id: (row.project_id ?? row.namespace_id) as number,
    source_full_name: row.full_name,
    source_members_url:
      row.project_id === null ? `${url}/groups/${row.full_path}/-/group_members` : `${url}/${row.full_path}/-/project_members`,
    created_at: row.created_at,
    expires_at: row.expires_at,
    access_level: { string_value: roleNames[row.access_level] ?? String(row.access_level), integer_value: row.access_level },
  }),
})
