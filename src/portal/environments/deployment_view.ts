/** Deployments as pages show them. Pure. */
import type { DeploymentStatus } from '../../delivery/deployments/states.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { jobPath } from '../jobs/scope.ts'
import { commitView, refView } from '../pipelines/list_view.ts'
import type { ShownDeployment } from './deployed.ts'

const looks: { readonly [S in DeploymentStatus]: readonly [word: string, tone: Tone, icon: IconName] } = {
  created: ['Waiting', 'plain', 'clock'],
  running: ['Deploying', 'accent', 'sync'],
  success: ['Deployed', 'success', 'check-circle'],
  failed: ['Failed', 'danger', 'x-circle'],
  canceled: ['Canceled', 'plain', 'circle-slash'],
  skipped: ['Skipped', 'plain', 'skip'],
}

export const deploymentChip = (status: DeploymentStatus): Html => chip(...looks[status])

/** What was deployed, by whom and when: the commit as a title, the rest beside and below it. */
export function deploymentFacts(project: { readonly full_path: string }, { deployment, commit, user, job }: ShownDeployment): Html {
  const { iid, sha, created_at, finished_at } = deployment
  return html`<span>#${iid}</span><span>${refView(project, deployment)}</span>${commitView(project, sha, commit)}${job && html`<span>by <a href="${jobPath(project, job)}">${job.name} (#${job.id})</a></span>`}${user && html`<span>${avatar(user, 20)} <a href="/${user.username}">${user.name}</a></span>`}<span>${time(finished_at ?? created_at)}</span>`
}

/** A row of a list of deployments. `buttons`: what can be done with it. */
export const deploymentItem = (project: { readonly full_path: string }, shown: ShownDeployment, mark?: Html, buttons?: Html): Html => html`
<li id="deployment-${shown.deployment.iid}"><div class="status-cell">${deploymentChip(shown.deployment.status)}</div><div class="main"><div class="title">${shown.commit?.title || 'No message'} ${mark}</div><div class="facts">${deploymentFacts(project, shown)}</div></div>${buttons && html`<div class="row">${buttons}</div>`}</li>`

/** The link to what runs in an environment. */
export const openLink = (address: string | null, look = 'btn btn-sm'): Html | undefined =>
  address === null
    ? undefined
    : html`<a class="${look}" href="${address}" rel="noopener noreferrer nofollow" target="_blank">${icon('link-external')} Open</a>`
