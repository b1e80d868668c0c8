import { within } from '../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { scimTokenOf } from './queries.ts'

/** The SCIM token of the group, or 404 while its SCIM is disabled. */
export const inScimToken = within(inGroup, {
  name: 'inScimToken',
  path: {},
  async load({ db, group }) {
    const token = await scimTokenOf(db, group.id)
    if (!token) throw notFound('SCIM Token')
    return { token: { ...token, full_path: group.full_path } }
  },
})
