/** Parameters of endpoints that give variables to runs. */
import Type from 'typebox'
import { OneOf } from '../../platform/kernel/types.ts'

/** A variable of a request. */
export const GivenVariable = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_]+$', message: "can contain only letters, digits and '_'." }),
  value: Type.String({ maxLength: 65_536 }),
  variable_type: Type.Optional(OneOf(['env_var', 'file'])),
})
