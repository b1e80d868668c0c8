import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { iterationById } from './queries.ts'

/** `:iteration_id` is resolved to an iteration of the group itself, or 404. */
export const inIteration = within(inGroup, {
  name: 'inIteration',
  path: { iteration_id: integer('ID of an iteration') },
  async load({ db, group }, { iteration_id }) {
    const iteration = await iterationById(db, group.id, iteration_id)
    if (!iteration) throw notFound('Iteration')
    return { iteration }
  },
  modifiedAt: ({ iteration }) => iteration.updated_at,
})
