/** The page of a group: its subgroups and projects. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { projectsOfGroup } from '../../spaces/group_projects/queries.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { type GroupRow, subgroupsOf } from '../../spaces/groups/queries.ts'
import { projectList } from '../projects/list_view.ts'

/** Entries of each kind that the page shows; the lists have all of them. */
const MOST = 50

/** Answers the page of a group. */
export async function groupHome(ctx: Context, group: GroupRow & { readonly role: number }): Promise<ByteAnswer> {
  const [subgroups, projects] = await Promise.all([
    subgroupsOf(ctx.db, ctx.actor, group.id, {}).limit(MOST).execute(),
    projectsOfGroup(ctx.db, ctx.actor, group, {}).limit(MOST).execute(),
  ])
  return page(ctx, {
    title: group.name,
    place: groupPlace(ctx.actor, group, 'group'),
    heading: 'own',
    body: html`<div class="heading"><div class="row">${avatar(group, 48, 'square')}<h1>${group.name}</h1>${visibilityChip(group.visibility)}</div></div>
${group.description && html`<p>${group.description}</p>`}
<div class="stack">
${subgroups.length > 0 && html`<section><h2>Subgroups</h2><ul class="list" data-list>${subgroups.map(sub => html`<li>${icon('organization')}<div class="main"><div class="title"><a href="${groupPath(sub)}">${sub.name}</a></div>${sub.description && html`<div class="muted small">${sub.description}</div>`}</div></li>`)}</ul></section>`}
<section><h2>Projects</h2>${projects.length > 0 ? projectList(projects) : empty({ icon: 'repo', title: 'No projects yet', says: 'Projects of the group appear here.' })}</section>
</div>`,
  })
}
