import { isAdmin } from '../../platform/access/actor.ts'
import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { projectAliasByName } from './queries.ts'

/**
 * `:name` becomes an alias, or 404. Only administrators use aliases; for others an existing alias gives the same answer as a missing one.
 */
export const inProjectAlias = scope({
  name: 'inProjectAlias',
  path: { name: text('Name of an alias', { maxLength: 255 }) },
  async load({ db, actor }, { name }) {
    if (!isAdmin(actor)) throw forbidden()
    const alias = await projectAliasByName(db, name)
    if (!alias) throw notFound('Project Alias')
    return { alias }
  },
  subject: () => ({ on: 'instance' as const }),
})
