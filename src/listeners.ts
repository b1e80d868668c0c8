/**
 * Who listens to which event. The worker hands events over after their transaction; listeners must be idempotent. What
 * hooks are told of is in hooks/announcements.ts.
 */

import { keepLatestArtifacts, releaseArtifacts } from './ci/artifacts/expiry.ts'
import { stopAfterBranches, stopAfterClosing, stopAfterMerge } from './ci/deploying/stop_after.ts'
import { followDownstream } from './ci/downstream/follow.ts'
import { mergeWhatWaits } from './ci/pipelines/auto_merge.ts'
import { followMergeRequest } from './ci/pipelines/creation/merge_request.ts'
import { noteMergeRequests } from './deployments/merge_requests.ts'
import type { DeliveredKind, Events, KindForHooks } from './events/events.ts'
import type { RecordedEvent } from './events/recorded.ts'
import { announce } from './hooks/announce.ts'
import type { Deps } from './kernel/context.ts'
import { heedCommits } from './mentions/commits.ts'
import { dropMergeRequestRefs } from './merge_requests/delete.ts'
import { noteProduction } from './merge_requests/deployed.ts'
import { closeIssues } from './merge_requests/merging/closing.ts'
import { alignHead } from './repository/head.ts'
import { removeRepository } from './repository/removal.ts'

/** What follows an event. */
export type Listener<K extends DeliveredKind> = (deps: Deps, payload: Events[K], event: RecordedEvent<K>) => Promise<void>

/** The listeners of each event that Ingot itself listens to. */
export const listeners: { readonly [K in Exclude<DeliveredKind, KindForHooks>]?: readonly Listener<K>[] } = {
  'project.deleted': [removeRepository],
  'project.default_branch_changed': [alignHead],
  'deployment.updated': [noteMergeRequests],
  'deployment.brought': [noteProduction],
  'merge_request.deleted': [dropMergeRequestRefs],
  'repository.updated': [releaseArtifacts, heedCommits, stopAfterBranches],
  'merge_request.merged': [closeIssues, stopAfterMerge],
  'merge_request.updated': [stopAfterClosing],
  'pipeline.updated': [followDownstream, mergeWhatWaits, keepLatestArtifacts],
  'merge_request.created': [followMergeRequest],
}

/** Hands one event to all that listen to it, hooks last. */
export async function deliver<K extends DeliveredKind>(deps: Deps, event: RecordedEvent<K>): Promise<void> {
  const heard: { readonly [L in DeliveredKind]?: readonly Listener<L>[] } = listeners
  for (const listener of heard[event.kind] ?? []) await listener(deps, event.payload, event)
  await announce(deps, event)
}
