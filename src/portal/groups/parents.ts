/** Where a caller may create groups. */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { mayCreateSubgroup } from '../../spaces/groups/scope.ts'

/** Groups that are offered as places for a group. */
const MOST_PARENTS = 500

/** Groups in which the caller may create subgroups: as a Maintainer, or as an Owner where they ask for that. */
export async function parentChoices({ db, actor }: Pick<Context, 'db' | 'actor'>) {
  const groupsAs = (min_access_level: number) =>
    groupsMatching(db, actor, isAdmin(actor) ? { all_available: true } : { min_access_level })
      .limit(MOST_PARENTS)
      .execute()
  const [maintained, owned] = [await groupsAs(roles.maintainer), await groupsAs(roles.owner)]
  const ids = new Set(owned.map(({ id }) => id))
  const open = maintained.filter(group => mayCreateSubgroup(actor, { ...group, role: ids.has(group.id) ? roles.owner : roles.maintainer }))
  return [['', 'The top: a group in no other'] as const, ...open.map(({ id, full_path }) => [String(id), full_path] as const)]
}

export const PARENT_HINT = 'The top, or a group in which you may create subgroups.'
