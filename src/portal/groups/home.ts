/** The page of a group: its README, subgroups and projects, members, and what happened. */
import { readmeAmong } from '../../code/repository/files/top_files.ts'
import { allows, roles } from '../../platform/access/abilities.ts'
import { listTree, resolveCommit } from '../../platform/git/index.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectsOfGroup } from '../../spaces/group_projects/queries.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { type GroupRow, subgroupsOf } from '../../spaces/groups/queries.ts'
import { groupSubject, mayCreateSubgroup } from '../../spaces/groups/scope.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { memberPlaceOfGroup } from '../../spaces/members/scope.ts'
import { mayCreateProjectIn } from '../../spaces/projects/lifecycle/target_namespace.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { projectAllowing } from '../../spaces/projects/scope.ts'
import { badgesView } from '../badges/badge_view.ts'
import { activityList } from '../feed/activity_view.ts'
import { FeedEntry } from '../feed/entity.ts'
import { feedMatching } from '../feed/queries.ts'
import { accessButton } from '../members/ask.ts'
import { bell } from '../notifications/settings.ts'
import { readmePanel } from '../repository/files/readme.ts'
import { type Children, childrenView } from './tree_view.ts'

type Group = GroupRow & { readonly role: number }

/** Entries of each kind that the page shows; the lists have all of them. */
const MOST = 50
const MEMBERS = 16
const ENTRIES = 8

/** The project of a group whose README is the group's, as on the public platform. */
const PROFILE = 'gitlab-profile'

/** Answers the page of a group. */
export async function groupHome(ctx: Context, group: Group): Promise<ByteAnswer> {
  const [badges, children, readme, members, activity] = await Promise.all([
    badgesView(ctx, { group }),
    childrenOf(ctx, group),
    readmeOf(ctx, group),
    membersView(ctx, group),
    activityView(ctx, group),
  ])
  const subject = groupSubject(group)
  const create = (may: boolean, href: string, label: string) =>
    may && html`<a class="btn btn-sm" href="${href}">${icon('plus')} ${label}</a>`
  const mayAsk = group.role === roles.none && allows(ctx.actor, 'request_group_access', subject) === 'yes'
  const ask = { key: { namespace_id: group.id }, members: groupPath(group, '/-/group_members'), ask: groupPath(group, '/-/request_access') }
  const asking = mayAsk && (await accessButton(ctx, { ...ask, isEnabled: group.request_access_enabled }))
  const isEmpty = children.subgroups.length + children.projects.length === 0
  return page(ctx, {
    title: group.name,
    place: groupPlace(ctx.actor, group, 'group'),
    heading: 'own',
    body: html`<div class="heading"><div class="row">${avatar(group, 48, 'square')}<h1>${group.name}</h1>${visibilityChip(group.visibility)}</div><div class="row">${allows(ctx.actor, 'choose_group_notifications', subject) === 'yes' && bell(rest => groupPath(group, rest))}${asking}${create(mayCreateSubgroup(ctx.actor, group), `/groups/new?parent_id=${group.id}`, 'Subgroup')}${create(mayCreateProjectIn(ctx.actor, group), `/projects/new?namespace_id=${group.id}`, 'Project')}</div></div>
${badges}
${group.description && html`<p>${group.description}</p>`}
<div class="columns"><div class="stack">
<section><h2>Subgroups and projects</h2>${isEmpty ? empty({ icon: 'repo', title: 'Nothing here yet', says: 'Subgroups and projects of the group appear here.' }) : childrenView(group, children)}</section>
${readme}</div>
<aside class="stack" aria-label="About the group">${members}<section><div class="row apart"><h2>Activity</h2><a class="small" href="${groupPath(group, '/-/activity')}">All of it</a></div>${activity}</section></aside></div>`,
  })
}

/** What is directly in a group, as far as the caller may see it. */
export async function childrenOf(ctx: Context, group: Group): Promise<Children> {
  const [subgroups, projects] = await Promise.all([
    subgroupsOf(ctx.db, ctx.actor, group.id, {})
      .limit(MOST + 1)
      .execute(),
    projectsOfGroup(ctx.db, ctx.actor, group, { order_by: 'last_activity_at' })
      .limit(MOST + 1)
      .execute(),
  ])
  return {
    subgroups: subgroups.slice(0, MOST),
    projects: projects.slice(0, MOST),
    isCut: subgroups.length > MOST || projects.length > MOST,
  }
}

/** The README of the project `gitlab-profile` in the group, where the caller may read its code. */
async function readmeOf(ctx: Context, group: Group): Promise<Html | undefined> {
  const project = await projectAllowing(ctx, `${group.full_path}/${PROFILE}`, 'read_code')
  if (!project) return undefined
  const repository = await findRepository(ctx.deps.storages, project)
  const ref = project.default_branch ?? 'HEAD'
  const commit = repository && (await resolveCommit(repository, ref))
  const tree = repository && commit ? await listTree(repository, { commit }) : undefined
  return repository && tree && readmePanel(ctx, project, repository, ref, readmeAmong(tree.rows))
}

async function membersView(ctx: Context, group: Group): Promise<Html | undefined> {
  if (allows(ctx.actor, 'read_group_members', groupSubject(group)) !== 'yes') return undefined
  const rows = await allMembersOf(ctx.db, memberPlaceOfGroup(group))
    .limit(MEMBERS + 1)
    .execute()
  if (rows.length === 0) return undefined
  const shown = rows.slice(0, MEMBERS)
  return html`<section><div class="row apart"><h2>Members</h2><a class="small" href="${groupPath(group, '/-/group_members')}">All of them</a></div><ul class="plain-list row">${shown.map(member => html`<li><a href="/${member.username}" title="${member.name}" aria-label="${member.name}">${avatar(member, 32)}</a></li>`)}${rows.length > MEMBERS && html`<li class="muted small">and more</li>`}</ul></section>`
}

async function activityView(ctx: Context, group: Group): Promise<Html> {
  const rows = await feedMatching(ctx.db, ctx.actor, { groupId: group.id }, {}).limit(ENTRIES).execute()
  if (rows.length === 0) return html`<p class="muted small">Nothing has happened yet.</p>`
  const [entries, places] = await Promise.all([
    presentAll(FeedEntry, ctx, rows),
    projectsById(ctx.db, [...new Set(rows.map(row => row.project_id))]),
  ])
  return activityList(entries, places)
}
