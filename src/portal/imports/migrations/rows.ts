/** What is migrated, as rows of a form: a group or project there, and where it comes to here. */
import Type from 'typebox'
import type { NamedEntity } from '../../../integrations/bulk_imports/commands.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import type { FieldSpec, FieldState } from '../../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

interface Row {
  readonly kind: 'group' | 'project'
  readonly path: string
  readonly into: string
  readonly slug: string
}

/** Rows that are shown empty without a script, which adds others. */
const EMPTY_ROWS = 3

const MOST_ROWS = 100

/** The parameter of a form with such rows. Rows without a path are none. */
export const rowParams = {
  rows: Type.Array(
    Type.Object({
      kind: optional(text('`group` or `project`', { maxLength: 20 })),
      path: optional(text('Full path on the other server', { maxLength: 2_048 })),
      into: optional(text('Full path of the group that it comes into', { maxLength: 2_048 })),
      slug: optional(text('Last part of the path here', { maxLength: 255 })),
    }),
    {
      description: 'Groups and projects that are migrated',
      maxItems: MOST_ROWS,
      examples: [[{ kind: 'group', path: 'team', into: '', slug: 'migrated' }]],
    },
  ),
}

const isRow = (row: unknown): row is Readonly<Record<string, unknown>> => typeof row === 'object' && row !== null && !Array.isArray(row)

function rowsOf(sent: unknown): readonly Row[] {
  const textOf = (value: unknown): string => String(value ?? '').trim()
  return (Array.isArray(sent) ? sent : []).filter(isRow).map(({ kind, path, into, slug }) => ({
    kind: kind === 'project' ? 'project' : 'group',
    path: textOf(path),
    into: textOf(into),
    slug: textOf(slug),
  }))
}

/** What the rows name, for the declaration of the API. @throws Refusal 400 at the field, where they name nothing */
export function entitiesOf(sent: unknown): readonly NamedEntity[] {
  const rows = rowsOf(sent).filter(({ path, slug }) => path !== '' || slug !== '')
  if (rows.length === 0) throw invalid({ rows: ['Name at least one group or project'] })
  if (rows.some(({ path }) => path === '')) throw invalid({ rows: ['One has a new path without the path on the other server'] })
  return rows.map(({ kind, path, into, slug }) => ({
    source_type: `${kind}_entity`,
    source_full_path: path,
    destination_namespace: into,
    ...(slug !== '' && { destination_slug: slug }),
  }))
}

type Places = readonly (readonly [path: string, label: string])[]

/** The rows as a field of a form. `places`: what they can come into. */
export const rowsField = (places: Places): FieldSpec => ({ name: 'rows', own: state => rowsView(state, places) })

function rowsView({ value, wrong }: FieldState, places: Places): Html {
  const typed = rowsOf(value).filter(({ path, slug }) => path !== '' || slug !== '')
  const blank: Row = { kind: 'group', path: '', into: '', slug: '' }
  // One is there from the beginning.
  const shown = typed.length > 0 ? typed : [blank]
  const spare = Array.from({ length: EMPTY_ROWS }, () => blank)
  return html`<fieldset class="field" aria-describedby="rows-hint${wrong.length > 0 && ' rows-wrong'}"><legend>Groups and projects</legend>
<p class="hint" id="rows-hint">The full path on the other server, as <code>team/tools</code>; where it comes to here; and a new last part of the path, where it is to have one. The subgroups and projects of a group come as well.</p>${wrong.length > 0 && html`<p class="wrong" id="rows-wrong">${wrong.join(', ')}</p>`}
<variable-rows>${shown.map((row, at) => rowView(row, at, places, false))}${spare.map((row, at) => rowView(row, shown.length + at, places, true))}
<p data-add hidden><button type="button" class="btn btn-sm">${icon('plus')} Add another</button></p></variable-rows></fieldset>`
}

const name = (field: keyof Row): string => `rows[][${field}]`

/** `isEmpty`: a script shows it where another is wanted. */
function rowView({ kind, path, into, slug }: Row, at: number, places: Places, isEmpty: boolean): Html {
  const label = (what: string) => html` aria-label="${what} ${at + 1}"`
  const plain = html` autocapitalize="none" autocomplete="off" spellcheck="false"`
  return html`<div class="variable-row migration-row" data-row${isEmpty && html` data-empty`}><select class="form-control form-select" name="${name('kind')}"${label('Kind')}><option value="group">Group</option><option value="project"${kind === 'project' && html` selected`}>Project</option></select><input class="form-control mono" name="${name('path')}" value="${path}" maxlength="2048"${label('Path there')} placeholder="team/tools"${plain}><select class="form-control form-select" name="${name('into')}"${label('Into')}>${places.map(([place, text]) => html`<option value="${place}"${place === into && html` selected`}>${text}</option>`)}</select><input class="form-control mono" name="${name('slug')}" value="${slug}" maxlength="255"${label('New path')} placeholder="Path here"${plain}></div>`
}
