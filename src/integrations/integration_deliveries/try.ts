/** Tries the settings of an integration: by telling it of what happened last in a project, or as its kind has it. */
import { awaitWalFlush } from '../../platform/db/embedded/wal_flush.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import { kindOf } from '../../spaces/integration_settings/kinds/kinds.ts'
import type { IntegrationRow } from '../../spaces/integration_settings/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { sampleFor, withSamples } from '../hooks/samples.ts'
import type { Switch } from '../hooks/switches.ts'
import type { Payload } from './payload.ts'
import { integrationDelivery } from './queries.ts'
import { attempt, sendToIntegration } from './send.ts'
import { Sending } from './senders/sender.ts'
import { senders, trials } from './senders/senders.ts'

/** The events that a trial may tell of, those that every project has first. */
const samples: readonly Switch[] = withSamples(['push_events', 'pipeline_events', 'issues_events'])

/** Can the settings of this kind be tried here? Most are notified of what happened in a project. */
export const hasTrial = (slug: string, inProject: boolean): boolean => slug in trials || (inProject && slug in senders)

/** What came of a trial; undefined where all went well. 422 where the project has nothing to tell of. */
export async function tryIntegration(ctx: Context, row: IntegrationRow, project: ProjectRow | undefined): Promise<string | undefined> {
  const own = trials[row.slug]
  if (own) {
    const { error } = await attempt(own, new Sending({ ctx, row, trigger: 'push_events', payload: {} as Payload, done: [] }))
    return error ?? undefined
  }
  const events = kindOf(row.slug)?.events ?? []
  const trigger = samples.find(name => (events as readonly string[]).includes(name))
  if (!project || trigger === undefined) throw unprocessable('There is nothing to try these settings with here.')
  const payload = await sampleFor(ctx, project, trigger)
  const { id } = await ctx.db
    .insertInto('integration_deliveries')
    .values({ integration_id: row.id, project_id: project.id, trigger, payload: JSON.stringify(payload), created_at: ctx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await awaitWalFlush(ctx.db)
  await sendToIntegration(ctx.deps, { delivery_id: id })
  const delivery = await integrationDelivery(ctx.deps.database.db, id)
  return delivery?.error ?? undefined
}
