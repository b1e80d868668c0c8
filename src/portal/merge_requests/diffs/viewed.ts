/** Marks of the files that a person has viewed, on the page of the changes. */
import type { Context } from '../../../platform/kernel/context.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { csrfField, formEndpoint } from '../../../platform/pages/forms/declare.ts'
import { redirect } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { markFileViewed, unmarkFileViewed } from '../../../review/merge_requests/versions/reading/commands.ts'
import { setViewedFile } from '../../../review/merge_requests/versions/reading/endpoints.ts'
import { viewedFilesOf } from '../../../review/merge_requests/versions/reading/queries.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'
import type { ViewedMarks } from '../../repository/diffs/diff_view.ts'
import { type Caller, mayIn } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

export const markViewed = formEndpoint({
  route: `POST ${MERGE_REQUEST}/diffs/viewed`,
  summary: 'Mark a file as viewed, or take the mark away',
  scope: inMergeRequestPage,
  can: 'mark_file_viewed',
  params: {
    ...setViewedFile.params,
    viewed: flag('False: takes the mark away', { examples: [true] }),
    query: optional(text('What the address of the page says besides', { maxLength: 2_000 })),
  },
  async run(ctx) {
    const { repository, mergeRequest } = ctx
    const { path, blob_id, viewed, query } = ctx.params as { path: string; blob_id?: string; viewed: boolean; query?: string }
    if (!repository) throw notFound('Repository')
    if (viewed) await markFileViewed(ctx, repository, mergeRequest, { path, blob_id })
    else await unmarkFileViewed(ctx, mergeRequest, path)
    const kept = new URLSearchParams(query).toString()
    return redirect(`${mergeRequestPath(ctx, '/diffs')}${kept === '' ? '' : `?${kept}`}#${anchorOf(path)}`)
  },
})

/** The marks of the caller; undefined for one who has none. One statement. */
export async function viewedMarks(ctx: Caller): Promise<ViewedMarks | undefined> {
  const { db, actor, mergeRequest, request } = ctx
  if (!actor.user || !mayIn(ctx, 'mark_file_viewed')) return undefined
  const seen = new Map((await viewedFilesOf(db, mergeRequest.id, actor.user.id).execute()).map(({ path, blob_id }) => [path, blob_id]))
  const [, query = ''] = request.address.split('?', 2)
  return {
    isViewed: ({ new_path, ids: [, after] }) => seen.get(new_path) === after,
    button: ({ new_path, ids: [, after] }, isViewed) =>
      viewedButton(ctx, { to: mergeRequestPath(ctx, '/diffs/viewed'), path: new_path, id: after, isViewed, query }),
  }
}

interface ViewedButton {
  readonly to: string
  readonly path: string
  /** Of its contents. */
  readonly id: string
  readonly isViewed: boolean
  readonly query: string
}

const viewedButton = (ctx: Pick<Context, 'actor' | 'deps'>, { to, path, id, isViewed, query }: ViewedButton) =>
  html`<form method="post" action="${to}" data-viewed>${csrfField(ctx)}<input type="hidden" name="path" value="${path}"><input type="hidden" name="blob_id" value="${id}"><input type="hidden" name="viewed" value="${isViewed ? 'false' : 'true'}"><input type="hidden" name="query" value="${query}"><button class="btn btn-sm viewed-button" aria-pressed="${isViewed ? 'true' : 'false'}">${icon('check')} Viewed<span class="sr-only">: ${path}</span></button></form>`
