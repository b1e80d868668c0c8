/** Where a caller may create projects. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { groupsMatching } from '../../spaces/groups/queries.ts'

/** A form offers this many groups; others are named by the API. */
const MOST = 500

/** The choices of a form: one's own namespace, then the groups in which one may create projects. */
export async function creatableNamespaces({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<readonly (readonly [string, string])[]> {
  const groups = await groupsMatching(db, actor, { min_access_level: roles.developer }).limit(MOST).execute()
  return [['', `${actor.user?.username} (personal)`], ...groups.map(({ id, full_path }) => [String(id), full_path] as const)]
}
