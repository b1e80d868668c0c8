/** The page of the variables of a project, a group or the instance. Values are not on it. Pure. */
import type { VariableRow } from '../../ci/variables/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'

export interface VariablesView {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  /** The address of the page. */
  readonly base: string
  readonly of: 'instance' | 'group' | 'project'
  /** Have they environments? */
  readonly isScoped: boolean
}

/** A variable of a group above. */
export type InheritedVariable = VariableRow & { readonly group_path: string }

const about: Readonly<Record<VariablesView['of'], string>> = {
  project: 'Jobs of this project get these as variables of their environment. They are stronger than those of the groups above.',
  group: 'Jobs of all projects of this group get these, and of its subgroups.',
  instance: 'Jobs of all projects get these. Those of groups and projects are stronger.',
}

export const variablesView = (
  view: VariablesView,
  rows: readonly VariableRow[],
  links: Html | undefined,
  inherited: readonly InheritedVariable[],
): Html => html`<div class="heading"><h1>Variables</h1><div class="row"><a class="btn btn-primary" href="${view.base}/new" data-hotkey="c">Add a variable</a></div></div>
<p class="muted">${about[view.of]}</p>
${
  rows.length === 0
    ? empty({
        icon: 'key',
        title: 'No variables',
        says: 'Keep here what jobs need and the CI file should not say: passwords, tokens, addresses of servers.',
      })
    : html`${table(view, rows)}${links}`
}
${
  inherited.length > 0 &&
  html`<section class="section"><h2>From the groups above</h2><div class="scroll" tabindex="0" role="region" aria-label="Variables from the groups above"><table class="data"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Environments</th><th scope="col">Group</th></tr></thead><tbody>${inherited.map(
    row =>
      html`<tr><th scope="row" class="mono">${row.key}</th><td>${kinds(row)}</td><td>${scopeText(row)}</td><td><a href="/groups/${row.group_path}">${row.group_path}</a></td></tr>`,
  )}</tbody></table></div></section>`
}`

const scopeText = ({ environment_scope }: VariableRow): Html =>
  environment_scope === '*' ? html`all` : html`<span class="mono">${environment_scope}</span>`

const kinds = ({ variable_type, protected: isProtected, masked, raw }: VariableRow): Html =>
  html`<span class="row">${variable_type === 'file' && chip('File', 'plain', 'file')}${isProtected && chip('Protected', 'attention', 'shield')}${masked && chip('Masked', 'plain', 'eye')}${raw && chip('Raw')}</span>`

const table = (view: VariablesView, rows: readonly VariableRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Variables"><table class="data"><thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Kind</th>${view.isScoped && html`<th scope="col">Environments</th>`}<th scope="col">Change</th></tr></thead><tbody>${rows.map(row => rowView(view, row))}</tbody></table></div>`

function rowView({ ctx, base, isScoped }: VariablesView, row: VariableRow): Html {
  const one = `${base}/${row.id}`
  const name = row.environment_scope === '*' ? row.key : `${row.key} of ${row.environment_scope}`
  return html`<tr><th scope="row" class="mono">${row.key}</th><td>${hidden({ id: `variable-${row.id}`, to: `${one}/value`, label: `Show the value of ${name}` })}</td><td>${kinds(row)}</td>${isScoped && html`<td>${scopeText(row)}</td>`}<td><div class="row"><a class="btn btn-sm" href="${one}/edit" aria-label="Edit ${name}">Edit</a>${actionButton(ctx, { to: `${one}/delete`, face: 'Delete', label: `Delete ${name}`, look: 'danger', asks: `Delete the variable ${name}? Jobs that need it will fail.` })}</div></td></tr>`
}
