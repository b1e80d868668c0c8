/** The page of the variables of a project, a group or the instance. Values are not on it. Pure. */
import type { VariableRow } from '../../ci/variables/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { hidden } from '../../platform/pages/components/revealed.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
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
  html`<section class="section"><h2>From the groups above</h2>${dataTable<InheritedVariable>({
    label: 'Variables from the groups above',
    rows: inherited,
    columns: [
      { title: 'Name', className: 'mono', cell: ({ key }) => key },
      { title: 'Kind', cell: kinds },
      { title: 'Environments', cell: scopeText },
      { title: 'Group', cell: ({ group_path }) => html`<a href="/groups/${group_path}">${group_path}</a>` },
    ],
  })}</section>`
}`

const scopeText = ({ environment_scope }: VariableRow): Html =>
  environment_scope === '*' ? html`all` : html`<span class="mono">${environment_scope}</span>`

const kinds = ({ variable_type, protected: isProtected, masked, hidden, raw }: VariableRow): Html | false =>
  (variable_type === 'file' || isProtected || masked || raw) &&
  html`<span class="row">${variable_type === 'file' && chip('File', 'plain', 'file')}${isProtected && chip('Protected', 'attention', 'shield')}${masked && chip(hidden ? 'Masked and hidden' : 'Masked', 'plain', 'eye')}${raw && chip('Raw')}</span>`

function table({ ctx, base, isScoped }: VariablesView, rows: readonly VariableRow[]): Html {
  const nameOf = ({ key, environment_scope }: VariableRow) => (environment_scope === '*' ? key : `${key} of ${environment_scope}`)
  return dataTable({
    label: 'Variables',
    rows,
    columns: [
      { title: 'Name', className: 'mono', cell: ({ key }) => key },
      {
        title: 'Value',
        cell: row => hidden({ id: `variable-${row.id}`, to: `${base}/${row.id}/value`, label: `Show the value of ${nameOf(row)}` }),
      },
      { title: 'Kind', cell: kinds },
      isScoped && { title: 'Environments', cell: scopeText },
      {
        title: 'Change',
        cell: row =>
          html`<div class="row"><a class="btn btn-sm" href="${base}/${row.id}/edit" aria-label="Edit ${nameOf(row)}">Edit</a>${actionButton(ctx, { to: `${base}/${row.id}/delete`, face: 'Delete', label: `Delete ${nameOf(row)}`, look: 'danger', asks: `Delete the variable ${nameOf(row)}? Jobs that need it will fail.` })}</div>`,
      },
    ],
  })
}
