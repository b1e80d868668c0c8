/** What a merge request's review adds to its diff: threads at their lines and files, and the places where one comments. */
import type { ChangedFile, DiffEntry, DiffLine } from '../../../platform/git/index.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'
import { shownLines } from '../../repository/diffs/content_view.ts'
import type { DiffExtras } from '../../repository/diffs/file_view.ts'
import type { ShownDiff, ShownEntry } from '../../repository/diffs/load.ts'
import type { Look } from '../../repository/diffs/look.ts'
import { frameOf } from '../comments.ts'
import { mergeRequestTopicOf } from '../live.ts'
import type { Caller } from '../page.ts'
import { mergeRequestPath } from '../scope.ts'
import { threadsPath } from './addresses.ts'
import { draftThread } from './draft_view.ts'
import { loadDrafts, type ShownDrafts } from './drafts.ts'
import { type DiffSpan, isAbout, isWithin, keyOf, pathOf } from './places.ts'
import { aboveLines, belowLine, diffThread, type ReviewFrame, versionKey } from './thread_view.ts'
import { type PlacedThread, threadsElsewhere, threadsOnFiles } from './threads.ts'

/** Threads on files that are not in the diff, on the page of its first files. */
const FEW = 20

/** What a review adds to the page of a diff. */
export interface ShownReview {
  readonly extras: DiffExtras
  /** Threads on files that the diff does not have. */
  readonly elsewhere: Html | undefined
  readonly drafts: ShownDrafts
}

/** How threads are shown to the caller, and where. `threads`: those whose versions are looked up. One statement. */
export async function reviewFrame(
  ctx: Caller,
  span: DiffSpan | undefined,
  threads: readonly Pick<PlacedThread, 'position'>[],
): Promise<Omit<ReviewFrame, 'drafts'>> {
  const page = mergeRequestPath(ctx)
  const timeline = { ...frameOf(ctx), replyPath: (thread: string) => `${page}/diffs/threads/${thread}/reply` }
  const heads = threads.flatMap(({ position: { head_sha } }) =>
    head_sha === undefined || head_sha === span?.head_commit_sha ? [] : [head_sha],
  )
  const versions =
    heads.length === 0
      ? []
      : await ctx.db
          .selectFrom('merge_request_versions')
          .select(['id', 'base_commit_sha', 'head_commit_sha'])
          .where('merge_request_id', '=', ctx.mergeRequest.id)
          .where('head_commit_sha', 'in', [...new Set(heads)])
          .execute()
  return {
    timeline,
    page,
    topic: mergeRequestTopicOf(ctx.mergeRequest),
    span,
    versions: new Map(
      versions.map(({ id, base_commit_sha, head_commit_sha }) => [
        versionKey({ base_sha: base_commit_sha, head_sha: head_commit_sha }),
        id,
      ]),
    ),
  }
}

/** The review of the files of a page. A fixed number of statements. */
export async function reviewOf(ctx: Caller, span: DiffSpan, { files, entries, page, only }: ShownDiff, look: Look): Promise<ShownReview> {
  const paths = [...new Set(entries.flatMap(({ new_path, old_path }) => [new_path, old_path]))]
  const { threads, left } = await threadsOnFiles(ctx, ctx.noteable, paths)
  const lost = page > 1 ? [] : await threadsElsewhere(ctx, ctx.noteable, [...new Set(files.flatMap(pathsOf))], FEW)
  const drafts = await loadDrafts(ctx)
  const frame = { ...(await reviewFrame(ctx, span, [...threads, ...lost])), drafts }
  const draftsHere = drafts.alone.filter(({ position }) => position.position_type === 'text' && isWithin(position, span))
  const draftsByLine = Map.groupBy(draftsHere, ({ position }) => keyOf(pathOf(position), position))
  const here = threads.filter(({ commit, position }) => commit === null && position.position_type === 'text' && isWithin(position, span))
  const byLine = Map.groupBy(here, ({ position }) => keyOf(pathOf(position), position))
  // Without white space, a line may be shown as unchanged that was removed and added: then both numbers are its own.
  const keys = (path: string, line: DiffLine): readonly string[] =>
    look.ignoresWhitespace && line.type === 'context'
      ? [line, { old_line: line.old_line, new_line: null }, { old_line: null, new_line: line.new_line }].map(numbers =>
          keyOf(path, numbers),
        )
      : [keyOf(path, line)]
  const onLines = new Set(here)
  const ownPaths = new Set(entries.map(({ new_path }) => new_path))
  const above = (entry: ShownEntry): readonly Html[] => {
    if (threads.length === 0 && drafts.alone.length === 0) return []
    const shown = new Set(shownLines(entry, only !== undefined).flatMap(line => keys(entry.new_path, line)))
    const drafted = drafts.alone.filter(
      ({ position }) => pathOf(position) === entry.new_path && !(isWithin(position, span) && shown.has(keyOf(entry.new_path, position))),
    )
    const others = threads.filter(thread => {
      const path = pathOf(thread.position)
      // Of a file that was renamed there may be threads under its old name, which may be that of another one now.
      if (path !== entry.new_path && (ownPaths.has(path) || !isAbout(thread.position, entry))) return false
      return !(onLines.has(thread) && shown.has(keyOf(entry.new_path, thread.position)))
    })
    return [...others.map(thread => diffThread(frame, thread)), ...drafted.map(draft => draftThread(frame, draft))]
  }
  return {
    extras: {
      ...(frame.timeline.maySay && {
        onFile: entry => commentForm(frame, span, entry),
        placeOnPicture: (entry, side) => picturePlace(frame, span, entry, side),
      }),
      belowLine(entry, line) {
        // A page has thousands of lines, and most have nothing below any.
        if (byLine.size === 0 && draftsByLine.size === 0) return undefined
        const found = keys(entry.new_path, line).flatMap(key => [
          ...(byLine.get(key) ?? []).map(thread => diffThread(frame, thread)),
          ...(draftsByLine.get(key) ?? []).map(draft => draftThread(frame, draft)),
        ])
        return found.length === 0 ? undefined : belowLine(found)
      },
      aboveLines: entry => aboveLines(entry.new_path, above(entry), moreThreads(frame, entry, left)),
    },
    drafts,
    elsewhere: lost.length === 0 ? undefined : elsewhereView(frame, lost),
  }
}

/**
 * A diff with its review: a script adds comments at lines, follows what others write, and goes from thread to thread. The parts that follow come
 * from the page of threads, for which no diff is made.
 */
export const inReview = (ctx: Caller, diff: Html, bar: Html): Html =>
  html`<diff-review data-threads="${threadsPath(ctx)}" data-refresh-from="${threadsPath(ctx, [])}">${bar}${diff}</diff-review>`

const pathsOf = ({ new_path, old_path }: ChangedFile): readonly string[] => [new_path, old_path]

/** What a comment on a file sends besides its place. */
const aboutFile = (span: DiffSpan, { new_path, old_path }: DiffEntry): Readonly<Record<string, string>> => ({
  path: new_path,
  ...(old_path !== new_path && { old_path }),
  base_sha: span.base_commit_sha,
  start_sha: span.start_commit_sha,
  head_sha: span.head_commit_sha,
})

/** The page on which a place of a picture is chosen without a script. */
const picturePlace = ({ page }: ReviewFrame, span: DiffSpan, entry: DiffEntry, side: 'old' | 'new'): string =>
  `${page}/diffs/comments/place?${new URLSearchParams({ ...aboutFile(span, entry), side }).toString()}`

/**
 * The form that begins a comment on a file. The script of reviews gives the lines near the window buttons that send it too; without a script its page
 * shows the lines to choose from.
 */
const commentForm = ({ page }: ReviewFrame, span: DiffSpan, entry: DiffEntry): Html =>
  html`<form id="on-${anchorOf(entry.new_path)}" class="comment-on-file" action="${page}/diffs/comments/new">${Object.entries(
    aboutFile(span, entry),
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="bar-button" aria-label="Comment on the file ${entry.new_path}" title="Comment on the file">${icon('comment')}</button><noscript><button class="btn btn-sm" formaction="${page}/diffs/comments/new#lines">Comment on a line<span class="sr-only"> of ${entry.new_path}</span></button></noscript></form>`

function moreThreads({ page }: ReviewFrame, { new_path }: DiffEntry, left: ReadonlyMap<string, number>): Html | undefined {
  const count = left.get(new_path)
  if (count === undefined) return undefined
  return html`<p class="timeline-gap"><a class="btn btn-sm" href="${page}/diffs/threads?${new URLSearchParams({ path: new_path }).toString()}">Show all threads on this file: ${count} more</a></p>`
}

const elsewhereView = (frame: ReviewFrame, threads: readonly PlacedThread[]): Html =>
  html`<details class="panel section elsewhere" open><summary><h2>On files of earlier versions</h2></summary><div class="body stack">${threads.map(thread => diffThread(frame, thread))}${threads.length === FEW && html`<p><a href="${frame.page}/diffs/threads">All threads of the changes</a></p>`}</div></details>`
