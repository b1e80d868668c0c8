/** A protected branch as JSON (protected branches API at 14.0). */
import Type from 'typebox'
import { usersById } from '../../identity/users/queries.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, flag, integer, Nullable, onTier, text } from '../../platform/kernel/declaration/types.ts'
import type { AccessLevel, ProtectedBranchRow } from './queries.ts'

/** An access level of a protected branch or tag. */
export const Level = Type.Object({
  id: integer('ID, unique on the instance'),
  access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
  access_level_description: text('The level in words'),
  user_id: Nullable(integer('ID of the user; null where the level is a role or group')),
  group_id: Nullable(integer('ID of the group; null where the level is a role or user')),
})

const descriptions: Readonly<Record<number, string>> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Instance admins',
}

/** Names of the users and groups that levels name. */
interface Names {
  readonly users: ReadonlyMap<number, { readonly name: string }>
  readonly groups: ReadonlyMap<number, { readonly name: string }>
}

/** The users and groups named by a page of levels: at most two statements. */
export async function namesIn({ db }: Context, levels: readonly LevelRow[]): Promise<Names> {
  const groupIds = [...new Set(levels.flatMap(level => level.group_id ?? []))]
  const groups =
    groupIds.length === 0 ? [] : await db.selectFrom('namespaces').select(['id', 'name']).where('id', '=', anyOf(groupIds)).execute()
  return {
    users: await usersById(db, [...new Set(levels.flatMap(level => level.user_id ?? []))]),
    groups: new Map(groups.map(group => [group.id, group])),
  }
}

type LevelRow = Omit<AccessLevel, 'action'>

function describe({ user_id, group_id, access_level }: LevelRow, { users, groups }: Names): string {
  const name = user_id !== null ? users.get(user_id)?.name : group_id !== null ? groups.get(group_id)?.name : descriptions[access_level]
  return name ?? ''
}

/** A level with its description. */
export const presentLevel = (level: LevelRow, names: Names) => ({
  id: level.id,
  access_level: level.access_level,
  access_level_description: describe(level, names),
  user_id: level.user_id,
  group_id: level.group_id,
})

export const ProtectedBranch = entity({
  name: 'ProtectedBranch',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name or pattern of the branches'),
    push_access_levels: described('Who may push', Type.Array(Level)),
    merge_access_levels: described('Who may merge', Type.Array(Level)),
    allow_force_push: flag('Whether those who may push may force-push'),
    unprotect_access_levels: onTier('premium', described('Who may remove the protection', Type.Array(Level))),
    code_owner_approval_required: onTier('premium', flag('Whether code owners must approve')),
  }),
  load: (ctx: Context, rows: readonly ProtectedBranchRow[]) =>
    namesIn(
      ctx,
      rows.flatMap(row => row.levels),
    ),
  present: (row: ProtectedBranchRow, names) => {
    const levels = (action: AccessLevel['action']) =>
      row.levels.filter(level => level.action === action).map(level => presentLevel(level, names))
    return {
      id: row.id,
      name: row.name,
      push_access_levels: levels('push'),
      merge_access_levels: levels('merge'),
      allow_force_push: row.allow_force_push,
      unprotect_access_levels: levels('unprotect'),
      code_owner_approval_required: row.code_owner_approval_required,
    }
  },
})
