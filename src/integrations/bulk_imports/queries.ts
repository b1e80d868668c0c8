/** Reads of migrations: each user has those that they asked for. */
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { MigrationState } from './states.ts'

/** Binds the ciphertext of a token to its column. */
export const TOKEN_PURPOSE = 'bulk_imports.access_token'

const columns = [
  'bulk_imports.id',
  'bulk_imports.status',
  'bulk_imports.url',
  'bulk_imports.created_at',
  'bulk_imports.updated_at',
] as const

/** The migrations of a user, the latest first. */
export const migrationsOf = (db: Db, userId: number, { status }: { readonly status?: MigrationState | undefined } = {}) =>
  db
    .selectFrom('bulk_imports')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(status !== undefined, query => query.where('status', '=', status as MigrationState))
    .orderBy('id', 'desc')

export type MigrationRow = Awaited<ReturnType<ReturnType<typeof migrationsOf>['executeTakeFirstOrThrow']>>

/** The groups and projects in the migrations of a user, or in one of them. */
export const entitiesOf = (
  db: Db,
  userId: number,
  { migration, status }: { readonly migration?: number | undefined; readonly status?: MigrationState | undefined } = {},
) =>
  db
    .selectFrom('bulk_import_entities')
    .innerJoin('bulk_imports', 'bulk_imports.id', 'bulk_import_entities.bulk_import_id')
    .selectAll('bulk_import_entities')
    .select('bulk_imports.correlation_id')
    .where('bulk_imports.user_id', '=', userId)
    .$if(migration !== undefined, query => query.where('bulk_imports.id', '=', migration as number))
    .$if(status !== undefined, query => query.where('bulk_import_entities.status', '=', status as MigrationState))
    .orderBy('bulk_import_entities.id')

export type EntityRow = Awaited<ReturnType<ReturnType<typeof entitiesOf>['executeTakeFirstOrThrow']>>

/** How many groups and projects of a migration there are in each state. */
export const entityCountsOf = (db: Db, migrationId: number) =>
  db
    .selectFrom('bulk_import_entities')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('bulk_import_id', '=', migrationId)
    .groupBy('status')
    .execute()

/** What of a group or project could not come, in the order in which that was found. */
export const failuresOf = (db: Db, entityId: number) =>
  db
    .selectFrom('bulk_import_failures')
    .select(['id', 'relation', 'step', 'exception_message', 'created_at'])
    .where('entity_id', '=', entityId)
    .orderBy('id')

/** How many parts of each group or project could not come. */
export async function failureCountsOf(db: Db, entityIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('bulk_import_failures')
    .select(({ fn }) => ['entity_id', fn.countAll<number>().as('count')])
    .where('entity_id', '=', anyOf(entityIds))
    .groupBy('entity_id')
    .execute()
  return new Map(rows.map(({ entity_id, count }) => [entity_id, count]))
}
