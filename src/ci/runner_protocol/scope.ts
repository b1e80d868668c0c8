import Type from 'typebox'
import { scope } from '../../platform/kernel/scope.ts'

/** `:id` is the id of a job. Whether there is one for the token that comes with it is for the command to say: 403 either way. */
export const inHandedJob = scope({
  name: 'inHandedJob',
  path: { id: Type.Integer({ description: 'ID of a job' }) },
  load: async (_, { id }) => ({ jobId: id }),
  subject: () => ({ on: 'instance' as const }),
})
