/** What the pages of a merge request share: the caller with it, its JSON, and the document with head and tabs. */
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Repository } from '../../platform/git/index.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import { countRows } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { pipelinesOfMergeRequest } from '../../review/merge_request_pipelines/queries.ts'
import { MergeRequestDetails, withDetails } from '../../review/merge_requests/details/details.ts'
import type { NoteableMergeRequest } from '../../review/merge_requests/item_kind/noteable.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import { latestCommitsCount } from '../../review/merge_requests/versions/queries.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { diffScript } from '../repository/diffs/diff_view.ts'
import { type MergeRequestTab, mergeRequestHead, mergeRequestTabs, type ShownMergeRequest } from './head_view.ts'
import { mergeRequestTopicOf } from './live.ts'
import { mergeRequestPath } from './scope.ts'

/** What the scope of a merge request's pages gives. */
export interface InMergeRequest {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
  readonly mergeRequest: MergeRequestRow
  readonly isOwn: boolean
  readonly noteable: NoteableMergeRequest
}

/** A caller on the page of a merge request. */
export type Caller = Context & InMergeRequest

/** May the caller do this to the merge request? */
export const mayIn = ({ actor, project, isOwn }: Caller, ability: Ability): boolean =>
  allows(actor, ability, { ...projectSubject(project), own: isOwn }) === 'yes'

/** Pipelines that are counted for the tabs. */
const MOST_COUNTED = 1_000

/** The merge request as its API answers it, with the numbers of its commits and pipelines. */
export async function shownOf(ctx: Caller): Promise<ShownMergeRequest> {
  const { project, mergeRequest } = ctx
  // Where merge commits are made nobody has to rebase, and counting takes a process.
  const include_diverged_commits_count = project.merge_method !== 'merge' && mergeRequest.state === 'opened'
  const [row, commits_count, pipelines_count] = await Promise.all([
    withDetails(ctx, project, mergeRequest, { include_diverged_commits_count, include_rebase_in_progress: true }),
    latestCommitsCount(ctx.db, mergeRequest.id),
    mayIn(ctx, 'read_pipeline') ? countRows(ctx.db, pipelinesOfMergeRequest(ctx.db, mergeRequest), MOST_COUNTED) : undefined,
  ])
  const [shown] = await presentAll(MergeRequestDetails, ctx, [row])
  return { ...(shown as unknown as Omit<ShownMergeRequest, 'commits_count' | 'pipelines_count'>), commits_count, pipelines_count }
}

/** What one of the pages needs besides. */
interface More {
  readonly scripts?: readonly string[]
  readonly status?: number
}

/** A page of the merge request: the head, the tabs, and `body`. `tab`: the one that it is; undefined for a page beside them. */
export function pageOf(
  ctx: Caller,
  shown: ShownMergeRequest,
  tab: MergeRequestTab | undefined,
  body: Html,
  { scripts = ['markdown_editor.js'], status }: More = {},
): Promise<ByteAnswer> {
  const topic = mergeRequestTopicOf(ctx.mergeRequest)
  const address = mergeRequestPath(ctx)
  return page(ctx, {
    title: `${shown.title} (!${shown.iid})`,
    place: projectPlace(ctx.actor, ctx.project, 'merge_requests'),
    heading: 'own',
    live: [topic],
    scripts: [...scripts, ...(tab === 'diffs' ? [diffScript, 'review.js'] : [])],
    ...(status !== undefined && { status }),
    body: html`${livePart('mr-head', topic, html`${mergeRequestHead({ ctx, shown, project: ctx.project, page: address, mayUpdate: mayIn(ctx, 'update_merge_request') })}${mergeRequestTabs(address, tab, shown)}`)}
${body}`,
  })
}

/** In place of commits and changes. */
export const nothingYet = empty({
  icon: 'git-commit',
  title: 'No commits',
  says: 'The source branch has nothing that the target branch lacks, or is being read.',
})
