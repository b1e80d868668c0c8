/** Variables as rows of a form: of a pipeline that is run by hand, and of a schedule. */
import Type from 'typebox'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import type { FieldSpec, FieldState } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A variable as a row has it. */
export interface VariableInput {
  readonly key: string
  readonly value: string
  readonly variable_type: 'env_var' | 'file'
}

/** A row that is there from the beginning: the CI file says what it is for, and which values are offered. */
export interface OfferedVariable {
  readonly key: string
  readonly value: string
  readonly description?: string
  readonly options?: readonly string[]
}

/** Rows that are shown empty without a script, which adds others. */
const EMPTY_ROWS = 3

const MOST_ROWS = 200

const variable_type = OneOf(['env_var', 'file'], { description: 'Whether it holds the value, or the path of a file with it' })

/** The parameter of a form with such rows. Rows without a name are none. */
export const rowParams = {
  variables: optional(
    Type.Array(
      Type.Object({
        key: optional(text('Name of the variable', { maxLength: 255 })),
        value: optional(text('Value of the variable', { maxLength: 65_536 })),
        variable_type: Type.Optional(variable_type),
      }),
      { description: 'Variables', maxItems: MOST_ROWS },
    ),
  ),
}

const isRow = (row: unknown): row is Readonly<Record<string, unknown>> => typeof row === 'object' && row !== null && !Array.isArray(row)

/** The rows of a form as they were sent; those that are empty are left out. */
export const rowsOf = (sent: unknown): readonly VariableInput[] =>
  (Array.isArray(sent) ? sent : [])
    .filter(isRow)
    .map(
      ({ key, value, variable_type }): VariableInput => ({
        key: String(key ?? '').trim(),
        // Browsers send line ends as CR LF.
        value: String(value ?? '').replaceAll('\r\n', '\n'),
        variable_type: variable_type === 'file' ? 'file' : 'env_var',
      }),
    )
    .filter(({ key, value }) => key !== '' || value !== '')

/** The same, checked. @throws Refusal 400 at the field */
export function checkedRows(sent: unknown): readonly VariableInput[] {
  const rows = rowsOf(sent)
  const keys = rows.map(({ key }) => key)
  const nameless = rows.find(({ key }) => key === '')
  if (nameless) throw invalid({ variables: ['has a value without a name'] })
  const bad = keys.find(key => !/^[A-Za-z0-9_]+$/.test(key))
  if (bad !== undefined) throw invalid({ variables: [`has a name that is not of letters, digits and '_': ${bad}`] })
  const twice = keys.find((key, index) => keys.indexOf(key) < index)
  if (twice !== undefined) throw invalid({ variables: [`has ${twice} twice`] })
  return rows
}

/** The rows as a field of a form. `offered`: what is shown before the rows of the caller, and in their place where they have the same name. */
export const rowsField = (hint: string | Html, offered: readonly OfferedVariable[] = []): FieldSpec => ({
  name: 'variables',
  own: state => rowsView(state, hint, offered),
})

function rowsView({ value, wrong }: FieldState, hint: string | Html, offered: readonly OfferedVariable[]): Html {
  const typed = rowsOf(value)
  const own = typed.filter(({ key }) => !offered.some(one => one.key === key))
  const named = offered.map(one => ({ ...one, typed: typed.find(({ key }) => key === one.key) }))
  const empty = Array.from({ length: EMPTY_ROWS }, (): VariableInput => ({ key: '', value: '', variable_type: 'env_var' }))
  return html`<fieldset class="field" aria-describedby="variables-hint${wrong.length > 0 && ' variables-wrong'}"><legend>Variables <span class="muted small">(optional)</span></legend>
<p class="hint" id="variables-hint">${hint}</p>${wrong.length > 0 && html`<p class="wrong" id="variables-wrong">One ${wrong.join(', ')}</p>`}
<variable-rows><div data-offered>${named.map(({ typed, ...one }, at) => offeredRow(one, typed, at))}</div>
${[...own, ...empty].map((row, at) => rowView(row, at, row.key === '' && row.value === ''))}
<p data-add hidden><button type="button" class="btn btn-sm">${icon('plus')} Add a variable</button></p></variable-rows></fieldset>`
}

const name = (field: string) => `variables[][${field}]`

function offeredRow({ key, value, description, options = [] }: OfferedVariable, typed: VariableInput | undefined, at: number): Html {
  const id = `offered-${at}`
  const now = typed?.value ?? value
  const hint = html` aria-describedby="${id}-hint"`
  return html`<div class="field" data-row="${key}"><input type="hidden" name="${name('key')}" value="${key}"><label class="mono" for="${id}">${key}</label>${
    options.length > 0
      ? html`<select class="form-control form-select" id="${id}" name="${name('value')}"${hint}>${[...new Set([now, ...options])].map(option => html`<option value="${option}"${option === now && html` selected`}>${option === '' ? 'empty' : option}</option>`)}</select>`
      : html`<textarea class="form-control mono one-line" rows="1" id="${id}" name="${name('value')}"${hint} spellcheck="false">\n${now}</textarea>`
  }<p class="hint" id="${id}-hint">${description}</p></div>`
}

/** `isEmpty`: a script shows it where another is wanted. */
const rowView = ({ key, value, variable_type }: VariableInput, at: number, isEmpty: boolean): Html =>
  html`<div class="variable-row" data-row${isEmpty && html` data-empty`}><input class="form-control mono" name="${name('key')}" value="${key}" maxlength="255" aria-label="Name ${at + 1}" placeholder="NAME" autocapitalize="none" autocomplete="off" spellcheck="false"><select class="form-control form-select" name="${name('variable_type')}" aria-label="Kind ${at + 1}"><option value="env_var">Value</option><option value="file"${variable_type === 'file' && html` selected`}>File</option></select><textarea class="form-control mono one-line" rows="1" name="${name('value')}" aria-label="Value ${at + 1}" placeholder="Value" autocapitalize="none" spellcheck="false">\n${value}</textarea></div>`
