/** Parameters of endpoints that give variables to runs. */
import Type from 'typebox'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'

/** A variable of a request. */
export const GivenVariable = Type.Object({
  key: text('Name of the variable', {
    minLength: 1,
    maxLength: 255,
    pattern: '^[A-Za-z0-9_]+$',
    message: "can contain only letters, digits and '_'.",
  }),
  value: text('Value of the variable', { maxLength: 65_536 }),
  variable_type: optional(
    OneOf(['env_var', 'file'], {
      description: '`env_var`: a variable with the value; `file`: a variable with the path of a file that holds it',
    }),
  ),
})
