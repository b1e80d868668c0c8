/** Values of variables in forms. */
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'

type Params = Readonly<Record<string, unknown>>

/** Browsers send line ends as CR LF. */
export const withLineEnds = (params: Params) => ({ ...params, value: String(params.value ?? '').replaceAll('\r\n', '\n') })

/** What forms ask for that change a variable: its value is not on the page. */
export const otherValue = {
  value: optional(text('Another value', { maxLength: 10_000 })),
  is_empty: optional(flag('The value is an empty text')),
}

/** The fields of `otherValue`. */
export const otherValueFields: readonly FieldSpec[] = [
  { name: 'value', label: 'Another value', control: 'textarea', hint: 'It stays as it is where this is left empty.' },
  { name: 'is_empty', label: 'Make the value empty', hint: '' },
]

/** The field of the kind of a variable. */
export const kindField: FieldSpec = {
  name: 'variable_type',
  label: 'Kind',
  control: 'select',
  hint: 'Of a file, the variable has the path.',
  choices: [
    ['env_var', 'Value'],
    ['file', 'File'],
  ],
}

/** The parameters with the value that was asked for by `otherValue`; without one where it stays as it is. */
export function adaptOtherValue({ is_empty, value, ...params }: Params): Record<string, unknown> {
  if (is_empty === true) return { ...params, value: '' }
  return value !== undefined && value !== '' ? withLineEnds({ ...params, value }) : params
}
