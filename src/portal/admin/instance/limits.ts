/** The limits of the instance, in one form. */
import { limitNames } from '../../../ci/artifacts/size_limits.ts'
import { changePlanLimits } from '../../../ci/plan_limits/endpoints.ts'
import { planLimits } from '../../../ci/plan_limits/queries.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

const PAGE = '/admin/plan_limits'

/** `ci_max_artifact_size_junit` as `junit`. */
const kindOf = (name: string): string => name.replace(/^ci_max_artifact_size_/, '').replaceAll('_', ' ')

const limits = form({
  path: PAGE,
  summary: 'Change the limits of the instance',
  scope: inAdministration,
  of: changePlanLimits,
  fields: () => [
    { name: 'ci_instance_level_variables', label: 'CI/CD variables of the instance', hint: 'How many there may be; 0 for any number.' },
    { name: 'ci_jobs_trace_size_limit', label: 'Log of a job, in megabytes', hint: '0 for any size.' },
    ...limitNames.map(name => ({ name, label: `Artifact ${kindOf(name)}, in megabytes`, hint: '' })),
  ],
  values: async ({ db }) => {
    const { artifactSizes, ...others } = await planLimits(db)
    return { ...others, ...artifactSizes }
  },
  fixed: () => ({ plan_name: 'default' }),
  empty: 'left_out',
  next: () => PAGE,
  notice: 'The limits were saved.',
  button: 'Save limits',
  frame: ctx => ({ title: 'Limits', place: adminPlace('limits', ctx) }),
})
export const showLimits = limits.show
export const submitLimits = limits.submit
