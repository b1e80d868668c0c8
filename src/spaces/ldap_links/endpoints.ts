/** Links of groups to groups of a directory, or to people whom a filter finds (LDAP group links, groups API at 14.0). */
import Type from 'typebox'
import { directoriesOf, groupsIn } from '../../identity/ldap/directories.ts'
import { MAX_FILTER } from '../../identity/ldap/filter.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { exactlyOne } from '../../platform/kernel/request/params.ts'
import { inGroup } from '../groups/scope.ts'
import * as commands from './commands.ts'
import { LdapGroupLink } from './entity.ts'
import { linksOf } from './queries.ts'
import { inDirectory, inLdapLink, inLdapLinks } from './scope.ts'

const path = '/groups/:id/ldap_group_links' as const

const { none: _, ...given } = roles

const cn = optional(text('Name of a group of the directory', { minLength: 1, maxLength: 255, examples: ['developers'] }))
const filter = optional(text('Filter that finds people of the directory (RFC 4515)', { minLength: 1, maxLength: MAX_FILTER }))
const provider = text('Name of the directory', { minLength: 1, maxLength: 255, examples: ['ldapmain'] })

export const listLdapGroupLinks = endpoint({
  route: `GET ${path}`,
  summary: 'List the links of a group to directories',
  scope: inGroup,
  can: 'admin_group_ldap',
  tier: 'premium',
  answers: pageOf(LdapGroupLink),
  async run({ db, group }) {
    const found = linksOf(db, group.id)
    // Contract: a group without links is a 404 in these words, and no empty list (public behavior of 14.0).
    if (!(await found.limit(1).executeTakeFirst())) throw new Refusal('not_found', { message: 'No linked LDAP groups found' })
    return found
  },
})

export const addLdapGroupLink = endpoint({
  route: `POST ${path}`,
  summary: 'Link a group to a group of a directory, or to the people whom a filter finds',
  scope: inGroup,
  can: 'admin_group_ldap',
  tier: 'premium',
  params: {
    cn,
    filter,
    provider,
    group_access: Type.Unsafe<Role>({
      type: 'integer',
      enum: Object.values(given),
      examples: [roles.developer],
      description: 'Level of the members: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
    }),
  },
  rules: [exactlyOne('cn', 'filter')],
  answers: one(LdapGroupLink),
  errors: ['conflict'],
  run: ctx => commands.addLink(ctx, ctx.group.id, ctx.params),
})

export const removeLdapGroupLinks = endpoint({
  route: `DELETE ${path}`,
  summary: 'End the link of a group to a group of a directory, or by a filter',
  scope: inGroup,
  can: 'admin_group_ldap',
  tier: 'premium',
  params: { cn, filter, provider },
  rules: [exactlyOne('cn', 'filter')],
  answers: nothing,
  run: ctx => commands.removeLinks(ctx, ctx.group.id, ctx.params),
})

export const removeLdapGroupLinksByName = endpoint({
  route: `DELETE ${path}/:cn`,
  summary: 'End the links of a group to groups of this name, in any directory',
  scope: inLdapLinks,
  can: 'admin_group_ldap',
  tier: 'premium',
  answers: nothing,
  async run(ctx) {
    for (const link of ctx.links) await commands.removeLink(ctx, link)
  },
})

export const removeLdapGroupLink = endpoint({
  route: `DELETE ${path}/:provider/:cn`,
  summary: 'End the link of a group to a group of a directory',
  scope: inLdapLink,
  can: 'admin_group_ldap',
  tier: 'premium',
  answers: nothing,
  run: ctx => commands.removeLink(ctx, ctx.link),
})

const Asked = plain('LdapSyncAsked', Type.Object({ message: text('What will happen, in words') }))

export const syncLdapGroup = endpoint({
  route: 'POST /groups/:id/ldap_sync',
  summary: 'Ask the directories again that a group is linked to, in the background',
  scope: inGroup,
  can: 'admin_group_ldap',
  tier: 'premium',
  answers: one(Asked, 202),
  async run(ctx) {
    await commands.syncLinks(ctx, ctx.group.id)
    return { message: '202 Accepted' }
  },
})

const Groups = plain(
  'LdapGroups',
  Type.Array(Type.Object({ cn: text('Name of a group of the directory') }), { description: 'At most 20, by name' }),
)

const search = optional(text('What the names begin with', { maxLength: 255 }))

/** Groups that a list has at most. */
const MOST = 20

export const listLdapGroups = endpoint({
  route: 'GET /ldap/groups',
  summary: 'List groups of the first directory of the instance; none where it has no directory',
  scope: inInstance,
  can: 'admin_instance',
  tier: 'premium',
  params: { search },
  answers: one(Groups),
  async run({ deps, params }) {
    const [directory] = directoriesOf(deps.config)
    return directory ? groupsIn(directory, params.search ?? '', MOST) : []
  },
})

export const listGroupsOfDirectory = endpoint({
  route: 'GET /ldap/:provider/groups',
  summary: 'List groups of a directory',
  scope: inDirectory,
  can: 'admin_instance',
  tier: 'premium',
  params: { search },
  answers: one(Groups),
  run: ({ directory, params }) => groupsIn(directory, params.search ?? '', MOST),
})
