/**
 * Follow-up issues of merge request threads (issues API `merge_request_to_resolve_discussions_of`, `discussion_to_resolve`): the issue's
 * description quotes the open threads, or one of them, and creating the issue resolves them.
 */

import { resolveThread } from '../../../../collaboration/discussions/resolution.ts'
import { itemKind } from '../../../../collaboration/item_kinds/item_kind.ts'
import { type Noteable, subjectOf } from '../../../../collaboration/notes/items/noteable.ts'
import { type NoteRow, visibleNotes } from '../../../../collaboration/notes/queries.ts'
import { insertNotes } from '../../../../collaboration/notes/writing/write.ts'
import { usersById } from '../../../../identity/users/queries.ts'
import { allows } from '../../../../platform/access/abilities.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { createIssueWithQuickActions } from '../../item_kind/quick_actions/with_quick_actions.ts'
import type { IssueRow } from '../../queries.ts'
import type { NewIssue } from './create.ts'

/** The threads that an issue follows up. */
export interface Continued {
  /** Number of a merge request of the issue's project. */
  readonly merge_request_to_resolve_discussions_of?: number | undefined
  /** One of its threads; default all open ones. */
  readonly discussion_to_resolve?: string | undefined
}

/** Upper bound of the threads quoted in one issue; the others stay open. */
const MOST_THREADS = 100

/** A thread with its first unresolved note. */
interface Thread {
  readonly notes: readonly NoteRow[]
  readonly waiting: NoteRow
}

/**
 * Creates a follow-up issue. Contract: a merge request or thread that does not exist or that the caller may not see is silently ignored,
 * and so are threads that they may not resolve; a given description is kept (issues API).
 * @throws the refusals of createIssueWithQuickActions
 */
export async function createFollowUp(ctx: Context, project: ProjectWithRole, given: NewIssue, continued: Continued): Promise<IssueRow> {
  const iid = continued.merge_request_to_resolve_discussions_of
  const mergeRequest = iid === undefined ? undefined : await itemKind('merge_request').find?.(ctx, project, iid)
  if (!mergeRequest) return createIssueWithQuickActions(ctx, project, given)
  const threads = await openThreads(ctx, mergeRequest, continued.discussion_to_resolve)
  const description = given.description || (await descriptionOf(ctx, project, mergeRequest, threads))
  const issue = await createIssueWithQuickActions(ctx, project, { ...given, description })
  if (threads.length > 0) await resolveBy(ctx, mergeRequest, threads, issue)
  return issue
}

/** What an issue that follows threads up says, before it is made. */
export interface FollowUpText {
  /** How many threads it follows up. */
  readonly threads: number
  /** Will they be resolved by it? */
  readonly resolves: boolean
  readonly title: string
  readonly description: string
}

/** The text of a follow-up issue, for a form; undefined where there is no such merge request for the caller. */
export async function followUpText(ctx: Context, project: ProjectWithRole, continued: Continued): Promise<FollowUpText | undefined> {
  const iid = continued.merge_request_to_resolve_discussions_of
  const mergeRequest = iid === undefined ? undefined : await itemKind('merge_request').find?.(ctx, project, iid)
  if (!mergeRequest) return undefined
  const threads = await openThreads(ctx, mergeRequest, continued.discussion_to_resolve)
  const { title } = await ctx.db
    .selectFrom('merge_requests')
    .select('title')
    .where('id', '=', mergeRequest.item.id)
    .executeTakeFirstOrThrow()
  return {
    threads: threads.length,
    resolves: mayResolve(ctx, mergeRequest),
    title: `Follow-up from "${title}"`.slice(0, 255),
    description: await descriptionOf(ctx, project, mergeRequest, threads),
  }
}

const mayResolve = ({ actor }: Context, mergeRequest: Noteable): boolean =>
  actor.user !== undefined &&
  allows(actor, 'resolve_thread', subjectOf(mergeRequest, mergeRequest.item.author_id === actor.user.id)) === 'yes'

const isWaiting = ({ resolvable, resolved_at }: NoteRow): boolean => resolvable && resolved_at === null

/** The unresolved threads, in order of creation. One statement. */
async function openThreads({ db, actor }: Context, mergeRequest: Noteable, only: string | undefined): Promise<Thread[]> {
  const open = visibleNotes(db, actor, mergeRequest)
    .clearSelect()
    .select('notes.discussion_id')
    .where('notes.resolvable', '=', true)
    .where('notes.resolved_at', 'is', null)
  const notes = await visibleNotes(db, actor, mergeRequest)
    .where('notes.discussion_id', 'in', only === undefined ? open : open.where('notes.discussion_id', '=', only))
    .orderBy('notes.created_at')
    .orderBy('notes.id')
    .execute()
  return [...Map.groupBy(notes, note => note.discussion_id).values()]
    .flatMap(inThread => {
      const waiting = inThread.find(isWaiting)
      return waiting ? [{ notes: inThread, waiting }] : []
    })
    .slice(0, MOST_THREADS)
}

/** A task for each thread, with a quote of its note. */
async function descriptionOf(ctx: Context, project: ProjectWithRole, { item }: Noteable, threads: readonly Thread[]): Promise<string> {
  const reference = `!${item.iid}`
  if (threads.length === 0) return `There are no unresolved discussions. Review the conversation in ${reference}`
  const people = await usersById(
    ctx.db,
    threads.map(({ waiting }) => waiting.author_id),
  )
  const page = `${ctx.url}/${itemKind('merge_request').pageOf(project.full_path, item.iid)}`
  const tasks = threads.map(({ notes, waiting }) => {
    const link = `${page}#note_${waiting.id}`
    // The issue has other readers than an internal thread: neither text nor author may be quoted.
    if (notes.some(({ confidential }) => confidential)) return `- [ ] An internal [discussion](${link})`
    const who = `@${people.get(waiting.author_id)?.username ?? 'ghost'}`
    const did = waiting === notes[0] ? 'started' : 'commented on'
    const more = notes.length > 1 ? ` (+${notes.length - 1} comment${notes.length === 2 ? '' : 's'})` : ''
    const quote = waiting.body.split('\n').map(line => `    > ${line}`)
    return [`- [ ] ${who} ${did} a [discussion](${link}):${more}`, '', ...quote].join('\n')
  })
  return [`The following discussion${threads.length === 1 ? '' : 's'} from ${reference} should be addressed:`, ...tasks].join('\n\n')
}

/** Resolves the threads, each with a note that names the issue. */
async function resolveBy(ctx: Context, mergeRequest: Noteable, threads: readonly Thread[], issue: IssueRow): Promise<void> {
  const { db, actor, now } = ctx
  if (!actor.user || !mayResolve(ctx, mergeRequest)) return
  await resolveThread(
    ctx,
    mergeRequest,
    threads.flatMap(({ notes }) => notes),
    true,
  )
  const note = {
    ...mergeRequest.key,
    author_id: actor.user.id,
    action: 'discussion',
    body: `created #${issue.iid} to continue this discussion`,
    named_issue_id: issue.id,
    threaded: true,
    created_at: now,
  }
  await insertNotes(
    db,
    threads.map(({ waiting: { discussion_id, confidential } }) => ({ ...note, discussion_id, confidential })),
  )
}
