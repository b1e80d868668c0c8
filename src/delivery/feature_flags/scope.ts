import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { flagNamed } from './queries.ts'

/** `:feature_flag_name` becomes a feature flag of the project, or 404. */
export const inFeatureFlag = within(inProject, {
  name: 'inFeatureFlag',
  path: { feature_flag_name: text('Name of a feature flag') },
  async load({ db, project }, { feature_flag_name }) {
    const featureFlag = await flagNamed(db, project.id, feature_flag_name)
    if (!featureFlag) throw notFound('Feature Flag')
    return { featureFlag }
  },
  modifiedAt: ({ featureFlag }) => featureFlag.updated_at,
})
