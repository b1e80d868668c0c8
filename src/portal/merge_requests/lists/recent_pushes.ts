/** Branches that the caller has just pushed, with the way to a merge request of each: what people do next. */
import { sql } from 'kysely'
import { allows } from '../../../platform/access/abilities.ts'
import { readRefs } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectsWithRoleById } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { revisionPage } from '../../repository/addresses.ts'
import { newMergeRequestPath } from '../scope.ts'

/** Two hours: a push that is longer ago is no news. */
const RECENT = 2 * 60 * 60 * 1000

/** Entries of the feed that are looked at, and branches that are shown. */
const MOST_SEARCHED = 50
const MOST_SHOWN = 2

interface Push {
  readonly project_id: number
  readonly ref: string
  readonly created_at: string
}

/**
 * The newest push of each branch of the project and of its forks by the user, without those that deleted it, brought nothing, or have
 * their merge request: one that is open, or one that has had these commits.
 */
async function pushesOf(ctx: Context, project: ProjectWithRole, userId: number): Promise<readonly Push[]> {
  const since = new Date(ctx.now.getTime() - RECENT)
  const { rows } = await sql<Push>`
    with recent as (
      select id, project_id, push_data, created_at from feed_entries
       where author_id = ${userId} and created_at >= ${since} and push_data ->> 'ref_type' = 'branch' and push_data ->> 'ref' is not null
       order by created_at desc, id desc limit ${MOST_SEARCHED}),
    newest as (
      select distinct on (project_id, push_data ->> 'ref') id, project_id, push_data ->> 'ref' as ref, push_data ->> 'action' as action,
             push_data ->> 'commit_to' as commit_to, (push_data ->> 'commit_count')::int as commit_count, created_at
        from recent
       where project_id = ${project.id} or project_id in (select project_id from project_forks where source_id = ${project.id})
       order by project_id, push_data ->> 'ref', created_at desc, id desc)
    select project_id, ref, created_at from newest
     where action <> 'removed' and commit_count > 0
       and not exists (
         select from merge_requests
          where source_project_id = newest.project_id and source_branch = newest.ref
            and (state in ('opened', 'locked') or head_sha = newest.commit_to))
     order by created_at desc, id desc`.execute(ctx.db)
  return rows
}

/** A notice for each branch that the caller has just pushed to the project or to a fork of it, where a merge request may follow. */
export async function recentPushes(ctx: Context, project: ProjectWithRole): Promise<Html> {
  const { actor, db, deps } = ctx
  const none = html``
  if (!actor.user || project.default_branch === null || allows(actor, 'create_merge_request', projectSubject(project)) !== 'yes')
    return none
  const pushes = await pushesOf(ctx, project, actor.user.id)
  if (pushes.length === 0) return none
  const sources = await projectsWithRoleById(db, actor, [...new Set(pushes.map(({ project_id }) => project_id))])
  const notices: Html[] = []
  for (const { project_id, ref, created_at } of pushes) {
    const source = sources.get(project_id)
    if (!source || ref === source.default_branch || allows(actor, 'create_merge_request_from', projectSubject(source)) !== 'yes') continue
    const repository = await findRepository(deps.storages, source)
    const [tip] = repository ? await readRefs(repository, [`refs/heads/${ref}`]) : []
    if (tip === undefined) continue
    notices.push(noticeOf(project, source, ref, created_at))
    if (notices.length === MOST_SHOWN) break
  }
  return html`${notices}`
}

function noticeOf(project: ProjectWithRole, source: ProjectWithRole, ref: string, at: string): Html {
  const isFork = source.id !== project.id
  const to = newMergeRequestPath(source, ref, isFork ? (project.default_branch ?? undefined) : undefined, isFork ? project.id : undefined)
  return html`<div class="notice row apart"><span>${icon('git-branch')} You pushed to <a class="mono break" href="${revisionPage(source, 'tree', ref)}">${ref}</a>${isFork && html` of <span class="break">${source.full_path}</span>`} ${time(at)}.</span><a class="btn btn-sm btn-primary" href="${to}">Open a merge request<span class="sr-only"> of ${ref}</span></a></div>`
}
