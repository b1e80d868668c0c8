/** Which issues a merge request closes when it is merged: those that its description, or a message of its commits, says so of. */
import { sql } from 'kysely'
import { itemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import type { ItemName } from '../../../collaboration/item_kinds/names.ts'
import { closedByText, type Named } from '../../../collaboration/markdown/closing.ts'
import { placeOf } from '../../../collaboration/markdown/links.ts'
import { readMarkdown } from '../../../collaboration/markdown/reading.ts'
import { itemAt } from '../../../collaboration/mentions/items.ts'
import { countMergeRequests } from '../../../planning/issues/counts.ts'
import { issuesNamed } from '../../../planning/issues/queries.ts'
import { anyOf } from '../../../platform/db/any.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { MergeRequestRow } from '../queries.ts'
import { commitsOfVersion } from '../versions/commits.ts'

/** The most issues that one merge request closes. */
const MOST_ISSUES = 100

/** What of a merge request it depends on which issues it closes. */
export type Closing = Pick<MergeRequestRow, 'id' | 'description' | 'target_branch' | 'head_commit_sha' | 'start_commit_sha'>

/** A commit, as far as it says which issues it closes. */
interface Said {
  readonly message: string
}

/**
 * Notes the issues that a merge request into `project` closes, in the transaction of what has changed it: its description, its
 * target branch or its commits. Only of those that the actor may know of; and, as public behaviour at 14.0 has it, none for
 * another branch than the default one, none of the project that `project` is a fork of, and none of projects that do not wish it.
 * @param commits of it; read from git unless given, in one process
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

/** Forgets which issues a merge request closes: it is about to be deleted. */
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

/** The ids of the issues that the texts name, of projects whose issues are closed by merge requests. */
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

/** The issue that is named in a text of the project, by reference or by address. */
function nameOf(url: string, project: ProjectRow, named: Named): ItemName | undefined {
  if ('address' in named) return itemAt(url, named.address, itemKind('issue'))
  return { path: placeOf(named, project) as string, iid: Number(named.name) }
}

async function commitsOf({ deps }: Context, project: ProjectRow, { head_commit_sha, start_commit_sha }: Closing): Promise<readonly Said[]> {
  const repository = await findRepository(deps.storages, project)
  if (!repository || head_commit_sha === null || start_commit_sha === null) return []
  return (await commitsOfVersion(repository, { head: head_commit_sha, start: start_commit_sha })).commits
}
