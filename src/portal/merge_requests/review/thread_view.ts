/** A thread of a diff as HTML, and the places of a diff that threads stand in. A script puts what others write into the same places. Pure. */
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { Topic } from '../../../platform/pages/live/topics.ts'
import { type TimelineFrame, threadContent } from '../../items/timeline_view.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'
import { draftCard } from './draft_view.ts'
import type { ShownDrafts } from './drafts.ts'
import { type DiffSpan, isWithin, pathOf, pinOf, placeWords, pointWords, rowOf } from './places.ts'
import type { PlacedThread } from './threads.ts'

/** What the view of threads needs besides them. */
export interface ReviewFrame {
  readonly timeline: TimelineFrame
  /** The path of the merge request, and what its threads follow. */
  readonly page: string
  readonly topic: Topic
  /** The commits that the page compares. */
  readonly span: DiffSpan | undefined
  /** The ids of the versions that threads of other versions were written on, by `versionKey`. */
  readonly versions: ReadonlyMap<string, number>
  readonly drafts: ShownDrafts
  /** Where a thread is shown at its line; default: the changes of the merge request. */
  readonly threadPath?: (id: string) => string
  /** Are the threads shown apart from their lines? */
  readonly isApart?: boolean
}

/** A version by the commits that a position names. */
export const versionKey = ({ base_sha, head_sha }: Partial<Position>): string => `${base_sha} ${head_sha}`

/** The id of a thread's element. */
export const threadElement = (id: string): string => `thread-${id}`

/** A thread. `data-row` and `data-file` say where it belongs. */
export function diffThread(frame: ReviewFrame, thread: PlacedThread): Html {
  const { id, position, resolved, commit, notes } = thread
  const isHere = frame.span !== undefined && commit === null && isWithin(position, frame.span)
  const row = isHere ? rowOf(position) : undefined
  // Below its line a thread need not say where it is, unless it is on several.
  const isSaid = row === undefined || position.line_range || frame.isApart === true
  const about = html`<p class="thread-about small${!isSaid && ' elsewhere-only'}"><a class="quiet" href="${frame.threadPath?.(id) ?? `${frame.page}/diffs/threads/${id}`}" data-turbo-frame="_top"><span class="mono">${pathOf(position)}</span>, ${placeWords(position)}</a>${!isHere && otherVersion(frame, thread)}${pointWords(position)}</p>`
  const body = html`${about}${threadContent(
    frame.timeline,
    thread,
    frame.drafts.replies.get(id)?.map(draft => draftCard(frame, draft)),
  )}`
  const shown = resolved
    ? html`<details><summary class="muted small">${icon('check')} Resolved thread by ${notes[0]?.author.name}, ${notes.length + thread.left} ${notes.length + thread.left === 1 ? 'comment' : 'comments'}</summary>${body}</details>`
    : body
  return html`<div role="group" class="diff-thread thread many" id="${threadElement(id)}" tabindex="-1" data-live="${frame.topic}" data-file="${anchorOf(pathOf(position))}"${row !== undefined && html` data-row="${row}"`}${isHere && pinOf(position)}${resolved === false && html` data-unresolved`} aria-label="Thread on ${placeWords(position)}">${shown}</div>`
}

function otherVersion({ page, versions }: ReviewFrame, { position, commit }: PlacedThread): Html {
  if (commit !== null) return html`, on the commit <span class="mono">${commit.slice(0, 8)}</span>`
  const version = versions.get(versionKey(position))
  return version === undefined
    ? html`, on another version`
    : html`, on <a href="${page}/diffs?diff_id=${version}" data-turbo-frame="_top">another version</a>`
}

/** What stands below a line. */
export const belowLine = (content: readonly Html[]): Html => html`<div class="line-threads">${content}</div>`

/** What stands above the lines of a file. Without threads it is an empty place for those to come. */
export const aboveLines = (path: string, content: readonly Html[], more: Html | undefined): Html =>
  html`<div class="file-threads" data-threads-of="${anchorOf(path)}">${content}${more}</div>`
