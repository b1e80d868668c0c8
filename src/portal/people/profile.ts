/** The pages of an account. */

import { statusOf } from '../../identity/user_status/queries.ts'
import { showsActivity } from '../../identity/users/activity/private_profile.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import { inUser } from '../../identity/users/scope.ts'
import { preferencesOf } from '../../platform/access/preferences.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { type ProjectRow, projectsMatching } from '../../spaces/projects/queries.ts'
import { listStarredProjects } from '../../spaces/stars/endpoints.ts'
import { activityOf } from '../feed/activity.ts'
import { listUserEvents } from '../feed/endpoints.ts'
import { projectList } from '../projects/list_view.ts'
import { calendarView, dayBeforeCalendar } from './calendar_view.ts'
import { type ProfileTab, profileView } from './profile_view.ts'
import { contributionsAfter } from './queries.ts'

const PROJECTS = 20
const ENTRIES = 10

const profile = async (ctx: Context, user: UserRow, tab: ProfileTab, body: Html): Promise<ByteAnswer> =>
  page(ctx, { title: user.name, heading: 'own', body: profileView(user, await statusOf(ctx.db, user.id, ctx.now), tab, body) })

/** Answers the page of an account: who it is, what it did, and the projects in its namespace, as far as the caller may see them. */
export async function profilePage(ctx: Context, user: UserRow): Promise<ByteAnswer> {
  const { db, actor, now } = ctx
  const weekday = preferencesOf(actor).first_day_of_week
  const projects = projectsMatching(db, actor, { order_by: 'last_activity_at' })
    .where('namespaces.owner_id', '=', user.id)
    .where('namespaces.kind', '=', 'user')
    .limit(PROJECTS)
    .execute()
  const contributions =
    showsActivity(actor, user) && user.kind === 'human'
      ? contributionsAfter(db, actor, user.id, dayBeforeCalendar(now, weekday))
      : undefined
  const [owned, counts] = await Promise.all([projects, contributions])
  return profile(
    ctx,
    user,
    'overview',
    html`${counts && calendarView(counts, now, weekday)}
<section class="section"><h2>Projects</h2>${projectsOr(owned, 'Projects of this account that you may see appear here.')}</section>
${counts && counts.size > 0 && html`<section class="section"><h2>Activity</h2>${await activityOf({ ...ctx, user } as Context, listUserEvents, { per_page: ENTRIES, page: 1 }, '')}</section>`}`,
  )
}

const projectsOr = (rows: readonly ProjectRow[], says: string): Html =>
  rows.length > 0 ? projectList(rows) : empty({ icon: 'repo', title: 'No projects to show', says })

export const showUserActivity = pageEndpoint({
  route: 'GET /users/:user_id/activity',
  summary: 'Show what a user has done',
  scope: inUser,
  can: 'read_user',
  params: listParams,
  run: async ctx =>
    profile(
      ctx,
      ctx.user,
      'activity',
      await activityOf(ctx, listUserEvents, ctx.params, 'What this account does, as far as you may see it, appears here.'),
    ),
})

export const showUserStarred = pageEndpoint({
  route: 'GET /users/:user_id/starred',
  summary: 'Show the projects that a user has starred',
  scope: inUser,
  can: 'read_user',
  params: listParams,
  async run(ctx) {
    const found = await listPage<ProjectRow>(
      ctx,
      await listStarredProjects.run({ ...ctx, params: { order_by: 'last_activity_at' } } as never),
      ctx.params,
    )
    return profile(
      ctx,
      ctx.user,
      'starred',
      html`${projectsOr(found.rows, 'Projects that this account has starred appear here.')}${found.links}`,
    )
  },
})
