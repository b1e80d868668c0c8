import { type AbilitySubject, allows, type Role, type Visibility } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type GroupRow, visibleGroup } from './queries.ts'

/** The subject of abilities on a group. */
export const groupSubject = (group: GroupRow & { readonly role: number }): Extract<AbilitySubject, { on: 'group' }> => ({
  on: 'group',
  role: group.role as Role,
  visibility: group.visibility as Visibility,
})

/** Whether an actor may create groups in a group, whose setting asks for a maintainer or for an owner. */
export const mayCreateSubgroup = (actor: Actor, group: GroupRow & { readonly role: number }): boolean =>
  allows(actor, group.subgroup_creation_level === 'owner' ? 'admin_group' : 'create_subgroup', groupSubject(group)) === 'yes'

/** `:id` becomes a group that this actor may see, or 404. */
export const inGroup = scope({
  name: 'inGroup',
  path: { id: text('ID or URL-encoded full path of a group') },
  async load({ db, actor }, { id }) {
    const group = await visibleGroup(db, actor, id)
    if (!group) throw notFound('Group')
    return { group }
  },
  subject: ({ group }) => groupSubject(group),
  modifiedAt: ({ group }) => group.updated_at,
})
