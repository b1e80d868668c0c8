/** Where a merge request is deployed: its newest commit, and after the merge what brought it. */
import { deploymentsOfMergeRequest } from '../../../delivery/deployments/queries.ts'
import { type EnvironmentRow, environmentsById } from '../../../delivery/environments/queries.ts'
import { idsOf } from '../../../identity/users/queries.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { protectedAmong, type ShownDeployment, shownDeployments } from '../../environments/deployed.ts'
import { deploymentChip, openLink } from '../../environments/deployment_view.ts'
import { environmentPath } from '../../environments/scope.ts'
import { type Caller, mayIn } from '../page.ts'

/** Environments that are shown. */
const MOST = 10

/** An environment with the deployment that has the merge request. */
export interface DeployedMergeRequest {
  readonly environment: EnvironmentRow
  readonly shown: ShownDeployment
  readonly mayStop: boolean
}

/** Where it is deployed, the newest first: a fixed number of statements. Nothing for callers who may not see environments. */
export async function deployedOf(ctx: Caller): Promise<readonly DeployedMergeRequest[]> {
  const { db, project, mergeRequest } = ctx
  if (!mayIn(ctx, 'read_environment') || !mayIn(ctx, 'read_deployment')) return []
  const rows = await deploymentsOfMergeRequest(db, mergeRequest).limit(MOST).execute()
  if (rows.length === 0) return []
  const environments = await environmentsById(db, idsOf(rows, 'environment_id'))
  const names = [...environments.values()].map(({ name }) => name)
  const [shown, isProtected] = [await shownDeployments(ctx, project, rows), await protectedAmong(ctx, project, names)]
  const mayManage = mayIn(ctx, 'admin_environment')
  const byEnvironment = new Map(shown.toReversed().map(one => [one.deployment.environment_id, one]))
  return [...byEnvironment].toReversed().flatMap(([id, one]) => {
    const environment = environments.get(id)
    if (!environment) return []
    const mayStop =
      mayManage && environment.state === 'available' && one.deployment.status === 'success' && !isProtected.has(environment.name)
    return [{ environment, shown: one, mayStop }]
  })
}

/** One line for each environment. */
export const deployedView = (ctx: Caller, deployed: readonly DeployedMergeRequest[]): Html | undefined =>
  deployed.length === 0
    ? undefined
    : html`<ul class="plain-list deployed" aria-label="Environments">${deployed.map(one => deployedLine(ctx, one))}</ul>`

function deployedLine(ctx: Caller, { environment, shown: { deployment, user }, mayStop }: DeployedMergeRequest): Html {
  const { name, state, external_url } = environment
  const to = environmentPath(ctx.project, environment)
  const isThere = deployment.status === 'success' && state === 'available'
  return html`<li class="row">${icon('server')} ${deploymentChip(deployment.status)}<span>${deployment.status === 'created' ? 'can be deployed to' : 'to'} <a class="break" href="${to}">${name}</a>${state === 'stopped' && ' (stopped)'}${user && html` by <a href="/${user.username}">${user.name}</a>`}, ${time(deployment.finished_at ?? deployment.created_at)}</span>${isThere && openLink(external_url)}${mayStop && actionButton(ctx, { to: `${to}/stop`, face: html`${icon('stop')} Stop`, label: `Stop ${name}`, asks: `Stop ${name}?` })}</li>`
}
