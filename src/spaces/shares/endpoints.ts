/** Sharing projects and groups with groups (projects and groups API). */
import Type from 'typebox'
import type { Role } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { Day, integer, Nullable, optional } from '../../platform/kernel/declaration/types.ts'
import { GroupDetails } from '../groups/entity.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import * as commands from './commands.ts'
import { ProjectShare } from './entity.ts'
import { inGroupShare, inProjectShare } from './scope.ts'

const terms = (levels: readonly Role[]) => ({
  group_id: integer('ID of the group to share with', { examples: [1] }),
  group_access: Type.Unsafe<Role>({
    type: 'integer',
    enum: [...levels],
    examples: [30],
    description: `The highest access level of its members: ${levels.join(', ')}`,
  }),
  expires_at: optional(Nullable(Day('The day it ends'))),
})

export const shareProject = endpoint({
  route: 'POST /projects/:id/share',
  summary: 'Share a project with a group',
  scope: inProject,
  can: 'admin_project',
  // Contract: a share of a project gives no level Owner, because projects have no owners as members (projects API).
  params: terms([10, 20, 30, 40]),
  answers: one(ProjectShare),
  errors: ['conflict'],
  run: ctx => commands.shareProject(ctx, ctx.project, ctx.params),
})

export const unshareProject = endpoint({
  route: 'DELETE /projects/:id/share/:group_id',
  summary: 'End the share of a project with a group',
  scope: inProjectShare,
  can: 'admin_project',
  answers: nothing,
  run: ctx => commands.removeShare(ctx, ctx.share),
})

export const shareGroup = endpoint({
  route: 'POST /groups/:id/share',
  summary: 'Share a group with another group',
  scope: inGroup,
  can: 'admin_group',
  params: terms([10, 20, 30, 40, 50]),
  answers: one(GroupDetails),
  errors: ['conflict'],
  async run(ctx) {
    await commands.shareGroup(ctx, ctx.group, ctx.params)
    return ctx.group
  },
})

export const unshareGroup = endpoint({
  route: 'DELETE /groups/:id/share/:group_id',
  summary: 'End the share of a group with another group',
  scope: inGroupShare,
  can: 'admin_group',
  answers: nothing,
  run: ctx => commands.removeShare(ctx, ctx.share),
})
