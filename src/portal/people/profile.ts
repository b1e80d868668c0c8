/** The page of an account. */
import type { UserRow } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { projectList } from '../projects/list_view.ts'

const MOST = 20

/** Answers the page of an account: who it is, and the projects in its namespace that the caller may see. */
export async function profilePage(ctx: Context, user: UserRow): Promise<ByteAnswer> {
  const projects = await projectsMatching(ctx.db, ctx.actor, { order_by: 'last_activity_at' })
    .where('namespaces.owner_id', '=', user.id)
    .where('namespaces.kind', '=', 'user')
    .limit(MOST)
    .execute()
  return page(ctx, {
    title: user.name,
    heading: 'own',
    body: html`<div class="columns navigated"><aside class="stack" aria-label="About">${avatar(user, 160)}<div><h1>${user.name}</h1><p class="muted">@${user.username}</p></div>${user.bio && html`<p>${user.bio}</p>`}</aside>
<section><h2>Projects</h2>${projects.length > 0 ? projectList(projects) : empty({ icon: 'repo', title: 'No projects to show', says: 'Projects of this account that you may see appear here.' })}</section></div>`,
  })
}
