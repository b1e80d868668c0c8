import Type from 'typebox'
import { isAdmin } from '../../platform/access/actor.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { scope } from '../../platform/kernel/scope.ts'
import { projectAliasByName } from './queries.ts'

/** `:name` becomes an alias, or 404. Names are for administrators: others hear no more of one than of another. */
export const inProjectAlias = scope({
  name: 'inProjectAlias',
  path: { name: Type.String({ maxLength: 255, description: 'Name of an alias' }) },
  async load({ db, actor }, { name }) {
    if (!isAdmin(actor)) throw forbidden()
    const alias = await projectAliasByName(db, name)
    if (!alias) throw notFound('Project Alias')
    return { alias }
  },
  subject: () => ({ on: 'instance' as const }),
})
