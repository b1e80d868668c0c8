/**
 * Issues that go on with what was said about a merge request (issues API `merge_request_to_resolve_discussions_of`,
 * `discussion_to_resolve`): its open threads, or one of them, are told of in the issue's description and resolved by it.
 */

import { usersById } from '../../identity/users/queries.ts'
import type { NewIssue } from '../../planning/issues/creation/create.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { webUrlOf } from '../../review/merge_requests/entity.ts'
import { mergeRequestIn } from '../../review/merge_requests/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { subjectOf, type TalkedMergeRequest, talkedMergeRequest } from '../notes/noteable.ts'
import { type NoteRow, visibleNotes } from '../notes/queries.ts'
import { insertNotes } from '../notes/write.ts'
import { createIssueAsWritten } from '../quick_actions/written.ts'
import { resolveThread } from './resolution.ts'

/** What an issue goes on with. */
export interface Continued {
  /** The number of a merge request of the issue's project. */
  readonly merge_request_to_resolve_discussions_of?: number | undefined
  /** One of its threads; all that are open unless given. */
  readonly discussion_to_resolve?: string | undefined
}

/** Threads told of in one issue; what is left stays open. */
const MOST_THREADS = 100

/** A thread with the note that it waits for. */
interface Thread {
  readonly notes: readonly NoteRow[]
  readonly waiting: NoteRow
}

/**
 * Creates an issue that goes on with the threads of a merge request. Contract: one that the caller may not see, or that is not there, is
 * passed over in silence, and so are threads that they may not resolve; a description that is given stays (issues API).
 * @throws what createIssueAsWritten refuses
 */
export async function createFollowUp(ctx: Context, project: ProjectWithRole, given: NewIssue, continued: Continued): Promise<IssueRow> {
  const talked = await talkedAbout(ctx, project, continued.merge_request_to_resolve_discussions_of)
  if (!talked) return createIssueAsWritten(ctx, project, given)
  const threads = await openThreads(ctx, talked, continued.discussion_to_resolve)
  const description = given.description || (await descriptionOf(ctx, talked, threads))
  const issue = await createIssueAsWritten(ctx, project, { ...given, description })
  if (threads.length > 0) await resolveBy(ctx, talked, threads, issue)
  return issue
}

async function talkedAbout(ctx: Context, project: ProjectWithRole, iid: number | undefined): Promise<TalkedMergeRequest | undefined> {
  if (iid === undefined || allows(ctx.actor, 'read_merge_request', projectSubject(project)) !== 'yes') return undefined
  const mergeRequest = await mergeRequestIn(ctx.db, project, iid)
  return mergeRequest && talkedMergeRequest(ctx, project, mergeRequest)
}

const isWaiting = ({ resolvable, resolved_at }: NoteRow): boolean => resolvable && resolved_at === null

/** The threads that are not resolved, in the order in which they began. One statement. */
async function openThreads({ db, actor }: Context, talked: TalkedMergeRequest, only: string | undefined): Promise<Thread[]> {
  const open = visibleNotes(db, actor, talked)
    .clearSelect()
    .select('notes.discussion_id')
    .where('notes.resolvable', '=', true)
    .where('notes.resolved_at', 'is', null)
  const notes = await visibleNotes(db, actor, talked)
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

/** A task for each thread, with what was said. */
async function descriptionOf(ctx: Context, { mergeRequest }: TalkedMergeRequest, threads: readonly Thread[]): Promise<string> {
  const reference = `!${mergeRequest.iid}`
  if (threads.length === 0) return `There are no unresolved discussions. Review the conversation in ${reference}`
  const people = await usersById(
    ctx.db,
    threads.map(({ waiting }) => waiting.author_id),
  )
  const items = threads.map(({ notes, waiting }) => {
    const link = `${webUrlOf(mergeRequest, ctx)}#note_${waiting.id}`
    // The issue has other readers than an internal thread: neither its text nor who wrote it goes there.
    if (notes.some(({ confidential }) => confidential)) return `- [ ] An internal [discussion](${link})`
    const who = `@${people.get(waiting.author_id)?.username ?? 'ghost'}`
    const did = waiting === notes[0] ? 'started' : 'commented on'
    const more = notes.length > 1 ? ` (+${notes.length - 1} comment${notes.length === 2 ? '' : 's'})` : ''
    const quote = waiting.body.split('\n').map(line => `    > ${line}`)
    return [`- [ ] ${who} ${did} a [discussion](${link}):${more}`, '', ...quote].join('\n')
  })
  return [`The following discussion${threads.length === 1 ? '' : 's'} from ${reference} should be addressed:`, ...items].join('\n\n')
}

/** Resolves the threads, each with a note that names the issue. */
async function resolveBy(ctx: Context, talked: TalkedMergeRequest, threads: readonly Thread[], issue: IssueRow): Promise<void> {
  const { db, actor, now } = ctx
  const isAuthor = talked.thing.author_id === actor.user?.id
  if (!actor.user || allows(actor, 'resolve_thread', subjectOf(talked, isAuthor)) !== 'yes') return
  await resolveThread(
    ctx,
    talked,
    threads.flatMap(({ notes }) => notes),
    true,
  )
  const told = {
    ...talked.key,
    author_id: actor.user.id,
    action: 'discussion',
    body: `created #${issue.iid} to continue this discussion`,
    named_issue_id: issue.id,
    threaded: true,
    created_at: now,
  }
  await insertNotes(
    db,
    threads.map(({ waiting: { discussion_id, confidential } }) => ({ ...told, discussion_id, confidential })),
  )
}
