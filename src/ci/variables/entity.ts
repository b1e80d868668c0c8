/** A variable as JSON: of the instance (document 2 "Instance-level variable"), and of groups and projects. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { flag, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { VALUE_PURPOSE } from './commands.ts'
import type { VariableRow } from './queries.ts'

export const variableTypes = ['env_var', 'file'] as const

const fields = {
  key: text('Name of the variable'),
  value: text('Value of the variable'),
  variable_type: OneOf(variableTypes, {
    description: '`env_var`: a variable with the value; `file`: a variable with the path of a file that holds it',
  }),
  protected: flag('Whether it is for protected branches and tags only'),
  masked: flag('Whether the value is hidden in logs'),
}

type Values = ReadonlyMap<number, Secret>

const load = async ({ deps }: Context, rows: readonly VariableRow[]): Promise<Values> =>
  new Map(rows.map(row => [row.id, deps.secrets.decrypt(row.value, VALUE_PURPOSE)]))

const present = (row: VariableRow, values: Values) => ({
  key: row.key,
  value: (values.get(row.id) as Secret).reveal(),
  variable_type: row.variable_type,
  protected: row.protected,
  masked: row.masked,
})

export const InstanceVariable = entity({ name: 'InstanceVariable', schema: Type.Object(fields), load, present })

export const Variable = entity({
  name: 'Variable',
  schema: Type.Object({
    ...fields,
    value: Nullable(text('Value of the variable; null where it is hidden')),
    hidden: flag('Whether no answer shows the value'),
    raw: flag('Whether `$` in the value is not expanded'),
    environment_scope: text('Environments that the variable is for, with wildcards; `*`: all'),
  }),
  load,
  present(row: VariableRow, values: Values) {
    const { value, ...shown } = present(row, values)
    return { ...shown, value: row.hidden ? null : value, hidden: row.hidden, raw: row.raw, environment_scope: row.environment_scope }
  },
})
