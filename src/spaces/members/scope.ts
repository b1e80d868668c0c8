/** Groups and projects as places with members, and their members. */

import type { Role } from '../../platform/access/abilities.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject, type ProjectWithRole } from '../projects/scope.ts'
import { allMembersOf, type MemberPlace, membersOf } from './queries.ts'

/** The result of every scope of this resource. */
export interface InPlace {
  readonly place: MemberPlace
}

/** A group as a place with members. */
export const memberPlaceOfGroup = (group: {
  readonly id: number
  readonly traversal_ids: readonly number[]
  readonly role: number
}): MemberPlace => ({
  key: { namespace_id: group.id },
  above: group.traversal_ids.slice(0, -1),
  ownerId: null,
  role: group.role as Role,
})

/** A project as a place with members. */
export const memberPlaceOfProject = (project: ProjectWithRole): MemberPlace => ({
  key: { project_id: project.id },
  above: project.namespace_traversal_ids,
  ownerId: project.namespace_owner_id,
  role: project.role as Role,
})

export const inGroupPlace = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ group }): Promise<InPlace> => ({ place: memberPlaceOfGroup(group) }),
})

export const inProjectPlace = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ project }): Promise<InPlace> => ({ place: memberPlaceOfProject(project) }),
})

/** `:user_id` becomes a member of the place, direct or of any kind, or 404. */
const inMemberBy = <S extends InPlace>(inPlace: Scope<S>, read: typeof membersOf | typeof allMembersOf) =>
  within(inPlace, {
    name: `${inPlace.name}Member`,
    path: { user_id: integer('ID of a user') },
    async load({ db, place }, { user_id }) {
      const member = await read(db, place, { user_ids: [user_id] }).executeTakeFirst()
      if (!member) throw notFound('Member')
      return { member }
    },
    modifiedAt: ({ member }) => member.created_at,
  })

/** A direct member of the place. */
export const inMember = <S extends InPlace>(inPlace: Scope<S>) => inMemberBy(inPlace, membersOf)

/** A member of the place or of an ancestor group. */
export const inAnyMember = <S extends InPlace>(inPlace: Scope<S>) => inMemberBy(inPlace, allMembersOf)
