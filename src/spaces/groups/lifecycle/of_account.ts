/** Removes the groups and projects of a deleted account. */
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { solelyOwnedGroupIds } from '../../members/queries.ts'
import { removeProject } from '../../projects/lifecycle/removal.ts'
import { groupsById } from '../queries.ts'
import { removeGroup } from './removal.ts'

/**
 * Removes the projects of a personal namespace and, with `hardDelete`, the groups of which the user is the only owner. `ctx.db` is a
 * transaction.
 * @throws Refusal 409 if the user is the only owner of a group and `hardDelete` is false
 */
export async function removeSpacesOf(
  ctx: Context,
  user: { readonly id: number; readonly namespace_id: number | null },
  hardDelete: boolean,
): Promise<void> {
  const { db } = ctx
  const solelyOwned = await solelyOwnedGroupIds(db, user.id).execute()
  if (solelyOwned.length > 0 && !hardDelete) throw conflict('User cannot be removed while they own a group alone')
  const alone = await groupsById(
    db,
    solelyOwned.map(row => row.id),
  )
  for (const group of alone.values()) await removeGroup(ctx, group)
  if (user.namespace_id === null) return
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('namespace_id', '=', user.namespace_id)
    .execute()
  for (const project of projects) await removeProject(ctx, project)
}
