/** Groups and projects as places with members, by the addresses of their pages. */
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { type InPlace, memberPlaceOfGroup, memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { shareWith } from '../../spaces/shares/queries.ts'

export const inProjectMembersPage = within(inProjectPage, {
  name: 'inProjectMembersPage',
  path: {},
  load: async ({ project }): Promise<InPlace> => ({ place: memberPlaceOfProject(project) }),
})

export const inGroupMembersPage = within(inGroupPage, {
  name: 'inGroupMembersPage',
  path: {},
  load: async ({ group }): Promise<InPlace> => ({ place: memberPlaceOfGroup(group) }),
})

/** `:group_id` becomes the share of the place with that group, or 404. */
export const inShare = <S extends InPlace>(scope: Scope<S>) =>
  within(scope, {
    name: `${scope.name}Share`,
    path: { group_id: integer('ID of the group that it is shared with') },
    async load({ db, place }, { group_id }) {
      const share = await shareWith(db, place.key, group_id)
      if (!share) throw notFound('Group Link')
      return { share }
    },
  })
