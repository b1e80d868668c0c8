/** Reads of what integrations were notified of. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DeliveryStatus } from '../hooks/deliveries/states.ts'
import type { Trigger } from '../hooks/switches.ts'
import type { LoggedExchange } from './senders/sender.ts'

const deliveries = (db: Db) =>
  db
    .selectFrom('integration_deliveries')
    .innerJoin('integrations', 'integrations.id', 'integration_deliveries.integration_id')
    .selectAll('integration_deliveries')
    .select([
      'integrations.slug',
      'integrations.active',
      'integrations.properties',
      'integrations.secrets',
      'integrations.switches',
      'integrations.comment_on_event_enabled',
      sql<Trigger>`integration_deliveries.trigger`.as('trigger'),
      sql<DeliveryStatus>`integration_deliveries.status`.as('status'),
      sql<readonly LoggedExchange[]>`integration_deliveries.exchanges`.as('exchanges'),
    ])

export type IntegrationDelivery = Awaited<ReturnType<ReturnType<typeof deliveries>['executeTakeFirstOrThrow']>>

/** One delivery; undefined if it was deleted. */
export const integrationDelivery = (db: Db, id: number) => deliveries(db).where('integration_deliveries.id', '=', id).executeTakeFirst()

/** What an integration was notified of in a project, the latest first. */
export const deliveriesTo = (
  db: Db,
  { integrationId, projectId }: { readonly integrationId: number; readonly projectId: number | undefined },
) =>
  deliveries(db)
    .where('integration_deliveries.integration_id', '=', integrationId)
    .$if(projectId !== undefined, query => query.where('integration_deliveries.project_id', '=', projectId as number))
    .orderBy('integration_deliveries.id', 'desc')
