/** Drafts of a review as HTML: at their places, seen by their author alone. Pure. */
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'
import type { ShownDraft } from './drafts.ts'
import { isWithin, pathOf, pinOf, placeWords, pointWords, rowOf } from './places.ts'
import type { ReviewFrame } from './thread_view.ts'

/** The id of a draft's element. */
export const draftElement = (id: number): string => `draft-${id}`

/** The frame in which a draft is edited. */
export const draftFrame = (id: number): string => `draft-text-${id}`

/** A draft that begins a thread. `data-row` and `data-file` say where it belongs. */
export function draftThread(frame: ReviewFrame, draft: ShownDraft): Html {
  const { row, position } = draft
  const line = frame.span !== undefined && isWithin(position, frame.span) ? rowOf(position) : undefined
  const isSaid = line === undefined || position.line_range || frame.isApart === true
  const isPlaced = pathOf(position) !== ''
  const about = isPlaced
    ? html`<p class="thread-about small${!isSaid && ' elsewhere-only'}"><span class="mono">${pathOf(position)}</span>, ${placeWords(position)}${pointWords(position)}</p>`
    : html`<p class="thread-about small">On the whole</p>`
  return html`<div role="group" class="diff-thread draft" id="${draftElement(row.id)}" tabindex="-1" data-live="${frame.topic}" data-file="${anchorOf(pathOf(position))}"${line !== undefined && html` data-row="${line}"`}${frame.span !== undefined && isWithin(position, frame.span) && pinOf(position)} aria-label="Your draft on ${isPlaced ? placeWords(position) : 'the whole'}">${about}${draftCard(frame, draft)}</div>`
}

/** The text of a draft with what its author can do with it. */
export function draftCard({ page, timeline }: Pick<ReviewFrame, 'page' | 'timeline'>, { row, body }: ShownDraft): Html {
  const at = `${page}/diffs/drafts/${row.id}`
  return html`<article class="note-card draft-note" aria-label="Your draft"><turbo-frame id="${draftFrame(row.id)}"><header>${chip('Draft', 'attention')}<span class="muted">Only you see it${row.resolve_discussion && '; it resolves the thread'}</span><span class="buttons"><a class="bar-button" href="${at}/edit" aria-label="Edit the draft" title="Edit">${icon('pencil')}</a>${actionButton(timeline.ctx, { to: `${at}/delete`, face: icon('trash'), label: 'Delete the draft', look: 'bare', asks: 'Delete this draft?' })}</span></header><div class="markdown-body">${body}</div></turbo-frame></article>`
}
