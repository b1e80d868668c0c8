import { directoryNamed } from '../../identity/ldap/directories.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { linksNamed } from './queries.ts'

const cn = text('Name of a group of the directory')

/** `:cn` becomes the links of the group to groups of that name, or 404. */
export const inLdapLinks = within(inGroup, {
  name: 'inLdapLinks',
  path: { cn },
  async load({ db, group }, name) {
    const links = await linksNamed(db, group.id, name).execute()
    if (links.length === 0) throw notFound('Linked LDAP Group')
    return { links }
  },
})

/** `:provider` and `:cn` become the link of the group to a group of that directory, or 404. */
export const inLdapLink = within(inGroup, {
  name: 'inLdapLink',
  path: { provider: text('Name of a directory'), cn },
  async load({ db, group }, name) {
    const link = await linksNamed(db, group.id, name).executeTakeFirst()
    if (!link) throw notFound('Linked LDAP Group')
    return { link }
  },
})

/** `:provider` becomes a directory of the instance, or 404. */
export const inDirectory = within(inInstance, {
  name: 'inDirectory',
  path: { provider: text('Name of a directory') },
  async load({ deps }, { provider }) {
    const directory = directoryNamed(deps.config, provider)
    if (!directory) throw notFound('LDAP Provider')
    return { directory }
  },
})
