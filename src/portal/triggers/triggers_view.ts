/** The page of the trigger tokens of a project. Tokens are not on it. Pure. */
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A trigger token as the API shows it. */
export interface ShownTrigger {
  readonly id: number
  /** In full for its owner, else its first characters. */
  readonly token: string
  readonly description: string | null
  readonly created_at: string
  readonly last_used: string | null
  readonly owner: (Pictured & { readonly id: number; readonly username: string }) | null
}

export interface TriggersView {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'url'>
  readonly project: { readonly id: number; readonly default_branch: string | null }
  /** The address of the page. */
  readonly base: string
}

export const triggersView = (
  view: TriggersView,
  rows: readonly ShownTrigger[],
  links: Html | undefined,
): Html => html`<div class="heading"><h1>Triggers</h1><div class="row"><a class="btn btn-primary" href="${view.base}/new" data-hotkey="c">Add a trigger</a></div></div>
<p class="muted">With the token of a trigger another program starts a pipeline, in the name of the trigger’s owner and with no other rights.</p>
${rows.length === 0 ? empty({ icon: 'workflow', title: 'No triggers', says: 'Add one for a program that shall start pipelines: a build of another project, a chat, a cron job elsewhere.' }) : html`${table(view, rows)}${links}`}
${usage(view)}`

const table = (view: TriggersView, rows: readonly ShownTrigger[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Triggers"><table class="data"><thead><tr><th scope="col">What it is for</th><th scope="col">Token</th><th scope="col">Owner</th><th scope="col">Last used</th><th scope="col">Change</th></tr></thead><tbody>${rows.map(row => rowView(view, row))}</tbody></table></div>`

function rowView({ ctx, base }: TriggersView, { id, token, description, last_used, owner }: ShownTrigger): Html {
  const name = description || `#${id}`
  const isOwn = owner !== null && owner.id === ctx.actor.user?.id
  return html`<tr><th scope="row">${name}</th><td>${isOwn ? hidden({ id: `trigger-${id}`, to: `${base}/${id}/token`, label: `Show the token of ${name}` }) : html`<code>${token}…</code>`}</td><td>${owner ? html`<a class="row" href="/${owner.username}">${avatar(owner, 20)} ${owner.name}</a>` : 'deleted'}</td><td>${last_used === null ? 'never' : time(last_used)}</td><td><div class="row">${(isOwn || isAdmin(ctx.actor)) && html`<a class="btn btn-sm" href="${base}/${id}/edit" aria-label="Edit ${name}">Edit</a>`}${actionButton(ctx, { to: `${base}/${id}/delete`, face: 'Revoke', label: `Revoke ${name}`, look: 'danger', asks: `Revoke the trigger ${name}? Programs that use its token can start no more pipelines.` })}</div></td></tr>`
}

/** The lines to copy. */
function usage({ ctx, project }: TriggersView): Html {
  const ref = project.default_branch ?? 'main'
  const api = `${ctx.url}/api/v4/projects/${project.id}`
  const curl = `curl -X POST --form token="$TRIGGER_TOKEN" --form ref=${ref} ${api}/trigger/pipeline`
  const withVariable = `curl -X POST --form token="$TRIGGER_TOKEN" --form ref=${ref} --form "variables[LEVEL]=debug" ${api}/trigger/pipeline`
  return html`<section class="section"><h2>How to use one</h2><p>Put the token into the variable <code>TRIGGER_TOKEN</code>, and run:</p>${copyField('the line that starts a pipeline', curl)}<p>With variables of the pipeline:</p>${copyField('the line with variables', withVariable)}<p>A webhook of another service can be sent to <code>${api}/ref/${ref}/trigger/pipeline?token=…</code>; jobs find what it sent in the file <code>$TRIGGER_PAYLOAD</code>.</p></section>`
}
