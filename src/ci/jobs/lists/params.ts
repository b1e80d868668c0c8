/** Parameters that several endpoints of jobs take. */
import Type from 'typebox'
import { OneOf } from '../../../platform/kernel/declaration/types.ts'
import { type JobStatus, jobMachine } from '../../states.ts'

const statuses = jobMachine.states as unknown as [JobStatus, ...JobStatus[]]

/** Contract: one status or several; another word is a 400 (document 2 "Jobs"; decision 28). */
export const scopeParam = Type.Optional(Type.Array(OneOf(statuses), { description: 'Statuses of jobs; all unless given' }))
