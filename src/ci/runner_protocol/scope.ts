import { scope } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'

/** `:id` is the id of a job. The command checks it together with the token: 403 either way. */
export const inAssignedJob = scope({
  name: 'inAssignedJob',
  path: { id: integer('ID of a job') },
  load: async (_, { id }) => ({ jobId: id }),
  subject: () => ({ on: 'instance' as const }),
})
