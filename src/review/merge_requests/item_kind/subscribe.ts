/** Subscribing to a merge request, and unsubscribing. */

import { setSubscription } from '../../../collaboration/subscriptions/commands.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, notModified } from '../../../platform/kernel/errors.ts'
import type { MergeRequestRow } from '../queries.ts'
import { subscribedMergeRequests } from './subscribed.ts'

/** Subscribes or unsubscribes the caller; 304 if that is already so (document 3 "States and transitions"). */
export async function subscribeToMergeRequest(
  { db, actor, now }: Context,
  mergeRequest: MergeRequestRow,
  subscribed: boolean,
): Promise<MergeRequestRow> {
  const userId = actor.user?.id
  if (userId === undefined) throw forbidden()
  if ((await subscribedMergeRequests(db, userId, [mergeRequest])).has(mergeRequest.id) === subscribed) throw notModified()
  await setSubscription(db, userId, { merge_request_id: mergeRequest.id }, subscribed, now)
  return mergeRequest
}
