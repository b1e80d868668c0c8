/** Addresses of a review: of a place in the changes, and of what a script asks for. */
import { preferencesOf } from '../../../platform/access/preferences.ts'
import { listChangedFiles } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { anchorOf } from '../../repository/diffs/anchor.ts'
import { FILES_PER_PAGE } from '../../repository/diffs/look.ts'
import type { Caller } from '../page.ts'
import { mergeRequestPath } from '../scope.ts'

/** Sent by the script of a review, which takes what it shows from the page of threads (`client/review`). */
const SCRIPT_HEADER = 'x-review'

/** Is it sent by the script of a review? */
export const isForScript = ({ request }: Pick<Context, 'request'>): boolean => request.headers[SCRIPT_HEADER] !== undefined

interface Addressed {
  readonly project: { readonly full_path: string }
  readonly mergeRequest: { readonly iid: number }
}

/** The path of the page of threads. `only`: elements that it is to have. */
export const threadsPath = (ctx: Addressed, only?: readonly string[]): string =>
  mergeRequestPath(
    ctx,
    `/diffs/threads${only === undefined ? '' : `?${new URLSearchParams({ only: only.join(',') || 'none' }).toString()}`}`,
  )

/** Where the changes show a file: the page of the diff with it. `element`: a thread or draft to go to. At most one process. */
export async function changesAt(ctx: Caller, path: string, element?: string): Promise<string> {
  const span = latestSpan(ctx.mergeRequest)
  const files = ctx.repository && span ? await listChangedFiles(ctx.repository, span.base_commit_sha, span.head_commit_sha) : []
  const index = files.findIndex(({ file }) => file.new_path === path || file.old_path === path)
  const at = Math.max(0, index)
  const page = Math.floor(at / FILES_PER_PAGE) + 1
  const query = preferencesOf(ctx.actor).view_diffs_file_by_file ? (at > 0 ? `?file=${at + 1}` : '') : page > 1 ? `?page=${page}` : ''
  return mergeRequestPath(ctx, `/diffs${query}#${element ?? anchorOf(path)}`)
}

/** Where a button leads that was sent from the changes: for the script to what is new, else back to them. Undefined for one from elsewhere. */
export function besideChanges(ctx: Addressed & Pick<Context, 'request'>, element: string | undefined): string | undefined {
  if (isForScript(ctx)) return threadsPath(ctx, element === undefined ? [] : [element])
  const { referer = '' } = ctx.request.headers
  const { pathname, search } = URL.canParse(referer) ? new URL(referer) : { pathname: '', search: '' }
  const changes = mergeRequestPath(ctx, '/diffs')
  if (pathname !== changes && pathname !== `${changes}/threads`) return undefined
  return `${pathname}${search}${element === undefined ? '' : `#${element}`}`
}
