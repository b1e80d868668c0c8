/** A link of a group to a directory as JSON (LDAP group links, groups API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { LdapLinkRow } from './queries.ts'

export const LdapGroupLink = entity({
  name: 'LdapGroupLink',
  schema: Type.Object({
    cn: Nullable(text('Name of the group of the directory; null where a filter finds the people')),
    group_access: integer('Level of the members: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner'),
    provider: text('Name of the directory'),
    filter: Nullable(text('Filter that finds the people; null where a group has them')),
  }),
  present: ({ cn, access_level, provider, filter }: LdapLinkRow) => ({ cn, group_access: access_level, provider, filter }),
})
