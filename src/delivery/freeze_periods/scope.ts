import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { freezePeriodById } from './queries.ts'

/** `:freeze_period_id` becomes a freeze period of the project, or 404. */
export const inFreezePeriod = within(inProject, {
  name: 'inFreezePeriod',
  path: { freeze_period_id: integer('ID of a freeze period') },
  async load({ db, project }, { freeze_period_id }) {
    const freezePeriod = await freezePeriodById(db, project.id, freeze_period_id)
    if (!freezePeriod) throw notFound('Freeze Period')
    return { freezePeriod }
  },
  modifiedAt: ({ freezePeriod }) => freezePeriod.updated_at,
})
