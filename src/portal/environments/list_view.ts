/** The list of environments. Pure. */
import type { EnvironmentGroup, EnvironmentState } from '../../delivery/environments/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { withParameter } from '../../platform/pages/lists.ts'
import type { ListedEnvironment } from './deployed.ts'
import { deploymentChip, deploymentFacts, openLink } from './deployment_view.ts'
import { environmentPath, environmentsPath, folderPath } from './scope.ts'

export interface EnvironmentsView {
  readonly project: { readonly full_path: string }
  readonly address: string
  readonly state: EnvironmentState
  readonly counts: Readonly<Record<EnvironmentState, number>>
  readonly search: string
  readonly folder: string | undefined
  readonly mayManage: boolean
  /** The page of its list: folders, and environments. */
  readonly rows: readonly (EnvironmentGroup | number)[]
  readonly listed: ReadonlyMap<number, ListedEnvironment>
  readonly links: Html | undefined
}

const words: Readonly<Record<EnvironmentState, string>> = { available: 'Available', stopped: 'Stopped' }

export function environmentsHead({ project, folder, search, state, mayManage, counts }: EnvironmentsView): Html {
  const create = html`<a class="btn btn-primary" href="${environmentsPath(project, '/new')}" data-hotkey="c">New environment</a>`
  return html`<div class="heading"><h1>${folder === undefined ? 'Environments' : html`<a href="${environmentsPath(project)}">Environments</a> <span class="muted light">/</span> ${folder}`}</h1>${mayManage && html`<div class="row">${counts.available > 0 && html`<a class="btn" href="${environmentsPath(project, '/stop_stale')}">Stop unused ones</a>`}${create}</div>`}</div>
${folder === undefined && html`<form class="filter-bar" action="${environmentsPath(project)}" role="search"><input type="hidden" name="states" value="${state}"><label class="sr-only" for="search">Part of the name</label><input class="form-control" type="search" id="search" name="search" value="${search}" placeholder="Part of the name" autocomplete="off" data-hotkey="f"><button class="btn">${icon('search')} Find</button></form>`}`
}

export function environmentsList(view: EnvironmentsView): Html {
  const { address, state, counts, folder, rows, links } = view
  return html`<nav class="subnav" aria-label="State">${(['available', 'stopped'] as const).map(value => html`<a href="${withParameter(address, 'states', value)}"${value === state && html` aria-current="page"`}>${words[value]}${folder === undefined && html` <span class="counter">${counts[value]}</span>`}</a>`)}</nav>
${rows.length > 0 ? html`<ul class="list" data-list>${rows.map(row => rowOf(view, row))}</ul>${links}` : none(view)}`
}

const rowOf = (view: EnvironmentsView, row: EnvironmentGroup | number): Html => {
  if (typeof row !== 'number' && row.folder !== null) return folderItem(view, row.folder, row.count)
  const found = view.listed.get(typeof row === 'number' ? row : (row.id ?? 0))
  return found ? environmentItem(view, found) : html``
}

const folderItem = ({ project, state }: EnvironmentsView, folder: string, count: number): Html => html`
<li>${icon('file-directory-fill', 'Folder')}<div class="main"><div class="title"><a href="${folderPath(project, folder)}${state === 'stopped' ? '?states=stopped' : ''}">${folder}</a></div><div class="facts">${count} ${count === 1 ? 'environment' : 'environments'}</div></div></li>`

function environmentItem({ project, folder }: EnvironmentsView, { environment, last, next, isProtected }: ListedEnvironment): Html {
  const { name, external_url, auto_stop_at, state } = environment
  return html`
<li>${icon('server')}<div class="main"><div class="title row"><a href="${environmentPath(project, environment)}">${folder === undefined ? name : name.slice(folder.length + 1)}</a>${isProtected && chip('Protected', 'plain', 'shield-lock')}${next && deploymentChip(next.deployment.status)}${auto_stop_at !== null && state === 'available' && html`<span class="muted small">${icon('stopwatch')} stops ${time(auto_stop_at)}</span>`}</div>
<div class="facts">${last ? html`<strong>${last.commit?.title || 'No message'}</strong>${deploymentFacts(project, last)}` : 'Nothing has been deployed.'}</div></div><div class="row">${openLink(external_url)}</div></li>`
}

function none({ search, state, counts, folder, mayManage, project }: EnvironmentsView): Html {
  if (search !== '' || folder !== undefined || counts.available + counts.stopped > 0)
    return empty({ icon: 'server', title: `No ${words[state].toLowerCase()} environments`, says: 'None is like this.' })
  return empty({
    icon: 'server',
    title: 'No environments yet',
    says: html`An environment is where software runs: production, staging, a review of one branch. A job with <code>environment: production</code> in the CI file deploys to it; what was deployed when, and by whom, is kept here.`,
    ...(mayManage && { action: html`<a class="btn btn-primary" href="${environmentsPath(project, '/new')}">New environment</a>` }),
  })
}
