/** The bar of a review: how many threads are unresolved, and ways to them. It carries the index by which a script follows what changes. */
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { mergeRequestTopicOf } from '../live.ts'
import type { Caller } from '../page.ts'
import { mergeRequestPath } from '../scope.ts'
import { draftElement } from './draft_view.ts'
import type { ShownDraft, ShownDrafts } from './drafts.ts'
import { pathOf, placeWords } from './places.ts'
import { threadElement } from './thread_view.ts'
import { type IndexedThread, indexOf } from './threads.ts'

/** Unresolved threads that are linked. */
const MOST_LINKED = 100

/** The bar, as a part that follows the merge request. */
export async function reviewBar(ctx: Caller, drafts: ShownDrafts): Promise<Html> {
  const page = mergeRequestPath(ctx)
  const index = await indexOf(ctx, ctx.noteable)
  const threads = index.map(({ id, stamp }) => `${threadElement(id)}:${stamp}${stampOf(drafts.replies.get(id) ?? [])}`)
  const stamps = [...threads, ...drafts.alone.map(draft => `${draftElement(draft.row.id)}:${stampOf([draft])}`)].join(' ')
  return livePart(
    'review-bar',
    mergeRequestTopicOf(ctx.mergeRequest),
    html`<div class="row review-bar" data-index="${stamps}" data-head="${ctx.mergeRequest.head_commit_sha}">${unresolvedView(page, index)}${drafts.all.length > 0 && html`<a class="btn btn-sm btn-primary" href="${page}/diffs/review">Submit review <span class="counter">${drafts.all.length}</span><span class="sr-only"> ${drafts.all.length === 1 ? 'draft' : 'drafts'}</span></a>`}</div>`,
  )
}

/** Changes with the drafts. */
const stampOf = (drafts: readonly ShownDraft[]): string =>
  drafts.map(({ row }) => `.${row.id}.${new Date(row.updated_at).getTime().toString(36)}`).join('')

function unresolvedView(page: string, index: readonly IndexedThread[]): Html | undefined {
  const resolvable = index.filter(({ resolved }) => resolved !== undefined)
  const open = resolvable.filter(({ resolved }) => !resolved)
  if (resolvable.length === 0) return undefined
  const count = `${open.length} of ${resolvable.length} ${resolvable.length === 1 ? 'thread' : 'threads'} unresolved`
  if (open.length === 0) return html`<span class="muted">${icon('check')} ${count}</span>`
  const links = open
    .slice(0, MOST_LINKED)
    .map(
      ({ id, position }) =>
        html`<li><a href="${page}/diffs/threads/${id}" data-thread="${threadElement(id)}"><span class="mono">${pathOf(position)}</span> <span class="muted">${placeWords(position)}</span></a></li>`,
    )
  return html`<details class="menu start"><summary class="btn btn-sm">${icon('comment')} ${count} ${icon('triangle-down')}</summary><div class="menu-items"><ul class="plain-list">${links}</ul>${open.length > MOST_LINKED && html`<a href="${page}/diffs/threads">All threads</a>`}</div></details><span class="row jump" hidden><button type="button" class="btn btn-sm" data-jump="-1" data-hotkey="p" title="Previous unresolved thread (p)">Previous<span class="sr-only"> unresolved thread</span></button><button type="button" class="btn btn-sm" data-jump="1" data-hotkey="n" title="Next unresolved thread (n)">Next<span class="sr-only"> unresolved thread</span></button></span>`
}
