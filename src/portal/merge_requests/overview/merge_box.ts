/** The merge box: whether a merge request can be merged, what is missing, and how to get it. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../../platform/pages/components/avatar.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { DetailedMergeStatus } from '../../../review/merge_requests/details/mergeable.ts'
import { pipelineChip } from '../../repository/history/pipelines.ts'
import type { ShownMergeRequest } from '../head_view.ts'

/** What stands in the way, in words, and what to do about it. */
const obstacles: Readonly<Record<Exclude<DetailedMergeStatus, 'mergeable' | 'not_open'>, readonly [says: string, how: string]>> = {
  unchecked: ['Whether the branches can be merged is not known yet.', 'It is being found out; this box follows.'],
  checking: ['Whether the branches can be merged is being found out.', 'This box follows.'],
  conflict: ['The branches conflict.', 'Merge the target branch into the source branch, resolve the conflicts, and push.'],
  draft_status: ['It is a draft.', 'Mark it as ready once it is.'],
  discussions_not_resolved: ['Threads are not resolved.', 'Resolve each of them, or answer it.'],
  not_approved: ['It lacks approvals.', 'Ask those who may approve for a review.'],
  ci_still_running: ['Its pipeline is running.', 'Wait for it, or have it merged when the pipeline succeeds.'],
  ci_must_pass: ['Its pipeline did not succeed.', 'Mend what failed and push, or run it again.'],
  need_rebase: ['The target branch has moved on, and the project merges without merge commits.', 'Rebase the source branch.'],
}

/** The JSON of approvals, as far as the box shows it. */
export interface ShownApprovals {
  readonly user_has_approved: boolean
  readonly user_can_approve: boolean
  readonly approved: boolean
  readonly approved_by: readonly { readonly user: Pictured & { readonly username: string } }[]
  readonly approvals_required?: number
  readonly approvals_left?: number
}

export interface MergeBox {
  readonly ctx: Context
  readonly shown: ShownMergeRequest
  readonly approvals: ShownApprovals
  /** Unresolved threads. */
  readonly unresolved: number
  /** The path of the page. */
  readonly page: string
  readonly mayUpdate: boolean
}

export function mergeBox(box: MergeBox): Html {
  const { shown, approvals, unresolved } = box
  const { state, head_pipeline, merge_error } = shown
  return html`<section class="panel merge-box" aria-label="Merge">
<div class="body stack small-stack">${head_pipeline && html`<div class="row">${icon('workflow')} Pipeline ${pipelineChip(head_pipeline as never)}</div>`}
${approvalsLine(box, approvals)}
${unresolved > 0 && html`<div class="row">${icon('comment')} ${unresolved} unresolved ${unresolved === 1 ? 'thread' : 'threads'}</div>`}
${merge_error !== null && html`<div class="notice danger" role="alert">${icon('alert')}<span>${merge_error}</span></div>`}
${state === 'opened' ? openBox(box) : endedBox(shown)}</div></section>`
}

function approvalsLine({ ctx, shown, page }: MergeBox, approvals: ShownApprovals): Html {
  const { approved_by, approvals_left = 0, user_can_approve, user_has_approved } = approvals
  const isOpen = shown.state === 'opened'
  return html`<div class="row">${icon(approvals.approved ? 'check' : 'people')}<span>${approved_by.length === 0 ? 'Nobody has approved yet' : html`Approved by ${approved_by.map(({ user }) => html`<span title="${user.name}">${avatar(user, 20)} ${user.name}</span> `)}`}${approvals_left > 0 && `; ${approvals_left} more needed`}</span>${isOpen && user_can_approve && !user_has_approved && actionButton(ctx, { to: `${page}/approve`, face: 'Approve', look: 'primary', sends: shown.sha === null ? {} : { sha: shown.sha } })}${isOpen && user_has_approved && actionButton(ctx, { to: `${page}/unapprove`, face: 'Take back' })}</div>`
}

const endedBox = ({ state, merge_user, merged_at, closed_by, closed_at, merge_commit_sha, target_branch }: ShownMergeRequest): Html =>
  state === 'merged'
    ? html`<div class="row">${icon('git-merge')}<span><strong>Merged</strong>${merge_user && html` by ${merge_user.name}`}${merged_at !== null && html` ${time(merged_at)}`} into <span class="mono">${target_branch}</span>${merge_commit_sha !== null && html` with <span class="mono">${merge_commit_sha.slice(0, 8)}</span>`}</span></div>`
    : state === 'closed'
      ? html`<div class="row">${icon('git-pull-request-closed')}<span><strong>Closed</strong>${closed_by && html` by ${closed_by.name}`}${closed_at !== null && html` ${time(closed_at)}`} without being merged</span></div>`
      : html`<div class="row">${icon('lock')}<span>It is being merged.</span></div>`

function openBox({ ctx, shown, page, mayUpdate }: MergeBox): Html {
  const { detailed_merge_status: status, user, merge_when_pipeline_succeeds, head_pipeline } = shown
  const obstacle = obstacles[status as keyof typeof obstacles]
  const isRunning =
    head_pipeline !== null && ['created', 'waiting_for_resource', 'preparing', 'pending', 'running'].includes(head_pipeline.status)
  if (merge_when_pipeline_succeeds)
    return html`<div class="row">${icon('clock')}<strong>Is merged when its pipeline succeeds.</strong>${user.can_merge && actionButton(ctx, { to: `${page}/cancel_auto_merge`, face: 'Do not merge' })}</div>`
  return html`<div class="row">${icon(obstacle ? 'alert' : 'check')}<span>${obstacle ? html`<strong>${obstacle[0]}</strong> ${obstacle[1]}` : html`<strong>Ready to be merged.</strong>`}</span>${status === 'draft_status' && mayUpdate && actionButton(ctx, { to: `${page}/change`, face: 'Mark as ready', sends: { title: withoutDraft(shown.title) } })}${status === 'need_rebase' && actionButton(ctx, { to: `${page}/rebase`, face: 'Rebase' })}</div>
${!user.can_merge && html`<p class="muted small">You may not merge into <span class="mono">${shown.target_branch}</span>.</p>`}
${user.can_merge && (!obstacle || status === 'ci_still_running') && mergeForm(ctx, shown, page, isRunning)}`
}

/** The title without the marks of a draft at its beginning. */
const withoutDraft = (title: string): string => title.replace(/^(\s*(\[(draft|wip)\]|\(draft\)|(draft|wip)( - |:)))+\s*/i, '')

/** Merging, with its choices. */
const mergeForm = (ctx: Context, shown: ShownMergeRequest, page: string, isRunning: boolean): Html =>
  html`<form method="post" action="${page}/merge">${csrfField(ctx)}${shown.sha !== null && html`<input type="hidden" name="sha" value="${shown.sha}">`}
<div class="row"><label class="choice"><input type="checkbox" name="should_remove_source_branch" value="true"${shown.force_remove_source_branch && html` checked`}> Delete the source branch</label><label class="choice"><input type="checkbox" name="squash" value="true"${shown.squash && html` checked`}> Squash the commits</label></div>
<details><summary class="small">Change the messages</summary><div class="field"><label for="merge-message">Message of the merge commit</label><textarea class="form-control" id="merge-message" name="merge_commit_message" rows="3" placeholder="As the project has it"></textarea></div><div class="field"><label for="squash-message">Message of the squash commit</label><textarea class="form-control" id="squash-message" name="squash_commit_message" rows="3" placeholder="As the project has it"></textarea></div></details>
<div class="row">${shown.detailed_merge_status === 'mergeable' && html`<button class="btn btn-primary">${icon('git-merge')} Merge</button>`}${isRunning && html`<button class="btn" name="merge_when_pipeline_succeeds" value="true">Merge when the pipeline succeeds</button>`}</div></form>`
