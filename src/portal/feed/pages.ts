/** The pages of what was done: in one's projects, and in one project. */
import { inSelf } from '../../identity/users/scope.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { groupPlace } from '../../spaces/groups/pages/place.ts'
import { groupPages, inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { feedLink } from '../atom/link.ts'
import { activityOf } from './activity.ts'
import { activityList } from './activity_view.ts'
import { listOwnEvents, listProjectEvents } from './endpoints.ts'
import { FeedEntry } from './entity.ts'
import { activityIn } from './live.ts'
import { feedMatching } from './queries.ts'

export const showOwnActivity = pageEndpoint({
  route: 'GET /dashboard/activity',
  summary: 'Show what was done in one’s projects',
  scope: inSelf,
  can: 'update_own',
  params: listParams,
  run: async ctx =>
    page(ctx, {
      title: 'Activity',
      feed: await feedLink(ctx, 'Activity', '/dashboard/projects.atom'),
      body: await activityOf(ctx, listOwnEvents, { ...ctx.params, scope: 'all' }, 'What people do in your projects appears here.'),
    }),
})

export const showGroupActivity = pageEndpoint({
  route: 'GET /groups/:group_path/-/activity',
  summary: 'Show what was done in the projects of a group',
  scope: inGroupPage,
  can: 'read_group',
  dialect: groupPages,
  params: listParams,
  async run(ctx) {
    const { db, actor, group } = ctx
    const found = await listPage(ctx, feedMatching(db, actor, { groupId: group.id }, {}), ctx.params)
    const entries = await presentAll(FeedEntry, ctx, found.rows)
    const places = await projectsById(db, [...new Set(found.rows.map(({ project_id }) => project_id))])
    return page(ctx, {
      title: 'Activity',
      place: groupPlace(actor, group, 'group'),
      feed: await feedLink(ctx, `${group.full_name} activity`, `/${group.full_path}.atom`),
      body:
        entries.length === 0
          ? empty({ icon: 'pulse', title: 'No activity to show', says: 'What people do in the projects of the group appears here.' })
          : html`${activityList(entries, places)}${found.links}`,
    })
  },
})

export const showProjectActivity = pageEndpoint({
  route: 'GET /:project_path/-/activity',
  summary: 'Show what was done in a project',
  scope: inProjectPage,
  can: 'read_project',
  params: listParams,
  run: async ctx =>
    page(ctx, {
      title: 'Activity',
      place: projectPlace(ctx.actor, ctx.project, 'home'),
      feed: await feedLink(ctx, `${ctx.project.full_name} activity`, `/${ctx.project.full_path}.atom`),
      live: [activityIn(ctx.project)],
      body: livePart(
        'activity',
        activityIn(ctx.project),
        await activityOf(ctx, listProjectEvents, ctx.params, 'Pushes, issues, merge requests and comments appear here.'),
      ),
    }),
})
