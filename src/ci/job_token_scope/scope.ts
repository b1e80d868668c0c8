/** Entries of the lists of the job token scope, in paths. */

import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { listedGroups } from './queries.ts'

/** `:target_project_id` names a listed project; a parameter says which list. */
export const inListedProject = within(inProject, {
  name: 'inListedProject',
  path: { target_project_id: integer('ID of a listed project') },
  load: async (_ctx, { target_project_id }) => ({ targetId: target_project_id }),
})

/** `:target_group_id` becomes a listed group, or 404. */
export const inListedGroup = within(inProject, {
  name: 'inListedGroup',
  path: { target_group_id: integer('ID of a listed group') },
  async load({ db, project }, { target_group_id }) {
    const target = await listedGroups(db, project.id).where('namespaces.id', '=', target_group_id).executeTakeFirst()
    if (!target) throw notFound('Target group')
    return { target }
  },
})
