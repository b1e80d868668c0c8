/** Giving, withdrawing and resetting approvals (merge request approvals API at 14.0). */

import { insertNotes } from '../../collaboration/notes/writing/write.ts'
import { finishTodos } from '../../collaboration/todos/write.ts'
import { userByPassword } from '../../identity/sessions/passwords.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Commit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, notFound, unauthenticated } from '../../platform/kernel/errors.ts'
import { markReviewed } from '../merge_requests/changes/reviewers.ts'
import { emailsOf, type Place, peopleOf } from './committers.ts'
import { approvalFacts } from './facts.ts'
import { mayApprove } from './rights.ts'

/** Parameters of an approval. */
export interface Approving {
  /** The commit that the caller reviewed. */
  readonly sha?: string | undefined
  readonly approval_password?: string | undefined
}

/**
 * Approves for the caller. Refuses with 409 when the source branch has moved on from `sha`, and with 401 when the caller may not
 * approve, has approved already, or gives the wrong password where the project requires one.
 */
export async function approve(ctx: Context, place: Place, { sha, approval_password }: Approving): Promise<void> {
  const { db, actor, now } = ctx
  const { project, mergeRequest } = place
  const user = actor.user
  const settled = await settledFacts(ctx, place)
  // Before the row is locked: to check a password takes long.
  if (settled.settings.require_password_to_approve && user) {
    const proved = await userByPassword(ctx, user.username, approval_password ?? '', 'approval')
    if (proved?.id !== user.id) throw unauthenticated()
  }
  const locked = await db
    .selectFrom('merge_requests')
    .select('head_sha')
    .where('id', '=', mergeRequest.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!locked) throw notFound('Merge Request')
  if (sha !== undefined && sha !== locked.head_sha) throw conflict(`SHA does not match HEAD of source branch: ${locked.head_sha}`)
  // Another request may have approved meanwhile, or changed the rules.
  const { settings } = await settledFacts(ctx, place)
  if (!user || settings.require_password_to_approve !== settled.settings.require_password_to_approve) throw unauthenticated()
  await db.insertInto('approvals').values({ merge_request_id: mergeRequest.id, user_id: user.id, created_at: now }).execute()
  await markReviewed(db, mergeRequest.id, user.id)
  await say(ctx, mergeRequest.id, 'approved', 'approved this merge request')
  await recordEvent(db, {
    kind: 'merge_request.approved',
    payload: { merge_request_id: mergeRequest.id },
    actorId: user.id,
    projectId: project.id,
  })
  await finishTodos(db, user.id, { merge_request_id: mergeRequest.id }, now)
}

/** What decides about an approval of the caller, who may approve. Contract: anyone else gets a 401 (merge request approvals API). */
async function settledFacts(ctx: Context, place: Place) {
  const { id } = place.mergeRequest
  const facts = (await approvalFacts(ctx.db, ctx.tier, [place.mergeRequest])).get(id)!
  if (!ctx.actor.user || !(await mayApprove(ctx, place, facts))) throw unauthenticated()
  return facts
}

/** Withdraws the caller's approval; 404 if there is none. */
export async function unapprove(ctx: Context, { project, mergeRequest }: Place): Promise<void> {
  const { db, actor } = ctx
  const userId = actor.user?.id
  const gone =
    userId !== undefined &&
    (await db
      .deleteFrom('approvals')
      .where('merge_request_id', '=', mergeRequest.id)
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst())
  if (!gone) throw notFound()
  await say(ctx, mergeRequest.id, 'unapproved', 'unapproved this merge request')
  await recordEvent(db, {
    kind: 'merge_request.unapproved',
    payload: { merge_request_id: mergeRequest.id },
    actorId: userId,
    projectId: project.id,
  })
}

/** Deletes all approvals of a merge request. */
export async function resetApprovals(db: Db, mergeRequestId: number): Promise<void> {
  await db.deleteFrom('approvals').where('merge_request_id', '=', mergeRequestId).execute()
}

/** Deletes approvals given before a push, in projects that ask for it (`reset_approvals_on_push`). */
export async function resetApprovalsOnPush(db: Db, mergeRequestIds: readonly number[]): Promise<void> {
  if (mergeRequestIds.length === 0) return
  await db
    .deleteFrom('approvals')
    .using('merge_requests')
    .using('projects')
    .whereRef('merge_requests.id', '=', 'approvals.merge_request_id')
    .whereRef('projects.id', '=', 'merge_requests.project_id')
    .where('projects.reset_approvals_on_push', '=', true)
    .where('approvals.merge_request_id', 'in', mergeRequestIds)
    .execute()
}

/**
 * Deletes the approvals of those who have committed to a merge request since, in projects that keep committers from approving: they would
 * approve their own work.
 */
export async function withdrawCommitters(db: Db, mergeRequestId: number, commits: readonly Pick<Commit, 'committer'>[]): Promise<void> {
  const approvers = await db
    .selectFrom('approvals')
    .innerJoin('merge_requests', 'merge_requests.id', 'approvals.merge_request_id')
    .innerJoin('projects', 'projects.id', 'merge_requests.project_id')
    .select('approvals.user_id')
    .where('merge_requests.id', '=', mergeRequestId)
    .where('projects.merge_requests_disable_committers_approval', '=', true)
    .execute()
  if (approvers.length === 0) return
  const committers = await peopleOf(db, emailsOf(commits))
  const gone = approvers.map(({ user_id }) => user_id).filter(id => committers.has(id))
  await db.deleteFrom('approvals').where('merge_request_id', '=', mergeRequestId).where('user_id', '=', anyOf(gone)).execute()
}

async function say({ db, actor, now }: Context, merge_request_id: number, action: string, body: string): Promise<void> {
  const authorId = actor.user?.id
  if (authorId === undefined) return
  await insertNotes(db, [{ merge_request_id, author_id: authorId, body, action, created_at: now }])
}
