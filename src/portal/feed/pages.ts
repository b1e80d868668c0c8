/** The pages of what was done: in one's projects, and in one project. */
import { inSelf } from '../../identity/users/scope.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { activityOf } from './activity.ts'
import { listOwnEvents, listProjectEvents } from './endpoints.ts'
import { activityIn } from './live.ts'

export const showOwnActivity = pageEndpoint({
  route: 'GET /dashboard/activity',
  summary: 'Show what was done in one’s projects',
  scope: inSelf,
  can: 'update_own',
  params: listParams,
  run: async ctx =>
    page(ctx, {
      title: 'Activity',
      body: await activityOf(ctx, listOwnEvents, { ...ctx.params, scope: 'all' }, 'What people do in your projects appears here.'),
    }),
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
      live: [activityIn(ctx.project)],
      body: livePart(
        'activity',
        activityIn(ctx.project),
        await activityOf(ctx, listProjectEvents, ctx.params, 'Pushes, issues, merge requests and comments appear here.'),
      ),
    }),
})
