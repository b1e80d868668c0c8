/** What the queued tasks do (events/worker.ts names them and their payloads). */
import type { DeliveredKind, Events } from './events/events.ts'
import type { Tasks } from './events/worker.ts'
import type { Deps } from './kernel/context.ts'
import { deliver } from './listeners.ts'
import { reconcileReferences } from './references/reconcile.ts'
import { sweepRepositories } from './repository/removal.ts'
import { tidyRepository } from './repository/upkeep.ts'

/** The tasks of an instance. */
export const tasksOf = (deps: Deps): Tasks => ({
  async deliver_event({ event_id }) {
    const event = await deps.database.db.selectFrom('events').select(['kind', 'payload']).where('id', '=', event_id).executeTakeFirst()
    // Gone with what it was about: nothing follows from it any more.
    if (event) await deliver(deps, event.kind as DeliveredKind, event.payload as unknown as Events[DeliveredKind])
  },
  reconcile_references: () => reconcileReferences(deps),
  tidy_repository: payload => tidyRepository(deps, payload),
  sweep_repositories: () => sweepRepositories(deps),
})
