/** Parameters that several endpoints of jobs and pipelines take. */
import Type from 'typebox'
import { OneOf } from '../../platform/kernel/types.ts'
import { type JobStatus, jobMachine } from './moving/states.ts'

const statuses = jobMachine.states as unknown as [JobStatus, ...JobStatus[]]

/** Contract: one status or several; another word is a 400 (document 2 "Jobs"; decision 28). */
export const scopeParam = Type.Optional(Type.Array(OneOf(statuses), { description: 'Statuses of jobs; all unless given' }))

/** A variable that a run is given. */
export const GivenVariable = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_]+$', message: "can contain only letters, digits and '_'." }),
  value: Type.String({ maxLength: 65_536 }),
  variable_type: Type.Optional(OneOf(['env_var', 'file'])),
})
