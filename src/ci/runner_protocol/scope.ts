import Type from 'typebox'
import { scope } from '../../platform/kernel/scope.ts'

/** `:id` is the id of a job. The command checks it together with the token: 403 either way. */
export const inAssignedJob = scope({
  name: 'inAssignedJob',
  path: { id: Type.Integer({ description: 'ID of a job' }) },
  load: async (_, { id }) => ({ jobId: id }),
  subject: () => ({ on: 'instance' as const }),
})
