/** Where a caller may create projects. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'
import { mayCreateProjectIn } from '../../spaces/projects/lifecycle/target_namespace.ts'

/** A form offers this many groups; others are named by the API. */
const MOST = 500

/** The choices of a form: one's own namespace, then the groups in which one may create projects: as a Developer, or as a Maintainer where they ask for that. */
export async function creatableNamespaces({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<readonly (readonly [string, string])[]> {
  const groupsAs = (min_access_level: number) => groupsMatching(db, actor, { min_access_level }).limit(MOST).execute()
  const [groups, maintained] = [await groupsAs(roles.developer), await groupsAs(roles.maintainer)]
  const ids = new Set(maintained.map(({ id }) => id))
  const open = groups.filter(group => mayCreateProjectIn(actor, { ...group, role: ids.has(group.id) ? roles.maintainer : roles.developer }))
  return [['', `${actor.user?.username} (personal)`], ...open.map(({ id, full_path }) => [String(id), full_path] as const)]
}
