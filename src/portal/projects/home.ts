/** The page of a project: its files, its README, and what is known of it. */
import { languagesOf } from '../../code/languages/queries.ts'
import { latestReleaseOf } from '../../delivery/releases/queries.ts'
import { allows, roles } from '../../platform/access/abilities.ts'
import { preferencesOf } from '../../platform/access/preferences.ts'
import { type ObjectId, type Repository, resolveCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { presentLicense } from '../../spaces/licenses/known.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { badgesView } from '../badges/badge_view.ts'
import { activityList } from '../feed/activity_view.ts'
import { listProjectEvents } from '../feed/endpoints.ts'
import { accessButton } from '../members/ask.ts'
import { recentPushes } from '../merge_requests/lists/recent_pushes.ts'
import { bell } from '../notifications/settings.ts'
import { revisionPage } from '../repository/addresses.ts'
import { shownCommit, shownDirectory } from '../repository/files/directory.ts'
import { PATIENCE } from '../repository/files/queries.ts'
import { readmePanel } from '../repository/files/readme.ts'
import { repositoryOf } from '../repository/live.ts'
import { downloadMenu, findButton, switchMenu } from '../repository/switcher/menu.ts'
import { type About, aboutView } from './about_view.ts'

/** Entries of the activity; its own page has all of them. */
const ENTRIES = 20

/** Answers the page of a project. */
export async function projectHome(ctx: Context, project: ProjectWithRole): Promise<ByteAnswer> {
  const mayReadCode = allows(ctx.actor, 'read_code', projectSubject(project)) === 'yes'
  const repository = mayReadCode ? await findRepository(ctx.deps.storages, project) : undefined
  const ref = project.default_branch ?? 'HEAD'
  const commit = repository && (await resolveCommit(repository, ref))
  const shows = preferencesOf(ctx.actor).project_page
  const main =
    repository && commit
      ? shows === 'activity'
        ? await activityView(ctx, project)
        : await codeView(ctx, project, { repository, commit, ref }, shows === 'readme')
      : emptyView(ctx, project, mayReadCode)
  return page(ctx, {
    title: project.name,
    place: projectPlace(ctx.actor, project, 'project'),
    heading: 'own',
    live: [repositoryOf(project)],
    body: html`<div class="heading"><div class="row">${avatar(project, 48, 'square')}<h1>${project.name}</h1>${visibilityChip(project.visibility)}</div>${await buttonsOf(ctx, project)}</div>
${await badgesView(ctx, { project })}
${mayReadCode && livePart('recent-pushes', repositoryOf(project), await recentPushes(ctx, project))}
<div class="columns">${livePart('code', repositoryOf(project), main, 'stack')}<aside class="stack" aria-label="About the project">${aboutView(await aboutOf(ctx, project, mayReadCode))}</aside></div>`,
  })
}

interface At {
  readonly repository: Repository
  readonly commit: ObjectId
  readonly ref: string
}

/** What was done in the project lately. */
async function activityView(ctx: Context, project: ProjectWithRole): Promise<Html> {
  const { rows } = await answerOf({ ...ctx, project } as Context, listProjectEvents, { page: 1, per_page: ENTRIES })
  if (rows.length === 0) return empty({ icon: 'pulse', title: 'No activity to show', says: 'What people do in the project appears here.' })
  return html`<section><div class="row apart"><h2>Activity</h2><a class="small" href="${projectPath(project, '/-/activity')}">All of it</a></div>${activityList(rows, new Map([[project.id, project]]))}</section>`
}

/** The files at the root and the README, or the README alone where there is one. */
async function codeView(ctx: Context, project: ProjectWithRole, { repository, commit, ref }: At, isReadmeAlone: boolean): Promise<Html> {
  const directory = await shownDirectory({ project, server: ctx.url }, repository, { ref, commit, path: '' }, PATIENCE)
  if (!directory) throw new Error(`commit ${commit} of project ${project.id} has no tree`)
  const readme = await readmePanel(ctx, project, repository, ref, directory.readme)
  return html`<div class="row">${switchMenu({ project, kind: 'tree', ref, path: '' })}${findButton({ project, ref })}${downloadMenu({ project, ref })}</div>
${await shownCommit(ctx, project, repository, commit)}${!(isReadmeAlone && readme) && directory.frame}
${readme}`
}

/** What the side column shows. */
async function aboutOf(ctx: Context, project: ProjectWithRole, mayReadCode: boolean): Promise<About> {
  const { db, url, sshUrl, now } = ctx
  // Lists of releases say neither name nor tag to others.
  const release = mayReadCode ? await latestReleaseOf(db, project.id, now) : undefined
  return {
    project,
    clone: mayReadCode ? { http: `${url}/${project.full_path}.git`, ssh: `${sshUrl}${project.full_path}.git` } : undefined,
    languages: mayReadCode ? Object.entries(await languagesOf(db, project.id)) : [],
    license: mayReadCode && project.license_key !== null ? presentLicense(project.license_key)?.name : undefined,
    release: release && { tag: release.tag, name: release.name ?? release.tag, released_at: release.released_at },
  }
}

/** Star, fork and asking for access, as far as the caller may. */
async function buttonsOf(ctx: Context, project: ProjectWithRole): Promise<Html | false> {
  const { db, actor } = ctx
  if (!actor.user) return false
  const subject = projectSubject(project)
  const may = (ability: 'choose_project_notifications' | 'star_project' | 'fork_project' | 'request_project_access') =>
    allows(actor, ability, subject) === 'yes'
  const starred = await db
    .selectFrom('project_stars')
    .select('user_id')
    .where('project_id', '=', project.id)
    .where('user_id', '=', actor.user.id)
    .executeTakeFirst()
  const face = html`${icon(starred ? 'star-fill' : 'star')} ${starred ? 'Starred' : 'Star'} <span class="counter">${project.star_count}</span>`
  return html`<div class="row">${may('choose_project_notifications') && bell(rest => projectPath(project, rest))}${may('star_project') && actionButton(ctx, { to: projectPath(project, starred ? '/-/unstar' : '/-/star'), face })}
${may('fork_project') && html`<a class="btn btn-sm" href="${projectPath(project, '/-/forks/new')}">${icon('repo-forked')} Fork <span class="counter">${project.forks_count}</span></a>`}
${project.role === roles.none && may('request_project_access') && (await accessButton(ctx, { key: { project_id: project.id }, members: projectPath(project, '/-/project_members'), ask: projectPath(project, '/-/request_access'), isEnabled: project.request_access_enabled }))}</div>`
}

/** How to begin, for an empty repository; or that the code is not for this caller. */
function emptyView({ url, sshUrl, actor }: Context, project: ProjectWithRole, mayReadCode: boolean): Html {
  if (!mayReadCode) return empty({ icon: 'lock', title: 'The code is not shown', says: 'You may see this project, but not its files.' })
  if (project.import_status === 'scheduled' || project.import_status === 'started')
    return empty({
      icon: 'download',
      title: 'The repository is being fetched',
      says: 'Branches and tags appear here once all commits are there.',
      action: html`<a class="btn btn-sm" href="${projectPath(project, '/-/import')}">How it goes</a>`,
    })
  const mayPush = allows(actor, 'push_code', projectSubject(project)) === 'yes'
  if (!mayPush) return empty({ icon: 'repo', title: 'Nothing here yet', says: 'Nobody has pushed to this repository.' })
  const branch = project.default_branch ?? 'main'
  const failed =
    project.import_status === 'failed' &&
    html`<div class="notice danger" role="alert">${icon('alert')}<span>The import failed: ${project.import_error ?? 'the reason is not known'}. Nothing was kept; push to the repository, or delete the project and import it again.</span></div>`
  const lines = (address: string) => `git remote add origin ${address}\ngit push -u origin HEAD:${branch}`
  return html`${failed}${empty({ icon: 'repo', title: 'Push the first commit', says: html`The repository is empty. Make its first file here, or run one of these in a repository that you have. Over HTTP git asks for your username and a <a href="/-/profile/personal_access_tokens">personal access token</a> with the scope <code>write_repository</code>; over SSH it needs one of your <a href="/-/profile/keys">SSH keys</a>:`, action: html`<span class="row"><a class="btn btn-primary" href="${revisionPage(project, 'new', branch)}">New file</a><a class="btn" href="${revisionPage(project, 'upload', branch)}">Upload a file</a></span>` })}
${[
  ['HTTP', `${url}${projectPath(project)}.git`],
  ['SSH', `${sshUrl}${project.full_path}.git`],
].map(
  ([name = '', address = '']) =>
    html`<section class="panel"><header class="row apart"><strong>${name}</strong><clipboard-copy class="btn btn-sm" value="${lines(address)}" role="button" tabindex="0" aria-label="Copy the lines for ${name}">${icon('copy')}</clipboard-copy></header><pre class="body mono scroll" tabindex="0">${lines(address)}</pre></section>`,
)}`
}
