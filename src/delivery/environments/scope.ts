import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { environmentById } from './queries.ts'

/** `:environment_id` becomes an environment of the project, or 404. */
export const inEnvironment = within(inProject, {
  name: 'inEnvironment',
  path: { environment_id: integer('ID of an environment') },
  async load({ db, project }, { environment_id }) {
    const environment = await environmentById(db, project.id, environment_id)
    if (!environment) throw notFound('Environment')
    return { environment }
  },
  modifiedAt: ({ environment }) => environment.updated_at,
})
