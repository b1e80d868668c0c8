/** A merge request as JSON (document 3 "Merge request"). */
import Type from 'typebox'
import { References, referencesOf } from '../../collaboration/item_kinds/references.ts'
import { presentTimeStats, timeStatsFields } from '../../collaboration/time_tracking/time_stats.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import { EmbeddedMilestone, embeddedMilestones, presentMilestone } from '../../planning/shared/embedded.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Nullable, onTier } from '../../platform/kernel/types.ts'
import { type KnownMergeFacts, mergeFactsOf } from '../approvals/merge_facts.ts'
import { effectiveApprovals } from './approvals_required.ts'
import { detailedMergeStatus } from './mergeable.ts'
import type { MergeRequestRow } from './queries.ts'

const User = Type.Object(summaryFields)

export const fields = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: Nullable(Type.String()),
  state: Type.String(),
  created_at: DateTime(),
  updated_at: DateTime(),
  merged_by: Nullable(User),
  merge_user: Nullable(User),
  merged_at: Nullable(DateTime()),
  closed_by: Nullable(User),
  closed_at: Nullable(DateTime()),
  target_branch: Type.String(),
  source_branch: Type.String(),
  user_notes_count: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  author: User,
  assignees: Type.Array(User),
  assignee: Nullable(User, { deprecated: true }),
  reviewers: Type.Array(User),
  source_project_id: Nullable(Type.Integer()),
  target_project_id: Type.Integer(),
  draft: Type.Boolean(),
  work_in_progress: Type.Boolean({ deprecated: true }),
  milestone: Nullable(EmbeddedMilestone),
  merge_when_pipeline_succeeds: Type.Boolean(),
  merge_status: Type.String(),
  detailed_merge_status: Type.String(),
  sha: Nullable(Type.String()),
  merge_commit_sha: Nullable(Type.String()),
  squash_commit_sha: Nullable(Type.String()),
  discussion_locked: Nullable(Type.Boolean()),
  should_remove_source_branch: Nullable(Type.Boolean()),
  force_remove_source_branch: Nullable(Type.Boolean()),
  allow_collaboration: Type.Boolean(),
  allow_maintainer_to_push: Type.Boolean(),
  reference: Type.String({ deprecated: true }),
  references: References,
  web_url: Type.String(),
  time_stats: Type.Object(timeStatsFields),
  squash: Type.Boolean(),
  task_completion_status: Type.Object({ count: Type.Integer(), completed_count: Type.Integer() }),
  approvals_before_merge: onTier('premium', Nullable(Type.Integer())),
}

/** Loads what a page of merge requests shows besides its rows. */
export async function load({ db, tier }: Context, rows: readonly MergeRequestRow[]) {
  const people = [
    ...['author_id', 'merge_user_id', 'merged_by_id', 'closed_by_id'].flatMap(name => idsOf(rows, name as 'author_id')),
    ...rows.flatMap(row => [...row.assignee_ids, ...row.reviewer_ids]),
  ]
  const [users, labels, milestones, mergeFacts] = await Promise.all([
    usersById(db, [...new Set(people)]),
    labelsById(db, [...new Set(rows.flatMap(row => row.label_ids))]),
    embeddedMilestones(db, idsOf(rows, 'milestone_id')),
    mergeFactsOf(db, tier, rows),
  ])
  return { users, labels, milestones, mergeFacts }
}

export type Loaded = Awaited<ReturnType<typeof load>>

/** The labels of a merge request, by name. */
export const labelsOf = (row: MergeRequestRow, { labels }: Pick<Loaded, 'labels'>) =>
  row.label_ids.flatMap(id => labels.get(id) ?? []).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))

export const webUrlOf = (row: Pick<MergeRequestRow, 'project_path' | 'iid'>, { url }: Facts) =>
  `${url}/${row.project_path}/-/merge_requests/${row.iid}`

/** All list fields except labels. */
export function present(row: MergeRequestRow, loaded: Loaded, facts: Facts) {
  const user = (id: number | null) => {
    const found = id === null ? undefined : loaded.users.get(id)
    return found ? presentSummary(found, facts) : null
  }
  const assignees = row.assignee_ids.flatMap(id => user(id) ?? [])
  const milestone = row.milestone_id === null ? undefined : loaded.milestones.get(row.milestone_id)
  const references = referencesOf('!', row.iid, row.project_path, row.asked_in)
  return {
    id: row.id,
    iid: row.iid,
    // Contract: the project of a merge request is its target project (document 3).
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    merged_by: user(row.merged_by_id),
    merge_user: user(row.merged_by_id ?? row.merge_user_id),
    merged_at: row.merged_at,
    closed_by: row.state === 'closed' ? user(row.closed_by_id) : null,
    closed_at: row.state === 'closed' ? row.closed_at : null,
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    user_notes_count: row.user_notes_count,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    author: user(row.author_id)!,
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: row.reviewer_ids.flatMap(id => user(id) ?? []),
    source_project_id: row.source_project_id,
    target_project_id: row.project_id,
    draft: row.draft,
    work_in_progress: row.draft,
    milestone: milestone ? presentMilestone(milestone, facts) : null,
    merge_when_pipeline_succeeds: row.merge_when_pipeline_succeeds,
    merge_status: row.merge_status,
    detailed_merge_status: detailedMergeStatus(mergeFactsIn(loaded, row)),
    sha: row.head_sha,
    merge_commit_sha: row.merge_commit_sha,
    squash_commit_sha: row.squash_commit_sha,
    discussion_locked: row.discussion_locked,
    should_remove_source_branch: row.should_remove_source_branch,
    force_remove_source_branch: row.force_remove_source_branch,
    allow_collaboration: row.allow_collaboration,
    allow_maintainer_to_push: row.allow_collaboration,
    reference: references.relative,
    references,
    web_url: webUrlOf(row, facts),
    time_stats: presentTimeStats(row),
    squash: row.squash,
    task_completion_status: { count: row.tasks_count, completed_count: row.tasks_completed_count },
    // Contract: the effective number (decision 40).
    approvals_before_merge: effectiveApprovals(row, mergeFactsIn(loaded, row).approvalsOfProject),
  }
}

/** The facts that decide whether the merge request can be merged. */
export const mergeFactsIn = ({ mergeFacts }: Pick<Loaded, 'mergeFacts'>, { id }: Pick<MergeRequestRow, 'id'>) =>
  mergeFacts.get(id) as KnownMergeFacts

export const LabelNames = Type.Array(Type.String())
export const labelNames = (row: MergeRequestRow, loaded: Loaded) => labelsOf(row, loaded).map(label => label.name)

/** A merge request in lists of the instance and of groups. */
export const MergeRequest = entity({
  name: 'MergeRequest',
  schema: Type.Object({ ...fields, labels: LabelNames }),
  load,
  present: (row: MergeRequestRow, loaded: Loaded, facts) => ({ ...present(row, loaded, facts), labels: labelNames(row, loaded) }),
})
