import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { findProject, inProject } from '../../spaces/projects/scope.ts'

/** `:forked_from_id` is resolved to another project that the actor may see, or 404. */
export const inForkSource = within(inProject, {
  name: 'inForkSource',
  path: { forked_from_id: text('ID or URL-encoded full path of the project that it is a fork of') },
  load: async ({ db, actor }, { forked_from_id }) => ({ source: await findProject(db, actor, forked_from_id) }),
})
