/** States of Terraform as pages show them. Pure. */
import type { LockInfo } from '../../delivery/terraform_states/commands.ts'
import type { ListedState, ListedVersion, StateRow } from '../../delivery/terraform_states/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { Lines } from '../packages/install.ts'

type Project = { readonly full_path: string }

/** The path of the list of states, or of a state and what is below it. */
export const statesPath = (project: Project, name?: string, rest = ''): string =>
  projectPath(project, `/-/terraform${name === undefined ? '' : `/${encodeURIComponent(name)}`}${rest}`)

/** The path that a version is downloaded from. */
export const versionPath = (project: Project, name: string, serial: number): string =>
  statesPath(project, name, `/versions/${serial}/download`)

/** A user, as far as the account is still there. */
const userLink = (username: string | null): Html =>
  username === null ? html`a deleted user` : html`<a class="quiet" href="/${username}">${username}</a>`

/** The list of states. */
export const stateList = (project: Project, rows: readonly ListedState[]): Html =>
  html`<ul class="list" data-list>${rows.map(row => stateItem(project, row))}</ul>`

function stateItem(project: Project, { name, lock_id, locked_by, serial, written_at, written_by }: ListedState): Html {
  const written =
    serial === null || written_at === null
      ? html`<span>nothing was written yet</span>`
      : html`<span>serial ${serial}</span><span>written ${time(written_at)} by ${userLink(written_by)}</span>`
  return html`
<li>${icon('server')}<div class="main"><div class="title row"><a href="${statesPath(project, name)}">${name}</a>${lock_id !== null && chip('Locked', 'attention', 'lock')}</div>
<div class="facts">${written}${lock_id !== null && html`<span>locked by ${userLink(locked_by)}</span>`}</div></div>${serial !== null && html`<div class="row"><a class="btn btn-sm" href="${versionPath(project, name, serial)}" data-turbo="false" download title="Download" aria-label="Download ${name}">${icon('download')}</a></div>`}</li>`
}

/** Who holds the lock of a state, since when and what for. */
export function lockView({ lock_id, lock_info, locked_by, locked_at }: StateRow): Html {
  if (lock_id === null || locked_at === null) return html`<div class="row facts item-facts"><span>Not locked</span></div>`
  const { Operation, Info } = lock_info as unknown as LockInfo
  return html`<div class="row facts item-facts">${chip('Locked', 'attention', 'lock')}<span>by ${userLink(locked_by)} ${time(locked_at)}</span><span>for <code>${Operation}</code>${Info !== '' && html` (${Info})`}</span><span>ID <code>${lock_id}</code></span></div>`
}

/** The versions of a state. `remove`: the button that deletes one. */
export const versionsTable = (
  project: Project,
  name: string,
  rows: readonly ListedVersion[],
  remove: ((version: ListedVersion) => Html) | undefined,
): Html =>
  dataTable<ListedVersion>({
    label: 'Versions',
    columns: [
      {
        title: 'Serial',
        cell: ({ serial }) =>
          html`<a href="${versionPath(project, name, serial)}" data-turbo="false" download aria-label="Download serial ${serial}">${icon('download')} ${serial}</a>`,
      },
      { title: 'Written', cell: ({ created_at }) => time(created_at) },
      {
        title: 'By',
        cell: ({ written_by, job_id }) =>
          html`${userLink(written_by)}${job_id !== null && html` in <a href="${projectPath(project, `/-/jobs/${job_id}`)}">job #${job_id}</a>`}`,
      },
      remove !== undefined && { title: 'Delete', cell: remove },
    ],
    rows,
  })

/** What people type to use a state from their machine. `api`: the address of the project in the API. */
export function initLines(api: string, name: string, username: string): Lines[] {
  const address = `${api}/terraform/state/${encodeURIComponent(name)}`
  const config = [
    `address=${address}`,
    `lock_address=${address}/lock`,
    'lock_method=POST',
    `unlock_address=${address}/lock`,
    'unlock_method=DELETE',
    `username=${username}`,
    'password=<token>',
  ]
  return [
    { title: 'In the files', text: 'terraform {\n  backend "http" {}\n}' },
    { title: 'Command', text: ['terraform init', ...config.map(part => `  -backend-config="${part}"`)].join(' \\\n') },
  ]
}
