/** The merge box: whether a merge request can be merged, each thing that is missing, and how to get it. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { IconName } from '../../../platform/pages/assets/icons.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { KnownMergeFacts } from '../../../review/approvals/merge_facts.ts'
import { titleOf } from '../../../review/merge_requests/changes/drafts.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { pipelineChip } from '../../pipelines/status_view.ts'
import { commitPage } from '../../repository/addresses.ts'
import type { ShownMergeRequest } from '../head_view.ts'
import { type ApprovalsPart, approveButton, rulesView, whoCanApprove } from './approvals_view.ts'
import { mergeForm } from './merge_form.ts'
import type { MergeRequestReports } from './reports_data.ts'
import { reportsView } from './reports_view.ts'

export interface MergeBox {
  readonly ctx: Context
  readonly shown: ShownMergeRequest
  readonly project: ProjectWithRole
  readonly facts: KnownMergeFacts | undefined
  readonly approvals: ApprovalsPart
  /** What the jobs of its pipeline report; undefined where there is none. */
  readonly reports: MergeRequestReports | undefined
  /** Where it is deployed; undefined for nowhere. */
  readonly deployed: Html | undefined
  /** Unresolved threads. */
  readonly unresolved: number
  /** The path of an issue that resolves them; undefined for callers who may not. */
  readonly followUp: string | undefined
  /** The path of the page. */
  readonly page: string
  readonly may: { readonly update: boolean; readonly resolve: boolean; readonly rebase: boolean }
  /** The messages that a merge would use; undefined for callers who may not merge. */
  readonly messages: { readonly merge: string; readonly squash: string } | undefined
  /** The source branch after the end, for those who may push; undefined otherwise. */
  readonly source: { readonly isThere: boolean; readonly mayDelete: boolean; readonly mayRestore: boolean } | undefined
  readonly userId: number | undefined
  readonly authorId: number
}

export function mergeBox(box: MergeBox): Html {
  const { reports } = box
  const { state, head_pipeline, merge_error } = box.shown
  return html`<section class="panel merge-box" aria-label="Merge">
<div class="body stack small-stack">${head_pipeline && html`<div class="row">${icon('workflow')} Pipeline ${pipelineChip(head_pipeline as never)}</div>`}
${reports && reportsView(reports, { project: box.project, head: box.shown.sha ?? '', base: box.shown.diff_refs?.base_sha ?? undefined })}
${box.deployed}
${approvalsLine(box)}
${merge_error !== null && html`<div class="notice danger" role="alert">${icon('alert')}<span>${merge_error}</span></div>`}
${state === 'opened' ? openBox(box) : endedBox(box)}</div></section>`
}

function approvalsLine({ ctx, shown, page, approvals }: MergeBox): Html {
  const { approved_by, approvals_left = 0 } = approvals
  return html`<div class="row">${icon(approvals.approved && approved_by.length > 0 ? 'check' : 'people')}<span>${approved_by.length === 0 ? 'Nobody has approved yet' : html`Approved by ${approved_by.map(({ user }) => html`<span class="nowrap" title="${user.name}">${avatar(user, 20)} ${user.name}</span> `)}`}${approvals_left > 0 && `; ${approvals_left} more needed`}</span>${shown.state === 'opened' && approveButton(ctx, approvals, page, shown.sha)}</div>${rulesView(approvals, page)}`
}

/** Something that is missing: what, how to get it, and a button or link for it. */
interface Missing {
  readonly says: string
  readonly how?: Html | string
  readonly action?: Html | undefined
  readonly icon?: IconName
}

/** Everything that keeps it from being merged now. */
function missingIn(box: MergeBox): readonly Missing[] {
  const { ctx, shown, facts, unresolved, page, may, project, approvals } = box
  const { target_branch, source_branch, merge_status } = shown
  const found: (Missing | false)[] = [
    project.archived && { says: 'The project is archived.', how: 'Nothing can be merged until it is unarchived.', icon: 'lock' },
    shown.rebase_in_progress === true && { says: 'The source branch is being rebased.', how: 'This box follows.', icon: 'clock' },
    merge_status === 'cannot_be_merged' && {
      says: 'The branches conflict.',
      how: may.resolve
        ? ''
        : html`Those who may push to <span class="mono">${source_branch}</span> can resolve the conflicts: ask the author.`,
      action: html`<a class="btn btn-sm${may.resolve && html` btn-primary`}" href="${page}/conflicts">${may.resolve ? 'Resolve the conflicts' : 'See the conflicts'}</a>`,
    },
    ['unchecked', 'checking', 'cannot_be_merged_recheck'].includes(merge_status) && {
      says: 'Whether the branches can be merged is being found out.',
      how: 'This box follows.',
      icon: 'clock',
    },
    shown.draft && {
      says: 'It is a draft.',
      how: may.update ? '' : 'The author marks it as ready once it is.',
      action: may.update
        ? actionButton(ctx, { to: `${page}/change`, face: 'Mark as ready', sends: { title: titleOf(shown.title, false) } })
        : undefined,
    },
    (facts?.unresolvedThreads ?? 0) > 0 && {
      says: `${unresolved} unresolved ${unresolved === 1 ? 'thread' : 'threads'}.`,
      how: 'The project asks for all of them to be resolved.',
      action: html`<span class="row"><a class="btn btn-sm" href="#timeline">To the threads</a>${followUpLink(box)}</span>`,
      icon: 'comment',
    },
    (facts?.approvalsLeft ?? 0) > 0 && {
      says: `${facts?.approvalsLeft} more ${facts?.approvalsLeft === 1 ? 'approval is' : 'approvals are'} needed.`,
      how: whoCanApprove(approvals, box.userId),
      icon: 'people',
    },
    pipelineMissing(facts?.pipeline, page),
    (shown.diverged_commits_count ?? 0) > 0 &&
      merge_status === 'can_be_merged' && {
        says: `The target branch is ${shown.diverged_commits_count} ${shown.diverged_commits_count === 1 ? 'commit' : 'commits'} ahead.`,
        how: may.rebase
          ? 'The project merges without merge commits, so the source branch is rebased first.'
          : html`The project merges without merge commits: those who may push to <span class="mono">${source_branch}</span> rebase it first.`,
        action:
          may.rebase && shown.rebase_in_progress !== true
            ? html`<span class="row">${actionButton(ctx, { to: `${page}/rebase`, face: 'Rebase' })}${actionButton(ctx, { to: `${page}/rebase`, face: 'Rebase without a pipeline', sends: { skip_ci: 'true' } })}</span>`
            : undefined,
      },
    !shown.user.can_merge && {
      says: `You may not merge into ${target_branch}.`,
      how: html`Ask <a href="${projectPath(project, '/-/project_members')}">a member of the project</a> who may.`,
      icon: 'lock',
    },
  ]
  return found.filter(missing => missing !== false)
}

function pipelineMissing(pipeline: KnownMergeFacts['pipeline'], page: string): Missing | false {
  const action = html`<a class="btn btn-sm" href="${page}/pipelines">To the pipelines</a>`
  if (pipeline === 'missing')
    return { says: 'A pipeline must succeed first, and there is none.', how: 'Push a commit, or run one.', action }
  if (pipeline === 'failed') return { says: 'Its pipeline did not succeed.', how: 'Mend what failed and push, or run it again.', action }
  if (pipeline === 'running') return { says: 'Its pipeline is running, and must succeed first.', icon: 'clock', action }
  return false
}

/** Leads to an issue that takes the unresolved threads over. */
const followUpLink = ({ followUp, unresolved }: MergeBox): Html | undefined =>
  followUp === undefined
    ? undefined
    : html`<a class="btn btn-sm" href="${followUp}">Resolve ${unresolved === 1 ? 'it' : 'all'} with a new issue</a>`

const isRunning = ({ head_pipeline }: ShownMergeRequest): boolean =>
  head_pipeline !== null && ['created', 'waiting_for_resource', 'preparing', 'pending', 'running'].includes(head_pipeline.status)

function openBox(box: MergeBox): Html {
  const { ctx, shown, page, unresolved, facts, userId, authorId, messages, project } = box
  const status = shown.detailed_merge_status
  const missing = missingIn(box)
  const rows = html`${missing.length > 0 && html`<ul class="plain-list missing">${missing.map(({ says, how, action, icon: name = 'alert' }) => html`<li class="row">${icon(name)}<span class="grow"><strong>${says}</strong> ${how}</span>${action}</li>`)}</ul>`}${unresolved > 0 && (facts?.unresolvedThreads ?? 0) === 0 && html`<div class="row">${icon('comment')} <a class="quiet" href="#timeline"><span class="grow">${unresolved} unresolved ${unresolved === 1 ? 'thread' : 'threads'}</span></a>${followUpLink(box)}</div>`}`
  if (shown.merge_when_pipeline_succeeds)
    return html`${rows}<div class="row">${icon('clock')}<span class="grow"><strong>Is merged when its pipeline succeeds</strong>${shown.merge_user && html`, as ${shown.merge_user.name} asked`}.</span>${(shown.user.can_merge || userId === authorId) && actionButton(ctx, { to: `${page}/cancel_auto_merge`, face: 'Do not merge' })}</div>`
  const isReady = status === 'mergeable' && missing.length === 0
  // Nothing is missing but the caller's own right.
  const isForOthers = status === 'mergeable' && missing.length === 1 && !shown.user.can_merge && !project.archived
  const mayWait = isRunning(shown) && (isReady || (status === 'ci_still_running' && missing.length === 1))
  return html`${rows}${(isReady || isForOthers) && html`<div class="row merge-ready">${icon('check-circle')}<strong>${isReady ? 'Ready to be merged.' : 'Ready to be merged by a member who may.'}</strong></div>`}
${shown.user.can_merge && messages && (isReady || mayWait) && mergeForm({ ctx, shown, project, page, messages, isReady, mayWait })}`
}

function endedBox(box: MergeBox): Html {
  const { ctx, shown, page, source, project } = box
  const { state, merge_user, merged_at, closed_by, closed_at, target_branch, source_branch } = shown
  const commit = shown.merge_commit_sha ?? shown.squash_commit_sha
  const branch =
    source &&
    html`${source.mayDelete && actionButton(ctx, { to: `${page}/source_branch/delete`, face: 'Delete the source branch', asks: `Delete the branch ${source_branch}?` })}${source.mayRestore && actionButton(ctx, { to: `${page}/source_branch/restore`, face: 'Restore the source branch' })}${!source.isThere && html`<span class="muted small">The source branch is deleted.</span>`}`
  if (state === 'merged')
    return html`<div class="row">${icon('git-merge')}<span><strong>Merged</strong>${merge_user && html` by ${merge_user.name}`}${merged_at !== null && html` ${time(merged_at)}`} into <span class="mono">${target_branch}</span>${commit !== null && html` with <a class="mono" href="${commitPage(project, commit)}">${commit.slice(0, 8)}</a>`}</span></div>
<div class="row">${commit !== null && source !== undefined && html`<a class="btn btn-sm" href="${page}/revert">Revert</a><a class="btn btn-sm" href="${page}/cherry_pick">Cherry-pick</a>`}${branch}</div>`
  return state === 'closed'
    ? html`<div class="row">${icon('git-pull-request-closed')}<span><strong>Closed</strong>${closed_by && html` by ${closed_by.name}`}${closed_at !== null && html` ${time(closed_at)}`} without being merged</span></div><div class="row">${branch}</div>`
    : html`<div class="row">${icon('lock')}<span>It is being merged.</span></div>`
}
