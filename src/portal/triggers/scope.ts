/** Trigger tokens by the addresses of their pages. */
import { triggersOf } from '../../ci/triggers/queries.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

/** `:trigger_id` becomes a trigger token of the project, or 404. */
export const inTriggerPage = within(inProjectPage, {
  name: 'inTriggerPage',
  path: { trigger_id: integer('ID of a trigger token') },
  async load({ db, project }, { trigger_id }) {
    const trigger = await triggersOf(db, project.id).where('id', '=', trigger_id).executeTakeFirst()
    if (!trigger) throw notFound('Trigger')
    return { trigger }
  },
})
