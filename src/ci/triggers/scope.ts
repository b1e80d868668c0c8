import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { triggersOf } from './queries.ts'

/** `:trigger_id` becomes a trigger token of the project, or 404. */
export const inTrigger = within(inProject, {
  name: 'inTrigger',
  path: { trigger_id: integer('ID of a trigger token') },
  async load({ db, project }, { trigger_id }) {
    const trigger = await triggersOf(db, project.id).where('id', '=', trigger_id).executeTakeFirst()
    if (!trigger) throw notFound('Trigger')
    return { trigger }
  },
  modifiedAt: ({ trigger }) => trigger.updated_at,
})

/** `:id` is a project that the caller need not see: the token among the parameters decides. */
export const inTriggered = scope({
  name: 'inTriggered',
  path: { id: text('ID or URL-encoded full path of a project') },
  load: async (_ctx, { id }) => ({ projectId: id }),
  subject: () => ({ on: 'instance' as const }),
})
