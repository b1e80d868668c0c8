/** Shares of projects and of groups, by the invited group. */

import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type ShareRow, shareWith } from './queries.ts'

const path = { group_id: integer('ID of the group that it is shared with') }

async function find({ db }: Context, place: Place, groupId: number): Promise<{ share: ShareRow }> {
  const share = await shareWith(db, place, groupId)
  if (!share) throw notFound('Group Link')
  return { share }
}

/** `:group_id` becomes the share of the project with that group, or 404. */
export const inProjectShare = within(inProject, {
  name: 'inProjectShare',
  path,
  load: (ctx, { group_id }) => find(ctx, { project_id: ctx.project.id }, group_id),
})

/** `:group_id` becomes the share of the group with that group, or 404. */
export const inGroupShare = within(inGroup, {
  name: 'inGroupShare',
  path,
  load: (ctx, { group_id }) => find(ctx, { namespace_id: ctx.group.id }, group_id),
})
