/** The group that an identity provider addresses, and the users whom it has added there. */

import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound, unauthenticated } from '../../platform/kernel/errors.ts'
import { requireProvisioning } from '../../spaces/scim_tokens/commands.ts'
import { MAX_TEXT } from './protocol/attributes.ts'
import { scimGroupByPath, scimUserByUid } from './queries.ts'

/**
 * `:group_path` becomes the group of the token or one below it. For any other the token counts as invalid: 401, which
 * does not reveal whether there is such a group.
 */
export const inScimGroup = scope({
  name: 'inScimGroup',
  path: { group_path: text('Full path of a group, encoded or not') },
  async load({ db, actor }, { group_path }) {
    const group = actor.credential?.kind === 'scim_token' ? await scimGroupByPath(db, actor.credential.groupId, group_path) : undefined
    // Contract: a path that the token does not open is 401, whether there is such a group or not.
    if (!group) throw unauthenticated()
    await requireProvisioning(db, group)
    return { group }
  },
  subject: ({ group }) => ({ on: 'provisioning' as const, topGroupId: group.traversal_ids[0] as number }),
})

const path = { id: text('ID of the user at the identity provider', { maxLength: MAX_TEXT }) }

/** `:id` becomes a user whom the provider has added to the group, or 404 (decision 20: also once deactivated). */
export const inScimUser = within(inScimGroup, {
  name: 'inScimUser',
  path,
  async load({ db, group }, { id }) {
    const user = await scimUserByUid(db, group.id, id)
    if (!user?.active) throw notFound('User')
    return { user }
  },
})

/**
 * Contract: a deactivated user is 404 to GET and can still be reactivated, or removed permanently (decision 20).
 */
export const inScimRecord = within(inScimGroup, {
  name: 'inScimRecord',
  path,
  async load({ db, group }, { id }) {
    const user = await scimUserByUid(db, group.id, id)
    if (!user) throw notFound('User')
    return { user }
  },
})
