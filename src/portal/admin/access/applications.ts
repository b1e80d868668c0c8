/** The OAuth applications of the instance: those that people sign in to with their accounts here. */

import type { FreshApplication } from '../../../identity/applications/commands.ts'
import { changeApplication, deleteApplication, postApplication, renewApplicationSecret } from '../../../identity/applications/endpoints.ts'
import { type ApplicationRow, applications } from '../../../identity/applications/queries.ts'
import { inApplication } from '../../../identity/applications/scope.ts'
import { applicationScopes, meaningOfScope } from '../../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyField } from '../../../platform/pages/components/copy.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { type Page, page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import type { Secret } from '../../../platform/secret.ts'
import { secretNotice } from '../../things/secret_once.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/admin/applications'

const inOne = administered(inApplication)

export const showApplications = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the OAuth applications of the instance',
  scope: inAdministration,
  can: 'admin_instance',
  params: listParams,
  async run(ctx) {
    const found = await listPage(ctx, applications(ctx.db), ctx.params)
    const create = html`<a class="btn btn-primary" href="${LIST}/new">New application</a>`
    return page(ctx, {
      title: 'Applications',
      place: adminPlace('applications', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>Applications</h1>${found.rows.length > 0 && create}</div>
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(row => applicationItem(ctx, row))}</ul>` : empty({ icon: 'link', title: 'No applications', says: 'People sign in to an application with their account here, and it acts for them within its scopes.', action: create })}${found.links}`,
    })
  },
})

const applicationItem = (ctx: Context, { id, name, redirect_uri, scopes, confidential, trusted, created_at }: ApplicationRow): Html =>
  html`<li>${icon('link')}<div class="main"><div class="title"><a href="${LIST}/${id}">${name}</a> ${!confidential && chip('Keeps no secret')}${trusted && chip('Trusted', 'attention')}</div>
<div class="facts"><span>${scopes.join(', ')}</span>${redirect_uri.split('\n').map(uri => html`<span class="mono break">${uri}</span>`)}<span>since ${time(created_at)}</span></div></div>
<div class="row"><a class="btn btn-sm" href="${LIST}/${id}/edit">Edit<span class="sr-only"> ${name}</span></a>${deleteButton(ctx, { id, name })}</div></li>`

const deleteButton = (ctx: Context, { id, name }: Pick<ApplicationRow, 'id' | 'name'>): Html =>
  actionButton(ctx, {
    to: `${LIST}/${id}/delete`,
    face: 'Delete',
    look: 'danger',
    label: `Delete ${name}`,
    asks: `Delete ${name}? Its tokens end, and nobody can sign in to it any more.`,
  })

/** The page of one. `secret`: right after that was made. */
const applicationPage = (ctx: Context, application: ApplicationRow, secret?: Secret): Page => {
  const { id, name, uid, redirect_uri, scopes, confidential, trusted, created_at, secret_expires_at } = application
  return {
    title: name,
    place: adminPlace('applications', ctx),
    heading: 'own',
    width: 'medium',
    body: html`<div class="heading"><h1>${name}</h1><div class="row"><a class="btn btn-sm" href="${LIST}/${id}/edit">Edit</a>${actionButton(ctx, { to: `${LIST}/${id}/renew_secret`, face: 'Renew secret', whole: true, asks: `Renew the secret of ${name}? The one that it has ends with that.` })}${deleteButton(ctx, application)}</div></div>
${secret && secretNotice({ name, token: secret, noun: 'secret' })}
<section class="section"><h2>Client ID</h2>${copyField('Client ID', uid)}</section>
<dl class="facts-list"><dt>Redirect URIs</dt><dd>${redirect_uri.split('\n').map(uri => html`<div class="mono break">${uri}</div>`)}</dd>
<dt>Scopes</dt><dd>${scopes.map(scope => html`<div><code>${scope}</code></div>`)}</dd>
<dt>Keeps a secret</dt><dd>${confidential ? 'yes' : 'no'}</dd>
<dt>Trusted</dt><dd>${trusted ? 'yes: people are not asked for their consent' : 'no: people are asked for their consent'}</dd>
<dt>Registered</dt><dd>${time(created_at)}</dd>
<dt>Secret ends</dt><dd>${secret_expires_at === null ? 'never' : time(secret_expires_at)}</dd></dl>`,
  }
}

const withSecret = (ctx: Context, application: FreshApplication): Promise<ByteAnswer> =>
  page(ctx, applicationPage(ctx, application, application.secret))

export const showApplication = pageEndpoint({
  route: `GET ${LIST}/:id`,
  summary: 'Show an OAuth application',
  scope: inOne,
  can: 'admin_instance',
  run: ctx => page(ctx, applicationPage(ctx, ctx.application)),
})

const fields: readonly FieldSpec[] = [
  { name: 'name', hint: 'People are asked whether they trust an application of this name.' },
  { name: 'redirect_uri', label: 'Redirect URIs', control: 'textarea', hint: 'Where people are sent back to, one in a line.' },
  {
    name: 'scopes',
    label: 'What it may do for people',
    control: 'checkboxes',
    hint: '',
    choices: applicationScopes.map(scope => [scope, html`<code>${scope}</code>`, meaningOfScope[scope]] as const),
  },
  { name: 'confidential', label: 'It keeps a secret', hint: 'It runs on a server, not in a browser or on a phone.' },
  { name: 'trusted', label: 'Trusted', hint: 'People are not asked for their consent.' },
]

const newApplication = form({
  path: `${LIST}/new`,
  summary: 'Register an OAuth application',
  scope: inAdministration,
  of: postApplication,
  fields: () => fields,
  values: () => ({ confidential: true }),
  next: () => LIST,
  notice: 'The application was registered.',
  answered: withSecret,
  confirms: true,
  button: 'Register application',
  cancel: () => LIST,
  frame: ctx => ({ title: 'New application', place: adminPlace('applications', ctx) }),
})
export const showNewApplication = newApplication.show
export const submitNewApplication = newApplication.submit

const editApplication = form({
  path: `${LIST}/:id/edit`,
  summary: 'Change an OAuth application',
  scope: inOne,
  of: changeApplication,
  fields: () => fields,
  values: ({ application }) => ({ ...application }),
  next: ({ application }) => `${LIST}/${application.id}`,
  notice: 'The application was changed.',
  confirms: true,
  button: 'Save',
  cancel: ({ application }) => `${LIST}/${application.id}`,
  frame: ctx => ({ title: `Edit ${ctx.application.name}`, place: adminPlace('applications', ctx) }),
})
export const showEditApplication = editApplication.show
export const submitEditApplication = editApplication.submit

export const renewSecret = action({
  route: `POST ${LIST}/:id/renew_secret`,
  of: renewApplicationSecret,
  scope: inOne,
  next: ({ application }) => `${LIST}/${application.id}`,
  notice: 'The application has a new secret.',
  answered: withSecret,
  confirms: true,
})

export const removeApplication = action({
  route: `POST ${LIST}/:id/delete`,
  of: deleteApplication,
  scope: inOne,
  next: () => LIST,
  notice: 'The application was deleted.',
  confirms: true,
})
