/** The page of an issue: its head, its description, and the side column with all that is known of it. Pure. */
import { formatDuration } from '../../collaboration/time_tracking/durations.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { itemList, type ListedItem } from '../home/item_view.ts'
import { labelChip, type ShownLabel } from '../items/labels_view.ts'

type Person = Pictured & { readonly id: number; readonly username: string }

/** The JSON of an issue, as far as its page shows it. */
export interface ShownIssue {
  readonly iid: number
  readonly title: string
  readonly state: string
  readonly created_at: string
  readonly closed_at: string | null
  readonly author: Person
  readonly closed_by: Person | null
  readonly assignees: readonly Person[]
  readonly milestone: { readonly title: string; readonly web_url: string; readonly due_date: string | null } | null
  readonly iteration: { readonly title: string; readonly web_url: string; readonly start_date: string; readonly due_date: string } | null
  readonly epic: { readonly title: string; readonly iid: number; readonly url: string } | null
  readonly due_date: string | null
  readonly weight: number | null
  readonly health_status: string | null
  readonly confidential: boolean
  readonly discussion_locked: boolean | null
  readonly issue_type: string
  readonly time_stats: { readonly time_estimate: number; readonly total_time_spent: number }
  readonly task_completion_status: { readonly count: number; readonly completed_count: number }
  readonly references: { readonly full: string }
  readonly web_url: string
  readonly subscribed: boolean
}

/** What the caller may do. */
export interface Mays {
  /** Change its texts, close and reopen it. */
  readonly update: boolean
  /** Set its attributes. */
  readonly plan: boolean
  readonly delete: boolean
  readonly subscribe: boolean
}

export interface Related {
  readonly linked: readonly (ListedItem & { readonly link_type: string; readonly issue_link_id: number })[]
  readonly mergeRequests: readonly ListedItem[]
}

/** The state of an issue. */
export const stateChip = (state: string): Html =>
  state === 'opened' ? chip('Open', 'success', 'issue-opened') : chip('Closed', 'done', 'issue-closed')

/** Title, state, and what can be done with the issue as a whole. `page`: the path of its page. */
export function issueHead(ctx: Context, issue: ShownIssue, may: Mays, page: string): Html {
  const {
    title,
    iid,
    state,
    author,
    created_at,
    closed_by,
    closed_at,
    confidential,
    discussion_locked,
    issue_type,
    task_completion_status: tasks,
  } = issue
  const isOpen = state === 'opened'
  return html`<div class="heading"><h1><bdi>${title}</bdi> <span class="muted light">#${iid}</span></h1><div class="row">${
    may.update &&
    html`<a class="btn btn-sm" href="${page}/edit" data-hotkey="e">${icon('pencil')} Edit</a>${actionButton(ctx, { to: `${page}/change`, face: isOpen ? 'Close issue' : 'Reopen issue', sends: { state_event: isOpen ? 'close' : 'reopen' } })}`
  }${may.delete && actionButton(ctx, { to: `${page}/delete`, face: icon('trash'), label: 'Delete the issue', look: 'bare', asks: `Delete issue #${iid} with all that was said?` })}</div></div>
<div class="row facts item-facts">${stateChip(state)}${confidential && chip('Confidential', 'attention', 'lock')}${discussion_locked && chip('Locked', 'plain', 'lock')}${issue_type !== 'issue' && chip(issue_type.replaceAll('_', ' '), 'danger', 'alert')}<span><a class="quiet strong" href="/${author.username}">${author.name}</a> opened it ${time(created_at)}${closed_by && closed_at && html`; <a class="quiet strong" href="/${closed_by.username}">${closed_by.name}</a> closed it ${time(closed_at)}`}</span>${tasks.count > 0 && html`<span>${icon('tasklist')} ${tasks.completed_count} of ${tasks.count} tasks</span>`}</div>`
}

/** An attribute in the side column of an item; with a form where the caller may change it. */
export function sidePart(page: string, name: string, title: string, shown: Html | string, mayChange: boolean, hotkey?: string): Html {
  const face = html`<h2>${title}</h2>`
  if (!mayChange) return html`<section class="side-part">${face}<div>${shown}</div></section>`
  const address = name.includes('/') ? `${page}/${name}` : `${page}/edit/${name}`
  const id = `edit-${name.split('/')[0]}`
  return html`<section class="side-part"><details class="menu side-menu"><summary${hotkey !== undefined && html` data-hotkey="${hotkey}"`} aria-label="Change: ${title}">${face}${icon('gear')}</summary><div class="menu-items"><turbo-frame id="${id}" target="_top" loading="lazy" src="${address}"><a href="${address}">Change</a></turbo-frame></div></details><div>${shown}</div></section>`
}

/** Where an attribute has no value. */
export const none = (words: string): Html => html`<span class="muted">${words}</span>`

const people = (persons: readonly Person[]): Html =>
  html`<ul class="plain-list">${persons.map(person => html`<li class="row">${avatar(person, 20)}<a class="quiet" href="/${person.username}">${person.name}</a></li>`)}</ul>`

/** Assigns an item that nobody is assigned to. `page`: the path of its page. */
const assignSelf = (ctx: Context, page: string): Html | undefined =>
  ctx.actor.user && actionButton(ctx, { to: `${page}/change`, face: 'Assign yourself', sends: { assignee_ids: ctx.actor.user.id } })

/** Estimated and spent time, as a bar too. */
function timesView({ time_estimate, total_time_spent }: ShownIssue['time_stats']): Html {
  if (time_estimate === 0 && total_time_spent === 0) return none('None')
  const share = time_estimate === 0 ? 1 : total_time_spent / time_estimate
  return html`<div>${formatDuration(total_time_spent) ?? '0h'} spent${time_estimate > 0 && html` of ${formatDuration(time_estimate)}`}</div>${progressBar(share, `${Math.round(100 * share)} % of the estimate`)}`
}

const spoken = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')

export interface Side {
  readonly issue: ShownIssue
  readonly may: Mays
  readonly labels: readonly ShownLabel[]
  readonly participants: readonly Person[]
  /** There are more of them, on a page of their own. */
  readonly hasMoreParticipants: boolean
  /** The issues of its epic, if it is in one. */
  readonly ofEpic: { readonly all: number; readonly closed: number } | undefined
  readonly mayPromote: boolean
  readonly mayMove: boolean
  /** The first metric images of an incident. */
  readonly images: readonly { readonly file_path: string; readonly filename: string; readonly url_text: string | null }[]
  readonly page: string
  /** Of the list of issues. */
  readonly list: string
  readonly tier: Context['tier']
}

/** The side column. */
export function issueSide(ctx: Context, { issue, may, labels, participants, page, list, tier, ...side }: Side): Html {
  const part = (name: string, title: string, shown: Html | string, hotkey?: string) => sidePart(page, name, title, shown, may.plan, hotkey)
  const isPremium = tier !== 'free'
  return html`${part('assignees', tier === 'free' ? 'Assignee' : 'Assignees', issue.assignees.length === 0 ? html`<div class="row apart">${none('Nobody')}${may.plan && assignSelf(ctx, page)}</div>` : people(issue.assignees), 'a')}
${part('labels', 'Labels', labels.length === 0 ? none('None') : html`<div class="row">${labels.map(label => labelChip(label, `${list}?labels=${encodeURIComponent(label.name)}`))}</div>`, 'l')}
${part('milestone', 'Milestone', issue.milestone ? html`${pageLink(issue.milestone.web_url, issue.milestone.title)}${issue.milestone.due_date !== null && html` <span class="muted small">until ${issue.milestone.due_date}</span>`}` : none('None'), 'm')}
${isPremium && part('iteration', 'Iteration', issue.iteration ? html`${pageLink(issue.iteration.web_url, issue.iteration.title)} <span class="muted small">${issue.iteration.start_date} to ${issue.iteration.due_date}</span>` : none('None'))}
${isPremium && part('epic', 'Epic', issue.epic ? html`${pageLink(issue.epic.url, `&${issue.epic.iid} ${issue.epic.title}`)}${side.ofEpic && epicProgress(side.ofEpic)}` : none('None'))}
${part('due_date', 'Due date', issue.due_date ?? none('None'))}
${isPremium && part('weight', 'Weight', issue.weight === null ? none('None') : String(issue.weight))}
${tier === 'ultimate' && part('health', 'Health', issue.health_status === null ? none('Not set') : spoken(issue.health_status))}
${part('estimate', 'Estimate', issue.time_stats.time_estimate === 0 ? none('None') : (formatDuration(issue.time_stats.time_estimate) as string))}
${part('spent', 'Time spent', html`${timesView(issue.time_stats)}${issue.time_stats.total_time_spent > 0 && html`<a class="small" href="${page}/times">Who spent it, and when</a>`}`)}
${sidePart(page, 'visibility', 'Confidential, locked, type', html`${issue.confidential ? 'Confidential' : 'Not confidential'}, ${issue.discussion_locked ? 'locked' : 'not locked'}, ${issue.issue_type.replaceAll('_', ' ')}`, may.plan)}
${issue.issue_type === 'incident' && html`<section class="side-part"><h2>Metric images</h2>${side.images.map(({ file_path, filename, url_text }) => html`<a class="side-picture" href="${page}/metric_images"><img src="${file_path}" alt="${url_text || filename}" loading="lazy"></a>`)}<a href="${page}/metric_images">${side.images.length === 0 ? 'Pictures of what was measured' : 'All of them, with their links'}</a></section>`}
${may.subscribe && html`<section class="side-part"><h2>Notifications</h2>${actionButton(ctx, issue.subscribed ? { to: `${page}/unsubscribe`, face: 'Unsubscribe' } : { to: `${page}/subscribe`, face: 'Subscribe' })}</section>`}
<section class="side-part"><h2>${side.hasMoreParticipants ? 'Participants' : participants.length === 1 ? '1 participant' : `${participants.length} participants`}</h2><div class="row">${participants.map(person => html`<a href="/${person.username}" title="${person.name}" aria-label="${person.name}">${avatar(person, 20)}</a>`)}${side.hasMoreParticipants && html`<a href="${page}/participants">All of them</a>`}</div></section>
<section class="side-part"><h2>Reference</h2><div class="row"><span class="mono">${issue.references.full}</span>${copyButton('Copy the reference', issue.references.full)}</div></section>
${(side.mayMove || may.update || side.mayPromote) && html`<section class="side-part"><h2>More</h2><div class="row side-more">${side.mayMove && menuForm(page, 'move', 'Move')}${may.update && issue.state === 'opened' && menuForm(page, 'duplicate', 'Duplicate')}${side.mayPromote && actionButton(ctx, { to: `${page}/promote`, face: 'Promote to epic', asks: 'Make an epic of this issue, and close it?' })}</div></section>`}`
}

/** A form of the issue behind a button. */
const menuForm = (page: string, name: string, label: string): Html =>
  html`<details class="menu side-menu"><summary class="btn btn-sm">${label}</summary><div class="menu-items"><turbo-frame id="edit-${name}" target="_top" loading="lazy" src="${page}/${name}"><a href="${page}/${name}">${label}</a></turbo-frame></div></details>`

/** How far the epic of an issue is. */
function epicProgress({ all, closed }: { readonly all: number; readonly closed: number }): Html {
  const share = all === 0 ? 0 : Math.round((100 * closed) / all)
  return html`<div class="small muted">${closed} of ${all} ${all === 1 ? 'issue' : 'issues'} closed</div><svg class="time-bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${share} % of the epic's issues are closed"><rect width="100" height="4" class="whole"></rect><rect width="${share}" height="4" class="part"></rect></svg>`
}

const relations: Readonly<Record<string, string>> = { relates_to: 'Related', blocks: 'Blocks', is_blocked_by: 'Blocked by' }

/** Linked issues, and merge requests about it. */
export function relatedView(ctx: Context, { linked, mergeRequests }: Related, page: string, mayLink: boolean): Html | undefined {
  if (linked.length === 0 && mergeRequests.length === 0 && !mayLink) return undefined
  const byType = Map.groupBy(linked, ({ link_type }) => link_type)
  return html`<section class="section related"><div class="row apart"><h2>Related</h2>${mayLink && html`<details class="menu side-menu"><summary class="btn btn-sm">${icon('link')} Link an issue</summary><div class="menu-items"><turbo-frame id="edit-links" target="_top" loading="lazy" src="${page}/links/new"><a href="${page}/links/new">Link an issue</a></turbo-frame></div></details>`}</div>
${[...byType].map(([type, items]) => html`<h3>${relations[type] ?? type}</h3>${itemList(items, mayLink ? ({ issue_link_id: id, references }) => actionButton(ctx, { to: `${page}/links/${id}/delete`, face: icon('x'), label: `Unlink ${references.full}`, look: 'bare' }) : undefined)}`)}${mergeRequests.length > 0 && html`<h3>Merge requests</h3>${itemList(mergeRequests)}`}</section>`
}
