/** The payload of merge requests (webhook events, 14.0). */

import { presentTimeStats } from '../../../collaboration/time_tracking/time_stats.ts'
import { type UserRow, usersById } from '../../../identity/users/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import { readCommit } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { headPipelinesOf } from '../../../review/merge_request_pipelines/queries.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { type ProjectRow, projectsById } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { commitPart } from './commit.ts'
import { labelsIn, peopleIn, shownChanges } from './issue.ts'
import { projectPart, repositoryPart, userPart } from './project.ts'

/** The action on a merge request; undefined in a test of a hook. */
export interface MergeRequestAction {
  readonly action: 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'approved' | 'approval' | 'unapproved' | 'unapproval' | undefined
  readonly changes: ChangeSet
}

/** Contract: payloads contain states also as numbers. */
const stateIds: Readonly<Record<string, number>> = { opened: 1, closed: 2, merged: 3, locked: 4 }

/** The payload of an action on a merge request into `project`. */
export async function mergeRequestPayload(
  ctx: Context,
  project: ProjectRow,
  row: MergeRequestRow,
  user: UserRow | undefined,
  { action, changes }: MergeRequestAction,
): Promise<object> {
  const named = (field: string) => [changes[field]?.from, changes[field]?.to].flatMap(ids => (ids as number[] | undefined) ?? [])
  const ids = [...row.assignee_ids, ...row.reviewer_ids, ...named('assignees'), ...named('reviewers')]
  const people = await usersById(ctx.db, [...new Set(ids)])
  const labels = await labelsById(ctx.db, [...new Set([...row.label_ids, ...named('labels')])])
  const assignees = peopleIn(row.assignee_ids, people, ctx)
  const reviewers = peopleIn(row.reviewer_ids, people, ctx)
  const shownLabels = labelsIn(row.label_ids, labels)
  const { head_sha, ...rest } = changes
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: userPart(user, ctx),
    project: projectPart(project, ctx),
    object_attributes: {
      ...(await attributesOf(ctx, row, project)),
      labels: shownLabels,
      ...(action && { action }),
      // Contract: the former tip of the source branch, before the new commits (webhook events).
      ...(head_sha && { oldrev: head_sha.from }),
    },
    labels: shownLabels,
    changes: shownChanges(rest, people, labels, stateIds, ctx),
    repository: repositoryPart(project, ctx),
    ...(assignees.length > 0 && { assignees }),
    ...(reviewers.length > 0 && { reviewers }),
  }
}

/** The fields of a merge request in payloads, without its labels. */
export async function attributesOf(ctx: Context, row: MergeRequestRow, target: ProjectRow) {
  const { source_project_id } = row
  const source =
    source_project_id === target.id || source_project_id === null
      ? target
      : (await projectsById(ctx.db, [source_project_id])).get(source_project_id)
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    description: row.description,
    assignee_id: row.assignee_ids[0] ?? null,
    assignee_ids: row.assignee_ids,
    reviewer_ids: row.reviewer_ids,
    author_id: row.author_id,
    milestone_id: row.milestone_id,
    source_project_id,
    source_branch: row.source_branch,
    target_project_id: row.project_id,
    target_branch: row.target_branch,
    draft: row.draft,
    work_in_progress: row.draft,
    discussion_locked: row.discussion_locked,
    state: row.state,
    state_id: stateIds[row.state],
    merge_status: row.merge_status,
    merge_error: row.merge_error,
    merge_commit_sha: row.merge_commit_sha,
    merge_user_id: row.merged_by_id ?? row.merge_user_id,
    merge_when_pipeline_succeeds: row.merge_when_pipeline_succeeds,
    merge_params: { force_remove_source_branch: row.force_remove_source_branch },
    head_pipeline_id: (await headPipelinesOf(ctx.db, [row])).get(row.id)?.id ?? null,
    last_edited_at: row.last_edited_at,
    last_edited_by_id: row.last_edited_by_id,
    ...presentTimeStats(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    url: `${ctx.url}/${target.full_path}/-/merge_requests/${row.iid}`,
    source: source ? projectPart(source, ctx) : null,
    target: projectPart(target, ctx),
    last_commit: await lastCommitOf(ctx, row, target),
  }
}

/** The tip of the source branch; null if git no longer has it. */
async function lastCommitOf({ deps, url }: Context, { head_sha }: MergeRequestRow, project: ProjectRow) {
  const repository = head_sha === null ? undefined : await findRepository(deps.storages, project)
  const commit = repository && head_sha !== null ? await readCommit(repository, head_sha) : undefined
  return commit ? commitPart(commit, project, { url }) : null
}
