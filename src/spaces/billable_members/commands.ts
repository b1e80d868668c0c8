/** Removing a user from the whole tree of a group. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { groupsById } from '../groups/queries.ts'
import { removeMember } from '../members/commands.ts'
import { type MemberPlace, membersOf } from '../members/queries.ts'
import { projectsById } from '../projects/queries.ts'
import { membershipsInTree } from './queries.ts'

/**
 * Ends the direct memberships of a user in a group, the groups below it and their projects. 403 for the last owner of one of these groups, 400
 * for a user who came in by a share alone.
 */
export async function removeFromTree(ctx: Context, group: { readonly id: number }, userId: number): Promise<void> {
  const memberships = await membershipsInTree(ctx.db, group.id, userId).execute()
  if (memberships.length === 0) throw badRequest('The user has no membership of their own here')
  const idsOf = (key: 'namespace_id' | 'project_id') => memberships.map(row => row[key]).filter(id => id !== null)
  const [groups, projects] = [await groupsById(ctx.db, idsOf('namespace_id')), await projectsById(ctx.db, idsOf('project_id'))]
  for (const { namespace_id, project_id } of memberships) {
    const project = projects.get(project_id ?? 0)
    const inGroup = groups.get(namespace_id ?? 0)
    // An owner of the group above is one of everything below.
    const place: MemberPlace | undefined = project
      ? { key: { project_id: project.id }, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id, role: roles.owner }
      : inGroup && { key: { namespace_id: inGroup.id }, above: inGroup.traversal_ids.slice(0, -1), ownerId: null, role: roles.owner }
    const member = place && (await membersOf(ctx.db, place, { user_ids: [userId] }).executeTakeFirst())
    if (place && member) await removeMember(ctx, place, member, true)
  }
}
