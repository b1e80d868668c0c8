/**
 * The listeners of each event. The worker delivers events after their transaction; listeners must be idempotent. The events that hooks
 * receive are in integrations/hooks/announcements/announcements.ts.
 */

import { keepLatestArtifacts, releaseArtifacts } from '../ci/artifacts/expiry.ts'
import { followDownstream } from '../ci/downstream/follow.ts'
import { startPipelines } from '../ci/pushes/follow.ts'
import { alignHead } from '../code/repository/lifecycle/default_branch.ts'
import { removeGroupRepositories, removeRepository } from '../code/repository/lifecycle/removal.ts'
import { noteMergeRequests } from '../delivery/deployments/merge_requests.ts'
import { stopAfterBranches, stopAfterClosing, stopAfterMerge } from '../delivery/job_deployments/stop_after.ts'
import { announce } from '../integrations/hooks/announcements/announce.ts'
import { updatePushMirrors } from '../integrations/mirrors/push/update.ts'
import { notifiers, notifyOf } from '../integrations/notifications/listen.ts'
import { mailComment } from '../integrations/service_desk/mails.ts'
import { processCommitMessages } from '../planning/commit_messages/process.ts'
import type { Events } from '../platform/events/catalog.ts'
import type { DeliveredKind, KindForHooks } from '../platform/events/events.ts'
import type { RecordedEvent } from '../platform/events/recorded.ts'
import { enqueueJobs, type Job } from '../platform/events/worker.ts'
import type { Deps } from '../platform/kernel/context.ts'
import { pipelineForNewMergeRequest } from '../review/merge_request_pipelines/commands.ts'
import { dropMergeRequestRefs } from '../review/merge_requests/changes/delete.ts'
import { noteProduction } from '../review/merge_requests/changes/deployed.ts'
import { mergeWaiting } from '../review/merge_requests/merging/auto_merge/after_pipeline.ts'
import { closeIssues } from '../review/merge_requests/merging/closing.ts'
import { type Origin, originOf } from '../spaces/projects/facts/origin.ts'

/** A listener. `origin` is shared by all listeners to the events of one change. */
export type Listener<K extends DeliveredKind> = (deps: Deps, payload: Events[K], event: RecordedEvent<K>, origin: Origin) => Promise<void>

type Listeners<K extends DeliveredKind> = Readonly<Record<string, Listener<K>>>

/** The listeners within Ingot of each event, in order. By name, because each is retried by itself. */
export const listeners: { readonly [K in Exclude<DeliveredKind, KindForHooks>]?: Listeners<K> } = {
  'project.deleted': { removeRepository },
  'group.deleted': { removeGroupRepositories },
  'project.default_branch_changed': { alignHead },
  'deployment.updated': { noteMergeRequests },
  'deployment.brought': { noteProduction },
  'merge_request.deleted': { dropMergeRequestRefs },
  // Listeners whose results users wait for come first.
  'repository.updated': { startPipelines, releaseArtifacts, processCommitMessages, stopAfterBranches, updatePushMirrors },
  'merge_request.merged': { closeIssues, stopAfterMerge },
  'merge_request.updated': { stopAfterClosing },
  'pipeline.updated': { followDownstream, mergeWaiting, keepLatestArtifacts },
  'merge_request.created': { pipelineForNewMergeRequest },
  'note.created': { mailComment },
}

/** Milliseconds until a failed listener is retried for the first time; later pauses are the queue's. */
const PAUSE = 3_000

/** The name of the hook listener, which receives all events. */
const HOOKS = 'announce'

/** The name of the listener that writes notifications. */
const NOTIFICATIONS = 'notify'

/** By name, hooks last. */
function listenersOf<K extends DeliveredKind>(kind: K): Listeners<K> {
  const heard: { readonly [L in DeliveredKind]?: Listeners<L> } = listeners
  return {
    ...heard[kind],
    ...(notifiers[kind] && { [NOTIFICATIONS]: (deps: Deps, _payload: unknown, event: RecordedEvent<K>) => notifyOf(deps, event) }),
    [HOOKS]: (deps, _payload, event) => announce(deps, event),
  }
}

/**
 * Delivers the events of one change, one after the other, to all their listeners. A failed listener is queued by itself: it delays no
 * other, and no other runs again because of it.
 * @param quiet no hook watches the place of the events
 */
export async function deliver(deps: Deps, events: readonly RecordedEvent[], { quiet = false }: { quiet?: boolean } = {}): Promise<void> {
  const origins = new Map<string, Origin>()
  const failed: Job[] = []
  for (const event of events) {
    const place = `${event.actor_id} ${event.project_id}`
    const origin = origins.get(place) ?? originOf(deps, event)
    origins.set(place, origin)
    for (const [listener, listen] of Object.entries(listenersOf(event.kind))) {
      if (quiet && listener === HOOKS) continue
      await listen(deps, event.payload, event, origin).catch(error => {
        deps.log.error({ err: error, event: event.id, kind: event.kind, listener }, 'what follows an event failed, and is tried again')
        const runAt = new Date(deps.now().getTime() + PAUSE)
        failed.push({ task: 'deliver_event', payload: { event_id: event.id, listener }, options: { runAt } })
      })
    }
  }
  await enqueueJobs(deps.database.db, failed)
}

/** Delivers an event to one listener again. Does nothing if there is none of that name any more. @throws the listener's error */
export async function deliverAgain(deps: Deps, event: RecordedEvent, listener: string): Promise<void> {
  await listenersOf(event.kind)[listener]?.(deps, event.payload, event, originOf(deps, event))
}
