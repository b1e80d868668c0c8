/** The side column of a merge request's page. Pure. */
import { formatDuration } from '../../../collaboration/time_tracking/durations.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../../platform/pages/components/avatar.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { none, sidePart } from '../../issues/issue_view.ts'
import { labelChip, type ShownLabel } from '../../items/labels_view.ts'
import type { ShownMergeRequest } from '../head_view.ts'

type Person = Pictured & { readonly username: string }

export interface MergeRequestSide {
  readonly shown: ShownMergeRequest
  readonly labels: readonly ShownLabel[]
  readonly participants: readonly Person[]
  /** The path of the list of merge requests. */
  readonly list: string
  readonly page: string
  readonly maySubscribe: boolean
  readonly mayUpdate: boolean
}

const people = (persons: readonly Person[]): Html =>
  persons.length === 0
    ? none('Nobody')
    : html`<ul class="plain-list">${persons.map(person => html`<li class="row">${avatar(person, 20)}<a class="quiet" href="/${person.username}">${person.name}</a></li>`)}</ul>`

const part = (title: string, shown: Html | string): Html => html`<section class="side-part"><h2>${title}</h2><div>${shown}</div></section>`

export function mergeRequestSide(
  ctx: Context,
  { shown, labels, participants, list, page, maySubscribe, mayUpdate }: MergeRequestSide,
): Html {
  const { time_estimate, total_time_spent } = shown.time_stats
  const set = (name: string, title: string, value: Html | string, hotkey?: string) => sidePart(page, name, title, value, mayUpdate, hotkey)
  const assigned =
    shown.assignees.length === 0 && mayUpdate && ctx.actor.user
      ? html`<div class="row apart">${none('Nobody')}${actionButton(ctx, { to: `${page}/change`, face: 'Assign yourself', sends: { assignee_ids: ctx.actor.user.id } })}</div>`
      : people(shown.assignees)
  return html`${set('assignees', 'Assigned to', assigned, 'a')}
${set('reviewers', 'Reviewers', people(shown.reviewers), 'r')}
${set('labels', 'Labels', labels.length === 0 ? none('None') : html`<div class="row">${labels.map(label => labelChip(label, `${list}?labels=${encodeURIComponent(label.name)}`))}</div>`, 'l')}
${set('milestone', 'Milestone', shown.milestone ? pageLink(shown.milestone.web_url, shown.milestone.title) : none('None'), 'm')}
${set('estimate', 'Estimate', time_estimate > 0 ? (formatDuration(time_estimate) as string) : none('None'))}
${set('spent', 'Time spent', total_time_spent > 0 ? (formatDuration(total_time_spent) as string) : none('None'))}
${mayUpdate && part('Discussion', html`<div class="row"><span>${shown.discussion_locked ? 'Locked: only members comment' : 'Open to all who may comment'}</span>${actionButton(ctx, { to: `${page}/change`, sends: { discussion_locked: shown.discussion_locked ? 'false' : 'true' }, face: shown.discussion_locked ? 'Unlock' : 'Lock', label: shown.discussion_locked ? 'Unlock the discussion' : 'Lock the discussion' })}</div>`)}
${maySubscribe && part('Notifications', actionButton(ctx, shown.subscribed ? { to: `${page}/unsubscribe`, face: 'Unsubscribe' } : { to: `${page}/subscribe`, face: 'Subscribe' }))}
${part(`${participants.length} ${participants.length === 1 ? 'participant' : 'participants'}`, html`<div class="row">${participants.map(person => html`<a href="/${person.username}" title="${person.name}" aria-label="${person.name}">${avatar(person, 20)}</a>`)}</div>`)}
${part('Reference', html`<div class="row"><span class="mono">${shown.references.full}</span>${copyButton('Copy the reference', shown.references.full)}</div>`)}`
}
