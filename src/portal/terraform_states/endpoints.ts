/** The pages of states of Terraform: the list, and of each state its lock and versions, and how a machine is connected with it. */
import { randomUUID } from 'node:crypto'
import * as api from '../../delivery/terraform_states/endpoints.ts'
import { type ListedVersion, type StateRow, statesOf, versionsOf } from '../../delivery/terraform_states/queries.ts'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage, projectPages } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { linesView } from '../packages/package_view.ts'
import { mayHere } from '../places/planning.ts'
import { inTerraformStatePage, inTerraformStateVersionPage, STATE, STATES } from './scope.ts'
import { initLines, lockView, stateList, statesPath, versionsTable } from './state_view.ts'

interface InProject {
  readonly project: ProjectWithRole
}

/** The lines that connect a machine with a state. */
const connecting = ({ url, actor, project }: Context & InProject, name: string): Html =>
  html`<section class="section"><h2>Use it from your machine</h2><p class="muted">In place of <code>&lt;token&gt;</code> stands a <a href="/-/profile/personal_access_tokens">personal access token</a> with the scope <code>api</code>. <code>tofu</code> works alike; the <a href="/help/infrastructure">handbook</a> says how a job does it.</p>${linesView(initLines(`${url}/api/v4/projects/${project.id}`, name, actor.user?.username ?? '<username>'))}</section>`

export const showTerraformStates = pageEndpoint({
  route: `GET ${STATES}`,
  summary: 'Show the states of Terraform of a project',
  scope: inProjectPage,
  can: 'read_terraform_state',
  params: listParams,
  async run(ctx) {
    const { db, actor, project, params } = ctx
    const { rows, links } = await listPage(ctx, statesOf(db, project.id), params)
    const isEmpty = rows.length === 0
    return page(ctx, {
      title: 'Terraform states',
      place: projectPlace(actor, project, 'terraform'),
      scripts: ['lists.js'],
      body: html`${isEmpty ? empty({ icon: 'server', title: 'No states', says: 'What Terraform or OpenTofu knows of your infrastructure is kept here, encrypted, with locks and versions.' }) : stateList(project, rows)}${links}${isEmpty && connecting(ctx, 'production')}`,
    })
  },
})

export const showTerraformState = pageEndpoint({
  route: `GET ${STATE}`,
  summary: 'Show a state of Terraform with its lock and versions',
  scope: inTerraformStatePage,
  can: 'read_terraform_state',
  params: listParams,
  async run(ctx) {
    const { db, actor, project, state, params } = ctx
    const { name, lock_id } = state
    const { rows, links } = await listPage(ctx, versionsOf(db, state.id), params)
    const mayChange = mayHere(ctx, api.deleteTerraformState.can)
    const path = (rest: string) => statesPath(project, name, rest)
    const removeVersion = ({ serial }: ListedVersion) =>
      actionButton(ctx, {
        to: path(`/versions/${serial}/delete`),
        face: icon('trash'),
        label: `Delete serial ${serial}`,
        look: 'bare',
        asks: `Delete serial ${serial} of ${name}? It cannot be had again.`,
      })
    const buttons =
      mayChange &&
      html`<div class="row">${
        lock_id === null
          ? html`${actionButton(ctx, { to: path('/lock'), face: html`${icon('lock')} Lock` })}${actionButton(ctx, { to: path('/delete'), face: html`${icon('trash')} Delete`, label: 'Delete the state', look: 'danger', asks: `Delete ${name} with all its versions? Terraform forgets what it has made.` })}`
          : actionButton(ctx, {
              to: path('/unlock'),
              face: 'Unlock',
              asks: 'Unlock it? The program that holds the lock can no longer write.',
            })
      }</div>`
    return page(ctx, {
      title: name,
      place: projectPlace(actor, project, 'terraform'),
      heading: 'own',
      body: html`<div class="heading"><h1>${name}</h1>${buttons}</div>${lockView(state)}
<section class="section"><h2>Versions</h2>${rows.length > 0 ? versionsTable(project, name, rows, mayChange ? removeVersion : undefined) : html`<p class="muted">Nothing was written yet.</p>`}${links}</section>${connecting(ctx, name)}`,
    })
  },
})

export const downloadTerraformState = endpoint({
  route: `GET ${STATE}/versions/:serial/download`,
  summary: 'Download a version of a state of Terraform',
  dialect: projectPages,
  scope: inTerraformStateVersionPage,
  can: 'read_terraform_state',
  answers: bytes('application/json'),
  async run(ctx) {
    const answer = (await api.getTerraformStateVersion.run(ctx as never)) as ByteAnswer
    const { state, version } = ctx
    return {
      ...answer,
      headers: {
        'content-disposition': contentDisposition('attachment', `${state.name}.${version.serial}.tfstate.json`),
        'cache-control': 'private, no-store',
      },
    }
  },
})

interface InState extends InProject {
  readonly state: StateRow
}

const statePath = ({ project, state }: InState): string => statesPath(project, state.name)

export const stateChanges = {
  lock: action<InState>({
    route: `POST ${STATE}/lock`,
    of: api.lockTerraformState,
    scope: inTerraformStatePage,
    instead: {
      params: {},
      adapt: async ({ actor, now, state }) => ({
        name: state.name,
        ID: randomUUID(),
        Operation: 'by hand',
        Info: '',
        Who: actor.user?.username ?? '',
        Version: '',
        Created: now.toISOString(),
        Path: '',
      }),
    },
    next: statePath,
    notice: ({ status }: ByteAnswer) => (status === 409 ? 'It has another lock already.' : 'The state was locked.'),
  }),
  unlock: action<InState>({
    route: `POST ${STATE}/unlock`,
    of: api.unlockTerraformState,
    scope: inTerraformStatePage,
    next: statePath,
    notice: 'The state was unlocked.',
  }),
  remove: action<InState>({
    route: `POST ${STATE}/delete`,
    of: api.deleteTerraformState,
    scope: inTerraformStatePage,
    next: ({ project }) => statesPath(project),
    notice: 'The state was deleted.',
  }),
  removeVersion: action<InState>({
    route: `POST ${STATE}/versions/:serial/delete`,
    of: api.deleteTerraformStateVersion,
    scope: inTerraformStateVersionPage,
    next: statePath,
    notice: 'The version was deleted.',
  }),
}
