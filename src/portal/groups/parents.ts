/** Where a caller may create groups. */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { mayCreateTopGroup } from '../../spaces/groups/commands.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { mayCreateSubgroup } from '../../spaces/groups/scope.ts'

type Caller = Pick<Context, 'db' | 'actor'>

/** Groups that are offered as places for a group. */
const MOST_PARENTS = 500

/** Groups in which the caller may create subgroups: as a Maintainer, or as an Owner where they ask for that. */
async function openGroups({ db, actor }: Caller) {
  const groupsAs = (min_access_level: number) =>
    groupsMatching(db, actor, isAdmin(actor) ? { all_available: true } : { min_access_level })
      .limit(MOST_PARENTS)
      .execute()
  const [maintained, owned] = [await groupsAs(roles.maintainer), await groupsAs(roles.owner)]
  const ids = new Set(owned.map(({ id }) => id))
  return maintained.filter(group => mayCreateSubgroup(actor, { ...group, role: ids.has(group.id) ? roles.owner : roles.maintainer }))
}

/** The field for the place of a group that is made: the top, where the caller may create groups there, and groups. */
export async function parentField(ctx: Caller): Promise<FieldSpec> {
  const mayAtTop = await mayCreateTopGroup(ctx.db, ctx.actor)
  const groups = (await openGroups(ctx)).map(({ id, full_path }) => [String(id), full_path] as const)
  return {
    name: 'parent_id',
    label: 'Where',
    control: 'select',
    choices: mayAtTop ? [['', 'The top: a group in no other'], ...groups] : groups,
    hint: mayAtTop
      ? 'The top, or a group in which you may create subgroups.'
      : 'A group in which you may create subgroups. Your account may not create any at the top.',
  }
}
