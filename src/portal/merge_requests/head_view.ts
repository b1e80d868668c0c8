/** The head of a merge request's pages: title, state, branches, and its tabs. Pure. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Pictured } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { revisionPage } from '../repository/addresses.ts'

type Person = Pictured & { readonly id: number; readonly username: string }

/** The JSON of a merge request, as far as its pages show it. */
export interface ShownMergeRequest {
  readonly iid: number
  readonly title: string
  readonly description: string | null
  readonly state: string
  readonly draft: boolean
  readonly created_at: string
  readonly merged_at: string | null
  readonly closed_at: string | null
  readonly author: Person
  readonly merge_user: Person | null
  readonly closed_by: Person | null
  readonly assignees: readonly Person[]
  readonly reviewers: readonly Person[]
  readonly milestone: { readonly title: string; readonly web_url: string } | null
  readonly source_branch: string
  readonly target_branch: string
  readonly source_project_id: number | null
  readonly target_project_id: number
  readonly sha: string | null
  readonly diff_refs: { readonly base_sha: string | null } | null
  readonly merge_commit_sha: string | null
  readonly detailed_merge_status: string
  readonly merge_error: string | null
  readonly merge_status: string
  readonly squash_commit_sha: string | null
  readonly diverged_commits_count?: number
  readonly rebase_in_progress?: boolean
  readonly merge_when_pipeline_succeeds: boolean
  readonly force_remove_source_branch: boolean | null
  readonly squash: boolean
  readonly changes_count: string | null
  /** Of its latest version; undefined before the first one. */
  readonly commits_count: number | undefined
  /** Undefined for callers who may not read them. */
  readonly pipelines_count: number | undefined
  readonly discussion_locked: boolean | null
  readonly head_pipeline: { readonly id: number; readonly status: string } | null
  readonly user: { readonly can_merge: boolean }
  readonly references: { readonly full: string }
  readonly time_stats: { readonly time_estimate: number; readonly total_time_spent: number }
  readonly task_completion_status: { readonly count: number; readonly completed_count: number }
  readonly subscribed: boolean
}

const chips: Readonly<Record<string, Html>> = {
  opened: chip('Open', 'success', 'git-pull-request'),
  merged: chip('Merged', 'done', 'git-merge'),
  closed: chip('Closed', 'danger', 'git-pull-request-closed'),
  locked: chip('Being merged', 'attention', 'lock'),
}

export const tabs = ['overview', 'commits', 'pipelines', 'diffs'] as const
export type MergeRequestTab = (typeof tabs)[number]

export interface Head {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly shown: ShownMergeRequest
  readonly project: { readonly full_path: string }
  readonly page: string
  readonly mayUpdate: boolean
}

export function mergeRequestHead({ ctx, shown, project, page, mayUpdate }: Head): Html {
  const { title, iid, state, draft, author, created_at, source_branch, target_branch, discussion_locked } = shown
  const isOpen = state === 'opened'
  const isOwnBranch = shown.source_project_id === shown.target_project_id
  return html`<div class="heading"><h1><bdi>${title}</bdi> <span class="muted light">!${iid}</span></h1><div class="row">${
    mayUpdate &&
    html`<a class="btn btn-sm" href="${page}/edit" data-hotkey="e">${icon('pencil')} Edit</a>${(isOpen || state === 'closed') && actionButton(ctx, { to: `${page}/change`, face: isOpen ? 'Close' : 'Reopen', sends: { state_event: isOpen ? 'close' : 'reopen' } })}`
  }</div></div>
<div class="row facts item-facts">${chips[state]}${draft && chip('Draft')}${discussion_locked && chip('Locked', 'plain', 'lock')}<span><a class="quiet strong" href="/${author.username}">${author.name}</a> ${isOpen ? 'wants' : 'wanted'} to merge ${isOwnBranch && isOpen ? html`<a class="mono" href="${revisionPage(project, 'tree', source_branch)}">${source_branch}</a>` : html`<span class="mono">${source_branch}</span>`} ${copyButton(`Copy the name ${source_branch}`, source_branch)} into <a class="mono" href="${revisionPage(project, 'tree', target_branch)}">${target_branch}</a>, opened ${time(created_at)}</span></div>`
}

/** The tabs of a merge request's pages. The changes are not fetched before they are asked for: the server remembers who has seen which version. */
export const mergeRequestTabs = (
  page: string,
  current: MergeRequestTab | undefined,
  { changes_count, commits_count, pipelines_count }: ShownMergeRequest,
): Html =>
  html`<nav class="subnav" aria-label="Parts of the merge request">${(
    [
      ['overview', 'Overview', page, undefined],
      ['commits', 'Commits', `${page}/commits`, commits_count],
      ['pipelines', 'Pipelines', `${page}/pipelines`, pipelines_count],
      ['diffs', 'Changes', `${page}/diffs`, changes_count ?? undefined],
    ] as const
  )
    .filter(([tab]) => tab !== 'pipelines' || pipelines_count !== undefined)
    .map(
      ([tab, label, href, count]) =>
        html`<a href="${href}"${tab === current && html` aria-current="page"`}${tab === 'diffs' && html` data-turbo-prefetch="false"`}>${label}${count !== undefined && html` <span class="counter">${count}</span>`}</a>`,
    )}</nav>`
