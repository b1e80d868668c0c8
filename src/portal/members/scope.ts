/** Groups and projects as places with members, by the addresses of their pages. */
import { within } from '../../platform/kernel/declaration/scope.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { type InPlace, memberPlaceOfGroup, memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

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
