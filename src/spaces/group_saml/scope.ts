import { within } from '../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { samlProviderOf } from './queries.ts'

/** The SAML provider of the group, or 404 where it has none. */
export const inSamlProvider = within(inGroup, {
  name: 'inSamlProvider',
  path: {},
  async load({ db, group }) {
    const provider = await samlProviderOf(db, group.id)
    if (!provider) throw notFound('SAML Provider')
    return { provider }
  },
})
