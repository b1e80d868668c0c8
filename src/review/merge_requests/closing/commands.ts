/** The issues that a merge request closes when it is merged: those named with a closing pattern in its description or commit messages. */
import { sql } from 'kysely'
import { itemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import type { ItemName } from '../../../collaboration/item_kinds/names.ts'
import { closedByText, type Named } from '../../../collaboration/markdown/closing.ts'
import { placeOf } from '../../../collaboration/markdown/links.ts'
import { readMarkdown } from '../../../collaboration/markdown/reading.ts'
import { itemAt } from '../../../collaboration/mentions/items.ts'
import { countMergeRequests } from '../../../planning/issues/item_kind/counts.ts'
import { issuesNamed } from '../../../planning/issues/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { MergeRequestRow } from '../queries.ts'
import { commitsOfVersion } from '../versions/commits.ts'

/** Upper bound of the issues that one merge request closes. */
const MOST_ISSUES = 100

/** The fields of a merge request that decide which issues it closes. */
export type Closing = Pick<MergeRequestRow, 'id' | 'description' | 'target_branch' | 'head_commit_sha' | 'start_commit_sha'>

/** A commit whose message is searched for closing patterns. */
interface Said {
  readonly message: string
}
/**
 * Stores the issues that a merge request into `project` closes, in the transaction that changed its description, target branch or
 * commits. Only issues that the actor may see count. As in public behaviour at 14.0, only merge requests into the default branch close
 * issues, never issues of the project that `project` was forked from, and only in projects that enable it.
 * @param commits the commits of the merge request; read from git by one process if not given
 */
export async function noteClosingIssues(ctx: Context, project: ProjectRow, mergeRequest: Closing, commits?: readonly Said[]) {
  const { db } = ctx
  const isDefault = mergeRequest.target_branch === project.default_branch
  const issueIds = isDefault ? await issuesClosedBy(ctx, project, mergeRequest, commits) : []
  const before = await closedIds(db, mergeRequest.id)
  const gone = before.filter(id => !issueIds.includes(id))
  const added = issueIds.filter(id => !before.includes(id))
  if (gone.length > 0)
    await db
      .deleteFrom('merge_request_closing_issues')
      .where('merge_request_id', '=', mergeRequest.id)
      .where('issue_id', '=', anyOf(gone))
      .execute()
  if (added.length > 0)
    await db
      .insertInto('merge_request_closing_issues')
      .values(added.map(issue_id => ({ merge_request_id: mergeRequest.id, issue_id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  await countMergeRequests(db, [...gone, ...added])
}

/** Deletes the stored issues of a merge request that is about to be deleted. */
export async function forgetClosingIssues(db: Db, mergeRequestId: number): Promise<void> {
  const ids = await closedIds(db, mergeRequestId)
  await db.deleteFrom('merge_request_closing_issues').where('merge_request_id', '=', mergeRequestId).execute()
  await countMergeRequests(db, ids)
}

async function closedIds(db: Db, mergeRequestId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('merge_request_closing_issues')
    .select('issue_id')
    .where('merge_request_id', '=', mergeRequestId)
    .execute()
  return rows.map(row => row.issue_id)
}

/** The ids of the issues that the texts name, in projects where merge requests close issues. */
async function issuesClosedBy(ctx: Context, project: ProjectRow, mergeRequest: Closing, commits?: readonly Said[]): Promise<number[]> {
  const { closes } = await readMarkdown(mergeRequest.description ?? '')
  const said = commits ?? (await commitsOf(ctx, project, mergeRequest))
  const names = [...closes, ...said.flatMap(({ message }) => closedByText(message))].flatMap(named => nameOf(ctx.url, project, named) ?? [])
  const issues = await issuesNamed(ctx, names.slice(0, MOST_ISSUES))
  if (issues.length === 0) return []
  const { rows } = await sql<{ id: number }>`select id from projects
    where id = any(${issues.map(issue => issue.project_id)}) and autoclose_referenced_issues
      and not exists (select from project_forks f where f.project_id = ${project.id} and f.source_id = projects.id)`.execute(ctx.db)
  const open = new Set(rows.map(row => row.id))
  return [...new Set(issues.filter(issue => open.has(issue.project_id)).map(issue => issue.id))]
}

/** The issue that a text of the project names, by reference or by URL. */
function nameOf(url: string, project: ProjectRow, named: Named): ItemName | undefined {
  if ('address' in named) return itemAt(url, named.address, itemKind('issue'))
  return { path: placeOf(named, project) as string, iid: Number(named.name) }
}

async function commitsOf({ deps }: Context, project: ProjectRow, { head_commit_sha, start_commit_sha }: Closing): Promise<readonly Said[]> {
  const repository = await findRepository(deps.storages, project)
  if (!repository || head_commit_sha === null || start_commit_sha === null) return []
  return (await commitsOfVersion(repository, { head: head_commit_sha, start: start_commit_sha })).commits
}
