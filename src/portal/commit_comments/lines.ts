/** Threads on lines of a commit's changes: where they stand in the diff, and the page from which a script takes new ones. */
import type { CommitRow } from '../../code/repository/commits/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { NoteableCommit } from '../../review/commit_comments/noteable.ts'
import { endsOfCommit } from '../../review/commit_comments/positions.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { DiffSpan } from '../merge_requests/review/places.ts'
import { isWithin, keyOf, pathOf } from '../merge_requests/review/places.ts'
import { aboveLines, belowLine, diffThread, type ReviewFrame, threadElement } from '../merge_requests/review/thread_view.ts'
import { indexOf, placed, placedThreads, threadSlices, threadsOnFiles } from '../merge_requests/review/threads.ts'
import { anchorOf } from '../repository/diffs/anchor.ts'
import { shownLines } from '../repository/diffs/content_view.ts'
import type { DiffExtras } from '../repository/diffs/file_view.ts'
import type { ShownDiff, ShownEntry } from '../repository/diffs/load.ts'
import { frameOf } from './comments.ts'
import { commitCommentsOf } from './live.ts'
import { COMMIT, commitPath, inCommentedPage, lineThreadsPath } from './scope.ts'

/** A caller on the page of a commit. */
export type Caller = Context & {
  readonly project: ProjectWithRole
  readonly commit: CommitRow
  readonly noteable: NoteableCommit
}

const noDrafts = { all: [], alone: [], replies: new Map() }

/** How threads are shown to the caller. */
function frameIn(ctx: Caller): ReviewFrame {
  const { base_sha, head } = endsOfCommit(ctx.commit.commit)
  const span: DiffSpan = { base_commit_sha: base_sha, start_commit_sha: base_sha, head_commit_sha: head }
  return {
    timeline: frameOf(ctx),
    page: commitPath(ctx),
    topic: commitCommentsOf(ctx.project),
    span,
    versions: new Map(),
    drafts: noDrafts,
    threadPath: id => commitPath(ctx, `#${threadElement(id)}`),
  }
}

/** What the threads on the files of a page add to its diff. A fixed number of statements. */
export async function lineThreadsOf(ctx: Caller, { entries, only }: ShownDiff): Promise<DiffExtras> {
  const frame = frameIn(ctx)
  const { threads } = await threadsOnFiles(ctx, ctx.noteable, [
    ...new Set(entries.flatMap(({ new_path, old_path }) => [new_path, old_path])),
  ])
  const span = frame.span as DiffSpan
  const onLines = threads.filter(({ position }) => position.position_type === 'text' && isWithin(position, span))
  const byLine = Map.groupBy(onLines, ({ position }) => keyOf(pathOf(position), position))
  return {
    ...(frame.timeline.maySay && { onFile: ({ new_path }) => beginForm(ctx, new_path) }),
    belowLine(entry, line) {
      const found = byLine.get(keyOf(entry.new_path, line)) ?? []
      return found.length === 0 ? undefined : belowLine(found.map(thread => diffThread(frame, thread)))
    },
    aboveLines(entry: ShownEntry) {
      const shown = new Set(shownLines(entry, only !== undefined).map(line => keyOf(entry.new_path, line)))
      const others = threads.filter(
        thread =>
          pathOf(thread.position) === entry.new_path && !(onLines.includes(thread) && shown.has(keyOf(entry.new_path, thread.position))),
      )
      return aboveLines(
        entry.new_path,
        others.map(thread => diffThread(frame, thread)),
        undefined,
      )
    },
  }
}

/** The form that begins a comment on a file. The script of reviews gives lines buttons that send it too; without a script its page has the lines. */
const beginForm = (ctx: Caller, path: string): Html =>
  html`<form id="on-${anchorOf(path)}" class="comment-on-file" action="${commitPath(ctx, '/comments/new')}"><input type="hidden" name="path" value="${path}"><button class="bar-button" aria-label="Comment on the file ${path}" title="Comment on the file">${icon('comment')}</button></form>`

/** What changes when a thread does, by which a script knows what to ask for. */
async function indexView(ctx: Caller): Promise<Html> {
  const stamps = (await indexOf(ctx, ctx.noteable)).map(({ id, stamp }) => `${threadElement(id)}:${stamp}`).join(' ')
  return livePart('review-bar', commitCommentsOf(ctx.project), html`<span data-index="${stamps}" hidden></span>`, undefined, 'quiet')
}

/** A diff with its threads: a script adds comments at lines, and follows what others write. */
export const withLineThreads = async (ctx: Caller, diff: Html): Promise<Html> =>
  html`<diff-review data-threads="${lineThreadsPath(ctx)}" data-refresh-from="${lineThreadsPath(ctx, [])}">${await indexView(ctx)}${diff}</diff-review>`

/** Elements that a script asks for at a time. */
const MOST_ONLY = 50

export const showLineThreads = pageEndpoint({
  route: `GET ${COMMIT}/threads`,
  summary: 'Show the threads on lines of a commit',
  scope: inCommentedPage,
  can: 'read_code',
  params: { ...listParams, only: optional(text('Only these threads, `thread-<id>`, with commas between', { maxLength: 4096 })) },
  async run(ctx) {
    const { params, noteable, actor, project } = ctx
    const only = params.only?.split(',').slice(0, MOST_ONLY)
    const found = only ? undefined : await listPage(ctx, threadSlices(ctx, noteable, undefined), params)
    const ids = only?.flatMap(name => /^thread-([0-9a-f]{40})$/.exec(name)?.[1] ?? []) ?? []
    const threads = found ? await placed(ctx, noteable, found.rows) : await placedThreads(ctx, noteable, ids)
    const frame = { ...frameIn(ctx), isApart: !only }
    const none = empty({ icon: 'comment', title: 'No threads on lines', says: 'A thread on a line begins in the changes.' })
    return page(ctx, {
      title: `Threads on lines of ${ctx.commit.commit.id.slice(0, 8)}`,
      place: projectPlace(actor, project, 'commits'),
      body: html`<p><a href="${commitPath(ctx)}">Back to the commit</a></p>${await indexView(ctx)}
<div class="stack" id="review-threads">${threads.map(thread => diffThread(frame, thread))}</div>${!only && threads.length === 0 && none}${found?.links}`,
    })
  },
})
