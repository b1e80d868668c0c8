/** Deleting issues, and subscribing to them. Creating: creation/. Changing: update.ts. */

import { setSubscription } from '../../collaboration/subscriptions/commands.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notModified } from '../../platform/kernel/errors.ts'
import { countIssue } from '../../spaces/projects/facts/issue_counts.ts'
import { subscribedIssues } from './item_kind/subscribed.ts'
import type { IssueRow } from './queries.ts'

/** Deletes an issue with all that belongs to it. Its number is not reused. */
export async function removeIssue(ctx: Context, issue: Pick<IssueRow, 'id' | 'iid' | 'project_id'>): Promise<void> {
  const { db, actor } = ctx
  const gone = await db.deleteFrom('issues').where('id', '=', issue.id).returning(['state', 'confidential']).executeTakeFirst()
  // A concurrent request deleted it first.
  if (!gone) return
  await recordEvent(ctx, {
    kind: 'issue.deleted',
    payload: { issue_id: issue.id, iid: issue.iid },
    actorId: actor.user?.id,
    projectId: issue.project_id,
  })
  await countIssue(db, issue.project_id, gone, undefined)
}

/** Subscribes or unsubscribes the caller; 304 if that is already so. */
export async function subscribeToIssue({ db, actor, now }: Context, issue: IssueRow, subscribed: boolean): Promise<IssueRow> {
  const userId = actor.user?.id
  if (userId === undefined) throw forbidden()
  if ((await subscribedIssues(db, userId, [issue])).has(issue.id) === subscribed) throw notModified()
  await setSubscription(db, userId, { issue_id: issue.id }, subscribed, now)
  return issue
}
