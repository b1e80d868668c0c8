/** Merge requests in lists. */
import { type Pictured, people } from '../../../platform/pages/components/avatar.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { labelChip, type ShownLabel } from '../../items/labels_view.ts'
import { pipelineChip } from '../../pipelines/status_view.ts'

/** The JSON of a merge request, as far as a list shows it. */
export interface ListedMergeRequest {
  readonly id: number
  readonly iid: number
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly draft: boolean
  readonly created_at: string
  readonly merged_at: string | null
  readonly source_branch: string
  readonly target_branch: string
  readonly detailed_merge_status: string
  readonly user_notes_count: number
  readonly references: { readonly relative: string; readonly full: string }
  readonly author: Pictured
  readonly assignees: readonly Pictured[]
  readonly reviewers: readonly Pictured[]
  readonly milestone: { readonly title: string } | null
  readonly labels: readonly ShownLabel[]
}

export const stateIcon = (state: string): Html =>
  state === 'merged'
    ? icon('git-merge', 'Merged')
    : state === 'closed'
      ? icon('git-pull-request-closed', 'Closed')
      : icon('git-pull-request', 'Open')

/** The fields of a pipeline that a list shows. */
type ListedPipeline = Parameters<typeof pipelineChip>[0]

/** A list of merge requests. `pipelines`: those of their newest commits, by the ids of the merge requests. */
export const mergeRequestList = (
  rows: readonly ListedMergeRequest[],
  { base, isOfProject }: { readonly base: string; readonly isOfProject: boolean },
  pipelines: ReadonlyMap<number, ListedPipeline> = new Map(),
): Html => html`<ul class="list" data-list>${rows.map(row => mergeRequestItem(row, base, isOfProject, pipelines.get(row.id)))}</ul>`

function mergeRequestItem(row: ListedMergeRequest, base: string, isOfProject: boolean, pipeline: ListedPipeline | undefined): Html {
  const { title, web_url, state, draft, references, author, labels, milestone, source_branch, target_branch, merged_at } = row
  return html`
<li>${stateIcon(state)}<div class="main"><div class="title">${pageLink(web_url, title)} ${draft && chip('Draft')} ${state === 'opened' && row.detailed_merge_status === 'conflict' && chip('Conflict', 'danger', 'alert')} ${labels.map(label => html`${labelChip(label, `${base}?labels=${encodeURIComponent(label.name)}`)} `)}</div>
<div class="facts"><span>${isOfProject ? references.relative : references.full}</span><span>opened ${time(row.created_at)} by ${author.name}</span>${merged_at !== null && html`<span>merged ${time(merged_at)}</span>`}<span class="mono">${source_branch} → ${target_branch}</span>${milestone && html`<span>${icon('milestone', 'Milestone')} ${milestone.title}</span>`}</div></div>
<div class="facts">${pipeline && pipelineChip(pipeline)}${people([...row.assignees.map(person => ['Assigned to', person] as const), ...row.reviewers.map(person => ['Review by', person] as const)])}${row.user_notes_count > 0 && html`<span title="Comments">${icon('comment', 'Comments')} ${row.user_notes_count}</span>`}</div></li>`
}
