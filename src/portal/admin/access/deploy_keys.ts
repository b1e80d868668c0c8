/** The deploy keys of the instance: those of projects, and the public ones, which every project may enable. */
import { addPublicDeployKey, deletePublicDeployKey } from '../../../code/deploy_keys/endpoints.ts'
import { allDeployKeys, type DeployKeyRow, writableProjectsOf } from '../../../code/deploy_keys/queries.ts'
import { inInstanceDeployKey } from '../../../code/deploy_keys/scope.ts'
import { NO_SSH_KEY } from '../../../identity/keys/parse.ts'
import { idsOf } from '../../../identity/users/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { OneOf } from '../../../platform/kernel/declaration/types.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { type ProjectRow, projectsById } from '../../../spaces/projects/queries.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/admin/deploy_keys'

/** Characters of a key that the list shows. */
const SHOWN = 48

/** Projects that the list names for a key; the others are counted. */
const MOST_NAMED = 3

export const showDeployKeys = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the deploy keys of the instance',
  scope: inAdministration,
  can: 'admin_instance',
  params: { ...listParams, show: OneOf(['all', 'public'], { description: 'Which keys', default: 'all' }) },
  async run(ctx) {
    const { db, params } = ctx
    const found = await listPage(ctx, allDeployKeys(db, { public: params.show === 'public' }), params)
    const writable = await writableProjectsOf(db, idsOf(found.rows, 'id'))
    const named = await projectsById(db, [...new Set([...writable.values()].flatMap(ids => ids.slice(0, MOST_NAMED)))])
    const create = html`<a class="btn btn-primary" href="${LIST}/new">New public key</a>`
    return page(ctx, {
      title: 'Deploy keys',
      place: adminPlace('deploy_keys', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>Deploy keys</h1>${create}</div>
<nav class="subnav" aria-label="Which keys"><a href="${LIST}"${params.show === 'all' && html` aria-current="page"`}>All</a><a href="${LIST}?show=public"${params.show === 'public' && html` aria-current="page"`}>Public</a></nav>
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(key => keyItem(ctx, key, writable.get(key.id) ?? [], named))}</ul>` : empty({ icon: 'key', title: 'No deploy keys', says: 'A deploy key lets a machine clone over SSH without an account. Every project may enable a public one.' })}${found.links}`,
    })
  },
})

function keyItem(
  ctx: Context,
  { id, title, key, fingerprint, public: isPublic, created_at, expires_at }: DeployKeyRow,
  writable: readonly number[],
  named: ReadonlyMap<number, ProjectRow>,
): Html {
  const shown = writable.slice(0, MOST_NAMED).flatMap(project => named.get(project) ?? [])
  return html`<li>${icon('key')}<div class="main"><div class="title">${title} ${isPublic && chip('Public', 'accent')}</div><div class="mono muted small break">${key.slice(0, SHOWN)}…</div>
<div class="facts"><span class="mono break">${fingerprint}</span><span>since ${time(created_at)}</span>${expires_at !== null && html`<span>ends ${time(expires_at)}</span>`}${shown.length > 0 && html`<span>may push to ${shown.map((project, at) => html`${at > 0 && ', '}<a href="${projectPath(project)}">${project.full_path}</a>`)}${writable.length > shown.length && ` and ${writable.length - shown.length} more`}</span>`}</div></div>
${actionButton(ctx, { to: `${LIST}/${id}/delete`, face: 'Delete', look: 'danger', label: `Delete ${title}`, asks: `Delete ${title}? It opens no project any more.` })}</li>`
}

const newKey = form({
  path: `${LIST}/new`,
  summary: 'Add a deploy key that every project may enable',
  scope: inAdministration,
  of: addPublicDeployKey,
  fields: () => [
    { name: 'title', hint: 'So that people know which machine has it.' },
    { name: 'key', label: 'Public key', control: 'textarea', hint: 'The contents of a file that ends in `.pub`.', invalid: NO_SSH_KEY },
    { name: 'expires_at', label: 'Ends (UTC)', hint: 'Empty: never.' },
  ],
  next: () => LIST,
  notice: 'The key was added.',
  confirms: true,
  button: 'Add key',
  cancel: () => LIST,
  frame: ctx => ({ title: 'New public deploy key', place: adminPlace('deploy_keys', ctx) }),
})
export const showNewDeployKey = newKey.show
export const submitNewDeployKey = newKey.submit

export const removeDeployKey = action({
  route: `POST ${LIST}/:key_id/delete`,
  of: deletePublicDeployKey,
  scope: administered(inInstanceDeployKey),
  next: () => LIST,
  notice: 'The key was deleted.',
  confirms: true,
})
