/** Reads of the relations between merge requests and issues: closing and mentioning. */
import { type RawBuilder, sql } from 'kysely'
import { fewIssuesVisibleTo } from '../../../planning/issues/lists/visible.ts'
import { issues } from '../../../planning/issues/queries.ts'
import { compilableUser, type PersonKind, personKind, personOfKind, rolesAmong } from '../../../platform/access/visible.ts'
import { compiledPer } from '../../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../../platform/db/statements/prepared.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { fewMergeRequestsVisibleTo } from '../lists/visible.ts'
import { mergeRequests } from '../queries.ts'

type ListContext = Pick<Context, 'db' | 'actor'>
type Place = Pick<ProjectWithRole, 'id' | 'full_path'>

/** The issues that the merge closes and the caller may see, by id. */
export const issuesClosedBy = ({ db, actor }: ListContext, project: Place, mergeRequestId: number) =>
  issues(db, project.full_path)
    .where(sql<boolean>`issues.id in (select issue_id from merge_request_closing_issues where merge_request_id = ${mergeRequestId})`)
    .where(fewIssuesVisibleTo(actor))
    .orderBy('issues.id')

function visibleAmong({ db, actor }: ListContext, project: Pick<Place, 'full_path'>, ids: RawBuilder<number>) {
  const { beginIn, known } = rolesAmong(actor, sql`select own.project_id from merge_requests own where own.id in (${ids})`)
  return (
    mergeRequests(beginIn(db), project.full_path)
      // They are few, whatever their number on a page.
      .modifyFront(genericPlan)
      .where(sql<boolean>`merge_requests.id in (${ids})`)
      .where(fewMergeRequestsVisibleTo(actor, known))
  )
}

const closing = (issueId: number) => sql<number>`select merge_request_id from merge_request_closing_issues where issue_id = ${issueId}`

/** The merge requests that close an issue when they are merged, by id. */
export const mergeRequestsClosing = (ctx: ListContext, project: Place, issueId: number) =>
  visibleAmong(ctx, project, closing(issueId)).orderBy('merge_requests.id')

/** Merge requests that close an issue, mention it, or are mentioned in its notes; by number. */
export const mergeRequestsRelatedTo = (ctx: ListContext, project: Pick<Place, 'full_path'>, issueId: number) =>
  visibleAmong(
    ctx,
    project,
    sql<number>`${closing(issueId)}
      union select n.named_merge_request_id from notes n
        where n.issue_id = ${issueId} and n.action = 'mention' and n.named_merge_request_id is not null
      union select n.merge_request_id from notes n
        where n.named_issue_id = ${issueId} and n.action = 'mention' and n.merge_request_id is not null`,
  )
    .orderBy('merge_requests.iid')
    .orderBy('merge_requests.id')

/** Related merge requests that the page of an issue shows. */
const MOST_SHOWN = 50

const shownRelated = compiledPer(
  (kind: PersonKind) => (db, userId: number, full_path: string, issueId: number) =>
    mergeRequestsRelatedTo({ db, actor: personOfKind(kind, userId) }, { full_path }, issueId).limit(sql.lit(MOST_SHOWN)),
)

/** The first of them: as many as a page shows, by a statement that is built once for each kind of user. */
export async function relatedMergeRequestsShown(ctx: ListContext, project: Place, issueId: number) {
  const user = compilableUser(ctx.actor)
  return user
    ? shownRelated(ctx.db, personKind(user), user.id, project.full_path, issueId)
    : mergeRequestsRelatedTo(ctx, project, issueId).limit(MOST_SHOWN).execute()
}

/** The merge requests of a project that contain this commit or were merged by it, newest first. */
export const mergeRequestsWith = ({ db }: ListContext, project: Place, sha: string) =>
  mergeRequests(db, project.full_path)
    .where('merge_requests.project_id', '=', project.id)
    .where(
      sql<boolean>`merge_requests.id in (
        select c.merge_request_id from merge_request_commits c where c.sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${project.id} and m.merge_commit_sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${project.id} and m.squash_commit_sha = ${sha}
        union select m.id from merge_requests m where m.project_id = ${project.id} and m.merged_commit_sha = ${sha})`,
    )
    .orderBy('merge_requests.created_at', 'desc')
    .orderBy('merge_requests.id', 'desc')

/** Issues that a merge request closes, that mention it, or that its notes mention; by id. */
export const issuesRelatedTo = ({ db, actor }: ListContext, project: Place, mergeRequestId: number) =>
  issues(db, project.full_path)
    .where(
      sql<boolean>`issues.id in (
        select c.issue_id from merge_request_closing_issues c where c.merge_request_id = ${mergeRequestId}
        union select n.named_issue_id from notes n
          where n.merge_request_id = ${mergeRequestId} and n.action = 'mention' and n.named_issue_id is not null
        union select n.issue_id from notes n
          where n.named_merge_request_id = ${mergeRequestId} and n.action = 'mention' and n.issue_id is not null)`,
    )
    .where(fewIssuesVisibleTo(actor))
    .orderBy('issues.id')
