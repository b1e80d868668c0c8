/** The page at a full path: that of a project, a group or an account. */
import { type UserRow, userByUsername } from '../../identity/users/queries.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { moved, notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { type GroupRow, groupMovedFrom, visibleGroup } from '../../spaces/groups/queries.ts'
import { projectMovedFrom, visibleProject } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { groupHome } from '../groups/home.ts'
import { profilePage } from '../people/profile.ts'
import { projectHome } from '../projects/home.ts'
import { placePages } from './address.ts'

/** What has a full path. */
type PlaceAt =
  | { readonly is: 'project'; readonly project: ProjectWithRole }
  | { readonly is: 'group'; readonly group: GroupRow & { readonly role: number } }
  | { readonly is: 'user'; readonly user: UserRow }

/** `:place_path` becomes what has this path and the caller may see, or 404; a project or group that has moved is followed. */
const inPlacePage = within(inInstance, {
  name: 'inPlacePage',
  path: { place_path: text('Full path of a project or group, or a username') },
  async load(ctx, { place_path }): Promise<{ place: PlaceAt }> {
    const { db, actor, url } = ctx
    // A number would be an id.
    if (/^\d+$/.test(place_path)) throw notFound('Page')
    if (place_path.includes('/')) {
      const project = await visibleProject(db, actor, place_path)
      if (project) return { place: { is: 'project', project } }
      const elsewhere = await projectMovedFrom(db, actor, place_path)
      if (elsewhere) throw moved(`${url}/${elsewhere.full_path}`)
    }
    const group = await visibleGroup(db, actor, place_path)
    if (group) return { place: { is: 'group', group } }
    const user = place_path.includes('/') ? undefined : await userByUsername(db, place_path)
    if (user) return { place: { is: 'user', user } }
    const elsewhere = await groupMovedFrom(db, actor, place_path)
    if (elsewhere) throw moved(`${url}/groups/${elsewhere.full_path}`)
    throw notFound('Page')
  },
})

export const showPlace = pageEndpoint({
  route: 'GET /:place_path',
  summary: 'Show the page of a project, group or account',
  scope: inPlacePage,
  can: 'read_instance',
  dialect: placePages,
  run({ place, ...ctx }) {
    if (place.is === 'project') return projectHome(ctx, place.project)
    if (place.is === 'group') return groupHome(ctx, place.group)
    return profilePage(ctx, place.user)
  },
})
