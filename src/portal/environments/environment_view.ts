/** The page of an environment. Pure. */
import type { EnvironmentRow } from '../../delivery/environments/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { statusChip } from '../pipelines/status_view.ts'
import type { ShownDeployment } from './deployed.ts'
import { deploymentItem, openLink } from './deployment_view.ts'
import { environmentPath, folderPath } from './scope.ts'

export interface EnvironmentView {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly project: { readonly full_path: string }
  readonly environment: EnvironmentRow
  readonly folder: string | undefined
  /** Who may deploy, in words; undefined where nothing protects it. */
  readonly deployers: readonly string[] | undefined
  /** As far as protections are concerned. */
  readonly mayDeploy: boolean
  /** Where protections are managed, for callers who may. */
  readonly protectionsAt: string | undefined
  readonly mayManage: boolean
  /** May the caller run jobs of the project? */
  readonly mayRun: boolean
  /** The ids of the jobs that they may run, as far as the protection of branches and tags is concerned. */
  readonly runnable: ReadonlySet<number>
  /** The job that takes down what is deployed. */
  readonly stopJob: { readonly name: string } | undefined
  readonly waiting: readonly ShownDeployment[]
  readonly deployments: readonly ShownDeployment[]
  /** The id of the last deployment that succeeded: what is there now. */
  readonly current: number | undefined
  readonly links: Html | undefined
}

export function environmentHead(view: EnvironmentView): Html {
  const { ctx, project, environment, folder, mayManage, mayDeploy, stopJob, deployers, protectionsAt } = view
  const { name, state, tier, external_url } = environment
  const to = (what: string) => environmentPath(project, environment, `/${what}`)
  const may = mayManage && mayDeploy
  return html`<div class="heading"><h1>${folder !== undefined && html`<a href="${folderPath(project, folder)}">${folder}</a> <span class="muted light">/</span> `}${folder === undefined ? name : name.slice(folder.length + 1)}</h1><div class="row">${openLink(external_url)}${may && html`<a class="btn btn-sm" href="${to('edit')}">${icon('pencil')} Edit</a>`}${deployers === undefined && protectionsAt !== undefined && html`<a class="btn btn-sm" href="${protectionsAt}/new?name=${encodeURIComponent(name)}">${icon('shield-lock')} Protect</a>`}${may && state === 'available' && actionButton(ctx, { to: to('stop'), face: html`${icon('stop')} Stop`, label: `Stop ${name}`, look: 'danger', asks: stopJob ? `Stop ${name}? Its job “${stopJob.name}” takes down what is deployed.` : `Stop ${name}? It has no job that takes down what is deployed: only its state changes.` })}${may && state === 'stopped' && actionButton(ctx, { to: to('delete'), face: html`${icon('trash')} Delete`, label: `Delete ${name}`, look: 'danger', asks: `Delete ${name} with its deployments?` })}</div></div>
<div class="row facts item-facts">${state === 'available' ? chip('Available', 'success') : chip('Stopped')}${chip(tier)}${deployers !== undefined && chip('Protected', 'plain', 'shield-lock')}<span>made ${time(environment.created_at)}</span></div>`
}

/** What a reader must know before the deployments. */
export function environmentNotices({
  ctx,
  project,
  environment,
  deployers,
  mayDeploy,
  mayManage,
  mayRun,
  protectionsAt,
}: EnvironmentView): Html {
  const { auto_stop_at, state } = environment
  const who = deployers?.join(', ') ?? ''
  return html`${deployers !== undefined && html`<div class="notice${!mayDeploy && mayRun && ' attention'}">${icon('shield-lock')}<span>It is protected: ${who === '' ? 'administrators alone' : who} may deploy here${mayDeploy ? '.' : ', change it or stop it. You are not among them.'}${protectionsAt !== undefined && html` <a href="${protectionsAt}">Change who may</a>`}</span></div>`}${auto_stop_at !== null && state === 'available' && html`<div class="notice">${icon('stopwatch')}<span>It stops by itself ${time(auto_stop_at)}.</span>${mayManage && mayDeploy && actionButton(ctx, { to: environmentPath(project, environment, '/cancel_auto_stop'), face: 'Keep it' })}</div>`}`
}

export function environmentBody(view: EnvironmentView): Html {
  const { project, environment, waiting, deployments, current, links } = view
  const isNone = waiting.length + deployments.length === 0
  return html`${waiting.length > 0 && html`<section class="section"><h2>Can be deployed</h2><ul class="list" data-list>${waiting.map(shown => deploymentItem(project, shown, shown.job && html`<span>${statusChip(shown.job.status)}</span>`, playButton(view, shown)))}</ul></section>`}
${
  isNone
    ? empty({
        icon: 'rocket',
        title: 'Nothing has been deployed',
        says: html`A job with <code>environment: ${environment.name}</code> in the CI file deploys here. Deployments made by other programs are reported by the API.`,
      })
    : html`<section class="section"><h2>Deployments</h2>${deployments.length > 0 ? html`<ul class="list" data-list>${deployments.map(shown => deploymentItem(project, shown, shown.deployment.id === current ? chip('Current', 'accent', 'location') : undefined, againButton(view, shown)))}</ul>${links}` : html`<p class="muted">None has begun.</p>`}</section>`
}`
}

/** Starts the job of a deployment that waits to be run by hand. */
function playButton({ ctx, project, environment, mayRun, mayDeploy, runnable }: EnvironmentView, { deployment, job }: ShownDeployment) {
  if (!job || !mayRun || !mayDeploy || !runnable.has(job.id) || !['manual', 'scheduled'].includes(job.status)) return undefined
  return actionButton(ctx, {
    to: environmentPath(project, environment, `/deployments/${deployment.id}/play`),
    face: html`${icon('play')} Deploy`,
    label: `Deploy #${deployment.iid} to ${environment.name}`,
    look: 'primary',
  })
}

/** Runs the job of a deployment again: for the current one that is to deploy it again, for an earlier one to roll back. */
function againButton(
  { ctx, project, environment, mayRun, mayDeploy, runnable, current }: EnvironmentView,
  { deployment, job }: ShownDeployment,
) {
  const { id, iid, status } = deployment
  if (!job || !mayRun || !mayDeploy || !runnable.has(job.id) || job.retried || !['success', 'failed', 'canceled'].includes(job.status))
    return undefined
  const isBack = status === 'success' && current !== undefined && id < current
  return actionButton(ctx, {
    to: environmentPath(project, environment, `/deployments/${id}/retry`),
    face: isBack ? html`${icon('history')} Roll back` : html`${icon('sync')} Deploy again`,
    label: isBack ? `Roll back ${environment.name} to #${iid}` : `Deploy again: #${iid} to ${environment.name}`,
    asks: isBack
      ? `Roll ${environment.name} back to what was deployed as #${iid}?`
      : `Deploy what was deployed as #${iid} again to ${environment.name}?`,
  })
}
