/** Forms and buttons of environments. */
import { playJob, retryJob } from '../../ci/jobs/endpoints.ts'
import * as api from '../../delivery/environments/endpoints.ts'
import type { EnvironmentRow } from '../../delivery/environments/queries.ts'
import { deploymentTiers } from '../../delivery/environments/tiers.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { action } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { ENVIRONMENT, environmentPath, environmentsPath, inDeploymentJobPage, inEnvironmentPage } from './scope.ts'

interface InProject {
  readonly project: ProjectWithRole
}
interface InOne extends InProject {
  readonly environment: EnvironmentRow
}

const frame = (title: string) => (ctx: Context & InProject) => ({ title, place: projectPlace(ctx.actor, ctx.project, 'environments') })

const tiers = deploymentTiers.map(tier => [tier, tier] as const)

const fields = (tierChoices: FieldSpec['choices']): readonly FieldSpec[] => [
  { name: 'name', autofocus: true, hint: 'Those with the same word before a `/` stand in one folder: `review/fix-typo`.' },
  { name: 'external_url', label: 'Address', hint: 'Where what is deployed can be seen.', placeholder: 'https://app.example.com' },
  { name: 'tier', label: 'What it is for', hint: 'Groups may protect all environments of a tier.', choices: tierChoices ?? [] },
]

const creation = form<InProject>({
  path: '/:project_path/-/environments/new',
  summary: 'Create an environment',
  scope: inProjectPage,
  of: api.createEnvironment,
  fields: () => fields([['', 'As its name says'], ...tiers]),
  next: ({ project }, made: EnvironmentRow) => environmentPath(project, made),
  cancel: ({ project }) => environmentsPath(project),
  notice: 'The environment was created.',
  button: 'Create environment',
  frame: frame('New environment'),
})

const own = ({ project, environment }: InOne): string => environmentPath(project, environment)

const changing = form<InOne>({
  path: `${ENVIRONMENT}/edit`,
  summary: 'Change an environment',
  scope: inEnvironmentPage,
  of: api.updateEnvironment,
  fields: () => fields(tiers),
  values: ({ environment: { name, external_url, tier } }) => ({ name, external_url, tier }),
  next: own,
  cancel: own,
  notice: 'The environment was changed.',
  button: 'Save',
  frame: ctx => frame(`Edit: ${ctx.environment.name}`)(ctx),
})

const DAY = 86_400_000

/** The API takes a time; people count days. It refuses less than a week, and more than ten years. */
const stale = form<InProject>({
  path: '/:project_path/-/environments/stop_stale',
  summary: 'Stop the environments that were long unused',
  scope: inProjectPage,
  of: api.stopStaleEnvironments,
  instead: {
    of: ['before'],
    params: { days: integer('Days without a change or a deployment', { minimum: 7, maximum: 3_650, examples: [30] }) },
    adapt: async ({ now }, { days }) => ({ before: new Date(now.getTime() - Number(days) * DAY).toISOString() }),
  },
  fields: () => [{ name: 'days', label: 'Days', autofocus: true, hint: 'At least 7.' }],
  values: () => ({ days: 30 }),
  before: () =>
    html`<p>Environments that were neither changed nor deployed to for so many days are stopped in the next minutes, each by the job that takes down what is deployed, where it has one. Protected ones stay. What was stopped can be deployed again.</p>`,
  next: ({ project }) => environmentsPath(project),
  cancel: ({ project }) => environmentsPath(project),
  notice: 'The environments that were unused for so long are stopped in the next minutes.',
  button: 'Stop them',
  look: 'danger',
  frame: frame('Stop unused environments'),
})

export const environmentChanges = {
  showNew: creation.show,
  create: creation.submit,
  showStale: stale.show,
  stopStale: stale.submit,
  showEdit: changing.show,
  edit: changing.submit,
  stop: action<InOne>({
    route: `POST ${ENVIRONMENT}/stop`,
    of: api.stopEnvironment,
    scope: inEnvironmentPage,
    next: own,
    notice: 'The environment was stopped.',
  }),
  keep: action<InOne>({
    route: `POST ${ENVIRONMENT}/cancel_auto_stop`,
    of: api.cancelAutoStop,
    scope: inEnvironmentPage,
    next: own,
    notice: 'The environment is kept until it is stopped.',
  }),
  remove: action<InOne>({
    route: `POST ${ENVIRONMENT}/delete`,
    of: api.removeEnvironment,
    scope: inEnvironmentPage,
    next: ({ project }) => environmentsPath(project),
    notice: 'The environment was deleted with its deployments.',
  }),
  play: action<InOne>({
    route: `POST ${ENVIRONMENT}/deployments/:deployment_id/play`,
    of: playJob,
    scope: inDeploymentJobPage,
    next: own,
    notice: 'The job of the deployment was started.',
  }),
  retry: action<InOne>({
    route: `POST ${ENVIRONMENT}/deployments/:deployment_id/retry`,
    of: retryJob,
    scope: inDeploymentJobPage,
    next: own,
    notice: 'The job of the deployment runs again.',
  }),
}
