/** The page of the trigger tokens of a project. Tokens are not on it. Pure. */
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
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

function table({ ctx, base }: TriggersView, rows: readonly ShownTrigger[]): Html {
  const nameOf = ({ id, description }: ShownTrigger) => description || `#${id}`
  const isOwn = ({ owner }: ShownTrigger) => owner !== null && owner.id === ctx.actor.user?.id
  return dataTable({
    label: 'Triggers',
    rows,
    columns: [
      { title: 'What it is for', cell: nameOf },
      {
        title: 'Token',
        cell: row =>
          isOwn(row)
            ? hidden({ id: `trigger-${row.id}`, to: `${base}/${row.id}/token`, label: `Show the token of ${nameOf(row)}` })
            : html`<code>${row.token}…</code>`,
      },
      {
        title: 'Owner',
        cell: ({ owner }) => (owner ? html`<a class="row" href="/${owner.username}">${avatar(owner, 20)} ${owner.name}</a>` : 'deleted'),
      },
      { title: 'Last used', cell: ({ last_used }) => (last_used === null ? 'never' : time(last_used)) },
      {
        title: 'Change',
        cell: row =>
          html`<div class="row">${(isOwn(row) || isAdmin(ctx.actor)) && html`<a class="btn btn-sm" href="${base}/${row.id}/edit" aria-label="Edit ${nameOf(row)}">Edit</a>`}${actionButton(ctx, { to: `${base}/${row.id}/delete`, face: 'Revoke', label: `Revoke ${nameOf(row)}`, look: 'danger', asks: `Revoke the trigger ${nameOf(row)}? Programs that use its token can start no more pipelines.` })}</div>`,
      },
    ],
  })
}

/** The lines to copy. */
function usage({ ctx, project }: TriggersView): Html {
  const ref = project.default_branch ?? 'main'
  const api = `${ctx.url}/api/v4/projects/${project.id}`
  const curl = `curl -X POST --form token="$TRIGGER_TOKEN" --form ref=${ref} ${api}/trigger/pipeline`
  const withVariable = `curl -X POST --form token="$TRIGGER_TOKEN" --form ref=${ref} --form "variables[LEVEL]=debug" ${api}/trigger/pipeline`
  return html`<section class="section"><h2>How to use one</h2><p>Put the token into the variable <code>TRIGGER_TOKEN</code>, and run:</p>${copyField('the line that starts a pipeline', curl)}<p>With variables of the pipeline:</p>${copyField('the line with variables', withVariable)}<p>A webhook of another service can be sent to <code>${api}/ref/${ref}/trigger/pipeline?token=…</code>; jobs find what it sent in the file <code>$TRIGGER_PAYLOAD</code>.</p></section>`
}
