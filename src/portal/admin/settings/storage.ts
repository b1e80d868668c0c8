/** The settings of the instance for repositories and for CI/CD. */

import { limitNames } from '../../../ci/artifacts/size_limits.ts'
import { changePlanLimits } from '../../../ci/plan_limits/endpoints.ts'
import { planLimits } from '../../../ci/plan_limits/queries.ts'
import { updateApplicationSettings } from '../../../platform/application_settings/endpoints.ts'
import { instancePage, instanceValues } from './declared.ts'

const shared = { of: updateApplicationSettings, values: instanceValues, confirms: true } as const

export const repositoryPage = instancePage({
  key: 'repository',
  sections: [
    {
      ...shared,
      key: 'limits',
      title: 'Sizes',
      fields: [
        { name: 'receive_max_input_size', label: 'MB that a push may have', required: true, hint: '0: any number.' },
        {
          name: 'repository_size_limit',
          label: 'MB that a project may take',
          required: true,
          hint: 'Its repository, LFS objects and uploads together. 0: any number. A project may have a limit of its own.',
        },
      ],
    },
  ],
})

const seconds = (name: string, label: string) =>
  ({ name, label, hint: 'Seconds, two hours (7200) at least; existing ones end too. Empty: no limit.' }) as const

/** `ci_max_artifact_size_junit` as `junit`, in words. */
const kindOf = (name: string): string => name.replace('ci_max_artifact_size_', '').replaceAll('_', ' ')

export const ciCdPage = instancePage({
  key: 'ci_cd',
  sections: [
    {
      ...shared,
      key: 'runner_tokens',
      title: 'Life of runners’ tokens',
      fields: [
        seconds('runner_token_expiration_interval', 'Runners of the instance'),
        seconds('group_runner_token_expiration_interval', 'Runners of groups'),
        seconds('project_runner_token_expiration_interval', 'Runners of projects'),
      ],
    },
    {
      key: 'plan_limits',
      title: 'Limits',
      look: 'dense',
      says: 'In MB where nothing else is said; 0 for any number.',
      of: changePlanLimits,
      empty: 'left_out',
      values: async ({ db }) => {
        const { artifactSizes, ...limits } = await planLimits(db)
        return { ...limits, ...artifactSizes, plan_name: 'default' }
      },
      fields: [
        { name: 'plan_name', control: 'hidden' },
        { name: 'ci_instance_level_variables', label: 'Variables of the instance', required: true, hint: '' },
        { name: 'ci_jobs_trace_size_limit', label: 'Log of a job', required: true, hint: '' },
        ...limitNames.map(name => ({ name, label: `Artifact: ${kindOf(name)}`, required: true as const, hint: '' })),
      ],
    },
  ],
})
