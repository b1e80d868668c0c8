/** The list of labels as HTML. Pure. */
import type { LabelRow } from '../../planning/labels/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { ListPage } from '../../platform/pages/lists.ts'
import { labelChip } from '../items/labels_view.ts'

/** The JSON of a label, as far as the list shows it. */
interface ShownLabel {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string | null
  readonly open_issues_count: number
  readonly open_merge_requests_count: number
  readonly subscribed: boolean
  /** Of the labels that a project sees. */
  readonly priority?: number | null
}

export interface LabelFrame {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  /** The path of the project or group. */
  readonly base: string
  readonly noun: 'project' | 'group'
  readonly mayManage: boolean
  readonly maySubscribe: boolean
  readonly mayPromote: boolean
  readonly search: string
  /** The group that an inherited label belongs to. */
  readonly ownerOf: (labelId: number) => { readonly full_path: string; readonly full_name: string } | undefined
}

const having = ({ base }: LabelFrame, items: 'issues' | 'merge_requests', name: string): string =>
  `${base}/-/${items}?labels=${encodeURIComponent(name)}`

const counted = (count: number, one: string, many: string): string => `${count} open ${count === 1 ? one : many}`

/** The page: search, the order of priority, and all labels. */
export function labelsView(frame: LabelFrame, { rows, links }: ListPage<ShownLabel>, prioritized: readonly LabelRow[]): Html {
  const { base, mayManage, search, noun } = frame
  const isNone = rows.length === 0
  const create = html`<a class="btn btn-primary" href="${base}/-/labels/new" data-hotkey="c">New label</a>`
  return html`<div class="heading"><h1>Labels</h1>${mayManage && html`<div class="row">${create}</div>`}</div>
<form class="filter-bar" action="${base}/-/labels" role="search"><label class="sr-only" for="label-search">Find labels</label><input class="form-control" type="search" id="label-search" name="search" value="${search}" placeholder="Name or description" autocomplete="off" data-hotkey="f"><button class="btn">${icon('search')} Find</button></form>
${prioritized.length > 0 && html`<section class="section"><h2>Order of priority</h2><ol class="list compact">${prioritized.map((label, index) => priorityItem(frame, label, index, prioritized.length))}</ol></section>`}
${
  isNone
    ? search === ''
      ? empty({
          icon: 'tag',
          title: 'No labels',
          says: `Labels sort issues and merge requests: by kind, by part, by urgency. Those of a ${noun === 'group' ? 'group can be used in all of its projects' : 'project are its own'}.`,
        })
      : empty({ icon: 'tag', title: 'No such label', says: 'No name and no description has these letters.' })
    : html`<section class="section">${prioritized.length > 0 && html`<h2>All labels</h2>`}<ul class="list" data-list>${rows.map(row => labelItem(frame, row))}</ul>${links}</section>`
}`
}

function priorityItem(frame: LabelFrame, label: LabelRow, index: number, total: number): Html {
  const move = (to: string, face: Html, words: string, isShown: boolean) =>
    frame.mayManage &&
    isShown &&
    actionButton(frame.ctx, {
      to: `${frame.base}/-/labels/${label.id}/priority`,
      face,
      label: `${words}: ${label.name}`,
      look: 'bare',
      sends: { move: to },
    })
  return html`<li><span class="muted rank">${index + 1}</span><div class="main">${labelChip(label, having(frame, 'issues', label.name))}</div><div class="row tight">${move('up', icon('arrow-up'), 'More urgent', index > 0)}${move('down', icon('arrow-down'), 'Less urgent', index < total - 1)}${move('none', icon('x'), 'Without priority', true)}</div></li>`
}

function labelItem(frame: LabelFrame, label: ShownLabel): Html {
  const { name, description, open_issues_count: issues, open_merge_requests_count: requests } = label
  const owner = frame.ownerOf(label.id)
  return html`<li><div class="main"><div class="row">${labelChip({ ...label, description: null }, having(frame, 'issues', name))}${owner && html`<a class="muted small" href="/groups/${owner.full_path}/-/labels" title="Inherited from ${owner.full_name}">${icon('organization')} ${owner.full_name}</a>`}${label.priority != null && chip('Prioritized', 'plain', 'arrow-up')}</div>${description && html`<div class="muted small">${description}</div>`}</div>
<div class="facts"><a class="quiet" href="${having(frame, 'issues', name)}">${counted(issues, 'issue', 'issues')}</a><a class="quiet" href="${having(frame, 'merge_requests', name)}">${counted(requests, 'merge request', 'merge requests')}</a></div>${labelMenu(frame, label, owner)}</li>`
}

/** What can be done with a label. */
function labelMenu(
  { ctx, base, mayManage, maySubscribe, mayPromote, noun }: LabelFrame,
  { id, name, subscribed, priority, open_issues_count, open_merge_requests_count }: ShownLabel,
  owner: { readonly full_path: string } | undefined,
): Html | undefined {
  const at = `${base}/-/labels/${id}`
  const parts: (Html | false)[] = [
    maySubscribe &&
      actionButton(ctx, {
        to: `${at}/${subscribed ? 'unsubscribe' : 'subscribe'}`,
        face: subscribed ? 'Unsubscribe' : 'Subscribe',
        look: 'bare',
      }),
    mayManage &&
      noun === 'project' &&
      priority == null &&
      actionButton(ctx, { to: `${at}/priority`, face: 'Prioritize', look: 'bare', sends: { move: 'last' } }),
    mayManage && !owner && html`<a href="${at}/edit">Edit</a>`,
    mayManage &&
      !owner &&
      mayPromote &&
      actionButton(ctx, {
        to: `${at}/promote`,
        face: 'Promote to the group',
        look: 'bare',
        asks: `Make “${name}” a label of the group? Labels of this name in all projects of the group become one. This cannot be taken back.`,
      }),
    mayManage &&
      !owner &&
      actionButton(ctx, {
        to: `${at}/delete`,
        face: 'Delete',
        look: 'bare',
        asks: `Delete the label “${name}”? It is taken off everything that has it: ${counted(open_issues_count, 'issue', 'issues')} and ${counted(open_merge_requests_count, 'merge request', 'merge requests')} among it. This cannot be taken back.`,
      }),
  ]
  const shown = parts.filter(part => part !== false)
  if (shown.length === 0) return undefined
  return html`<details class="menu"><summary class="bar-button" aria-label="What can be done with ${name}" title="More">${icon('kebab-horizontal')}</summary><div class="menu-items">${shown}</div></details>`
}
