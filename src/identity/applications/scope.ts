import { scope } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { applicationById } from './queries.ts'

/** `:id` becomes an application, or 404. */
export const inApplication = scope({
  name: 'inApplication',
  path: { id: integer('ID of the application (not its client id)') },
  async load({ db }, { id }) {
    const application = await applicationById(db, id)
    if (!application) throw notFound('Application')
    return { application }
  },
  subject: () => ({ on: 'instance' as const }),
})
