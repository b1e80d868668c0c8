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
import { DateTime, described, flag, integer, Nullable, onTier, text } from '../../platform/kernel/declaration/types.ts'
import { type KnownMergeFacts, mergeFactsOf } from '../approvals/merge_facts.ts'
import { effectiveApprovals } from './details/approvals_required.ts'
import { detailedMergeStatus } from './details/mergeable.ts'
import type { MergeRequestRow } from './queries.ts'

const User = Type.Object(summaryFields)

export const fields = {
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  project_id: integer('ID of the project'),
  title: text('Title'),
  description: Nullable(text('Description; null or empty where there is none')),
  state: text('`opened`, `closed`, `locked` or `merged`'),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  merged_by: Nullable(described('Deprecated: the user who merged it; null until then', User)),
  merge_user: Nullable(described('The user who merged it or set it to merge automatically; null where nobody did', User)),
  merged_at: Nullable(DateTime('When it was merged; null until then')),
  closed_by: Nullable(described('The user who closed it; null while it is open', User)),
  closed_at: Nullable(DateTime('When it was closed; null while it is open')),
  target_branch: text('Name of the target branch'),
  source_branch: text('Name of the source branch'),
  user_notes_count: integer('Number of notes by users'),
  upvotes: integer('Number of thumbs up'),
  downvotes: integer('Number of thumbs down'),
  author: described('The user who created it', User),
  assignees: described('Users it is assigned to', Type.Array(User)),
  assignee: Nullable(described('The first assignee; null where there is none', User), { deprecated: true }),
  reviewers: described('Users who are asked for a review', Type.Array(User)),
  source_project_id: Nullable(integer('ID of the source project; null where it is deleted')),
  target_project_id: integer('ID of the target project'),
  draft: flag('Whether it is a draft, which cannot be merged'),
  work_in_progress: flag('Deprecated name of `draft`', { deprecated: true }),
  milestone: Nullable(described('The milestone; null where there is none', EmbeddedMilestone)),
  merge_when_pipeline_succeeds: flag('Whether it merges when its pipeline succeeds'),
  merge_status: text('Whether the branches can be merged: `unchecked`, `checking`, `can_be_merged` or `cannot_be_merged`'),
  detailed_merge_status: text('Why it can or cannot be merged'),
  sha: Nullable(text('ID of the newest commit of the source branch; null until it is known')),
  merge_commit_sha: Nullable(text('ID of the merge commit; null until it is merged with one')),
  squash_commit_sha: Nullable(text('ID of the squash commit; null until it is merged with one')),
  discussion_locked: Nullable(flag('Whether only members may comment; null where nobody has chosen')),
  should_remove_source_branch: Nullable(flag('Whether the merging user asked to delete the source branch; null where they said nothing')),
  force_remove_source_branch: Nullable(flag('Whether the source branch is deleted when it is merged; null where nobody has chosen')),
  allow_collaboration: flag('Whether members who may merge may push to the source branch of the fork'),
  allow_maintainer_to_push: flag('Deprecated name of `allow_collaboration`'),
  reference: text('Reference as it is written within the project or group', { deprecated: true }),
  references: described('References as they are written in texts', References),
  web_url: text('Address of the page for people'),
  time_stats: described('Estimate and time spent', Type.Object(timeStatsFields)),
  squash: flag('Whether the commits are squashed into one'),
  task_completion_status: described(
    'Completed tasks in numbers',
    Type.Object({ count: integer('Number of tasks'), completed_count: integer('Number of completed tasks') }),
  ),
  approvals_before_merge: onTier('premium', Nullable(integer('Number of approvals that are required; null: as the project says'))),
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
  schema: Type.Object({ ...fields, labels: described('Its labels: names, or with details on request', LabelNames) }),
  load,
  present: (row: MergeRequestRow, loaded: Loaded, facts) => ({ ...present(row, loaded, facts), labels: labelNames(row, loaded) }),
})
