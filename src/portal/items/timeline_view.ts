/** The timeline of an item as HTML: comments, threads, and one line for each thing that happened. */
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { textView } from '../markdown/body.ts'
import { reactionsView } from '../reactions/reactions_view.ts'
import { suggestionView } from '../suggestions/suggestion_view.ts'
import type { Timeline, TimelineNote, TimelinePart, TimelineThread } from './timeline.ts'

/** What the view of a timeline needs besides its threads. */
export interface TimelineFrame {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  /** The path of the item's page. */
  readonly page: string
  /** May the caller comment and react? */
  readonly maySay: boolean
  readonly mayReact: boolean
  /** May the caller change a note that is, or is not, their own? */
  mayChange(isOwn: boolean): boolean
  readonly mayResolve: boolean
  /** The path of the form to reply to a thread; default: that of the item's page. */
  readonly replyPath?: (thread: string) => string
  /** The path of the form of an issue that follows a thread up; undefined where the caller may open none. */
  readonly followUpPath?: (thread: string) => string
  /** The path of the lines that a thread is about; default: they are named only. */
  readonly linesPath?: (thread: string) => string
}

/** The whole timeline, as far as it is shown. */
export const timelineView = (frame: TimelineFrame, { first, hidden, last }: Timeline): Html =>
  html`${partView(frame, first)}${hidden && gapView(frame, hidden)}${last && partView(frame, last)}`

/** One part of a timeline. */
export const partView = (frame: TimelineFrame, { threads }: TimelinePart): Html =>
  html`<ol class="timeline">${threads.map(thread => threadView(frame, thread))}</ol>`

/** A gap, whose entries are shown on request. `to`: where the gap ends. */
export const gapView = ({ page }: Pick<TimelineFrame, 'page'>, { from, to }: { readonly from: number; readonly to: number }): Html =>
  html`<turbo-frame id="timeline-${from}" data-keep="${to}"><p class="timeline-gap"><a class="btn btn-sm" href="${page}/timeline?from=${from}&amp;to=${to}">Show ${to - from} more</a></p></turbo-frame>`

function threadView(frame: TimelineFrame, thread: TimelineThread): Html {
  const { notes, isThread, resolved, place } = thread
  const [first] = notes
  if (first === undefined) return html``
  if (first.system) return eventView(first)
  const about = place && html`<p class="thread-place mono small">${placeView(place, frame.linesPath?.(thread.id))}</p>`
  const body = html`${about}${threadContent(frame, thread)}`
  // What is settled is folded away.
  if (resolved)
    return html`<li class="thread many"><details><summary class="muted small">${icon('check')} Resolved thread by ${first.author.name}${place && html` on <span class="mono">${place.path}</span>`}</summary>${body}</details></li>`
  return html`<li class="thread${isThread ? ' many' : ''}">${body}</li>`
}

/** Where a thread stands in the changes: a link to its lines, where there is a page with them. */
function placeView({ path, line }: NonNullable<TimelineThread['place']>, lines: string | undefined): Html {
  const words = html`${path}${line !== undefined && html`:${line}`}`
  return lines === undefined ? words : html`<a href="${lines}">${words}</a>`
}

/** The notes of a thread, `after` them what is not said yet, and the buttons to reply and to resolve it. */
export function threadContent(
  frame: TimelineFrame,
  { id, notes, left, isThread, resolved }: TimelineThread,
  after?: readonly Html[],
): Html {
  const [first, ...others] = notes
  const path = frame.replyPath?.(id) ?? `${frame.page}/discussions/${id}/reply`
  const reply =
    isThread &&
    frame.maySay &&
    html`<p class="reply"><turbo-frame id="reply-${id}"><a class="btn btn-sm" href="${path}">Reply</a></turbo-frame></p>`
  const settle =
    resolved !== undefined &&
    frame.mayResolve &&
    actionButton(frame.ctx, {
      to: `${frame.page}/discussions/${id}/resolve`,
      face: resolved ? 'Reopen the thread' : 'Resolve the thread',
      sends: { resolved: String(!resolved) },
    })
  const followUp =
    resolved === false &&
    frame.mayResolve &&
    frame.followUpPath &&
    html`<a class="btn btn-sm" href="${frame.followUpPath(id)}" data-turbo-frame="_top" title="Open an issue that follows the thread up, and resolve it">Resolve with an issue</a>`
  const between =
    left > 0 &&
    html`<p class="timeline-gap"><a class="btn btn-sm" href="${frame.page}/discussions/${id}">${left} more in this thread</a></p>`
  return html`${first && noteView(frame, first)}${between}${others.map(note => noteView(frame, note))}${after}${(reply || settle) && html`<div class="row reply-row">${reply}${settle}${followUp}</div>`}`
}

const eventView = ({ id, author, body, created_at }: TimelineNote): Html =>
  html`<li class="event" id="note_${id}">${avatar(author, 20)}<div class="said"><a class="quiet strong" href="/${author.username}">${author.name}</a> ${body} <a class="muted" href="#note_${id}">${time(created_at)}</a></div></li>`

/** Seconds after which a change of a note is said: corrections of the same minute are not. */
const CORRECTED_WITHIN = 60

/** A note. */
export function noteView(frame: TimelineFrame, note: TimelineNote): Html {
  const { id, author, body, isCut, created_at, updated_at, internal, reactions } = note
  const isChanged = new Date(updated_at).getTime() - new Date(created_at).getTime() > CORRECTED_WITHIN * 1000
  const isOwn = author.id === frame.ctx.actor.user?.id
  const mayChange = frame.mayChange(isOwn)
  const at = `${frame.page}/notes/${id}`
  return html`<article class="note-card${internal ? ' internal' : ''}" id="note_${id}" aria-label="Comment by ${author.name}"><turbo-frame id="note-${id}">
<header>${avatar(author, 20)}<a class="quiet strong" href="/${author.username}">${author.name}</a><span class="muted">@${author.username}</span><a class="muted" href="${frame.page}#note_${id}" data-turbo-frame="_top">${time(created_at)}</a>${isChanged && html`<span class="muted">edited ${time(updated_at)}</span>`}${internal && chip('Internal', 'attention', 'lock')}<span class="buttons">${
    mayChange &&
    html`<a class="bar-button" href="${at}/edit" aria-label="Edit the comment" title="Edit">${icon('pencil')}</a>${actionButton(frame.ctx, { to: `${at}/delete`, face: icon('trash'), label: 'Delete the comment', look: 'bare', asks: 'Delete this comment?' })}`
  }</span></header>
${textView(body, mayChange ? `${at}/tasks` : undefined)}${isCut && html`<p class="cut"><a class="btn btn-sm" href="${at}" data-turbo-frame="_top">Show all of this comment</a></p>`}${note.suggestions.map(suggestion => suggestionView(frame, suggestion))}
</turbo-frame>${reactionsView(frame, at, reactions)}</article>`
}
