/** What an administrator of a new instance does first: each step is ticked off by what there is, until all are or the list is hidden. */
import { sql } from 'kysely'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { sendsMail } from '../../platform/mail/outbox.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'

const HIDE = '/-/first_steps/hide'

/** Set in browsers where the list was hidden. */
const COOKIE = 'first_steps=hidden'

const YEAR = 365 * 24 * 60 * 60

interface Done {
  readonly project: boolean
  readonly push: boolean
  readonly runner: boolean
  readonly people: boolean
  readonly mail: boolean
}

const steps: readonly { readonly step: keyof Done; readonly title: string; readonly says: Html }[] = [
  {
    step: 'project',
    title: 'Make a project',
    says: html`<a href="/projects/new">Create one</a>, or <a href="/projects/import">import one</a> from another server; <a href="/groups/new">a group</a> holds several.`,
  },
  { step: 'push', title: 'Push to it', says: html`The page of an empty project has the lines to copy, for HTTP and for SSH.` },
  {
    step: 'runner',
    title: 'Add a runner',
    says: html`It runs the jobs of CI files. <a href="/admin/runners">The page of runners</a> has the line to copy; the <a href="/help/runners">handbook</a> says more.`,
  },
  {
    step: 'people',
    title: 'Add people',
    says: html`<a href="/admin/users/new">Create accounts</a>, then make them members of a project or group. <a href="/admin/application_settings/general">The settings</a> say who may sign up.`,
  },
  {
    step: 'mail',
    title: 'Send mail',
    says: html`Without it nobody gets a link for a forgotten password: <a href="/-/mails">administrators hand it on</a>. Set <code>INGOT_SMTP_URL</code>; the <a href="/help/mail">handbook</a> says how.`,
  },
]

/** The list; undefined for others than administrators, where it was hidden, and once all is done. */
export async function firstSteps(ctx: Context): Promise<Html | undefined> {
  if (!isAdmin(ctx.actor) || ctx.request.headers.cookie?.split('; ').includes(COOKIE)) return undefined
  const { rows } = await sql<Omit<Done, 'mail'>>`
    select exists (select from projects) as project,
           exists (select from projects where not empty_repo) as push,
           exists (select from runners) as runner,
           exists (select from users where kind = 'human' order by id offset 1) as people`.execute(ctx.db)
  const done = rows[0] && { ...rows[0], mail: sendsMail(ctx) }
  if (!done || steps.every(({ step }) => done[step])) return undefined
  return html`<section class="panel" aria-labelledby="first-steps"><header class="row apart"><h2 id="first-steps">First steps</h2>${actionButton(ctx, { to: HIDE, face: 'Hide', label: 'Hide the first steps' })}</header><ol class="body plain-list stack small-stack">${steps.map(
    ({ step, title, says }) =>
      html`<li class="row step"${!done[step] && html` data-open`}>${done[step] ? icon('check', 'Done') : icon('circle', 'To do')}<div><strong>${title}</strong><div class="muted small">${says}</div></div></li>`,
  )}</ol></section>`
}

export const hideFirstSteps = formEndpoint({
  route: `POST ${HIDE}`,
  summary: 'Hide the first steps in this browser',
  scope: inInstance,
  can: 'use_instance',
  run: () => redirect('/', { 'set-cookie': `${COOKIE}; Path=/; Max-Age=${YEAR}; SameSite=Lax` }),
})
