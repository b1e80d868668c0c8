/** Iterations by the addresses of their pages. */
import { iterationById } from '../../planning/iterations/queries.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inPlanningGroupPage } from '../places/planning.ts'

/** The path of every page of an iteration. */
export const ITERATION = '/groups/:group_path/-/iterations/:iteration_id'

/** `:iteration_id` becomes an iteration of the group itself, or 404. */
export const inIterationPage = within(inPlanningGroupPage, {
  name: 'inIterationPage',
  path: { iteration_id: integer('ID of an iteration') },
  async load({ db, group }, { iteration_id }) {
    const iteration = await iterationById(db, group.id, iteration_id)
    if (!iteration) throw notFound('Iteration')
    return { iteration }
  },
})
