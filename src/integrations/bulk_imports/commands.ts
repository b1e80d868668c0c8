/** Writes of migrations. The task working/task.ts does the work. */

import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/connection.ts'
import { enqueue, remoteQueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { move, next } from '../../platform/kernel/declaration/machine.ts'
import { forbidden, Refusal, unprocessable } from '../../platform/kernel/errors.ts'
import { isCallable } from '../../platform/outbound/callable.ts'
import { withoutEndingSlashes, withoutSlashes } from '../../platform/patterns/slashes.ts'
import { placeForGroup } from '../../spaces/groups/commands.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { ownNamespace } from '../../spaces/namespaces/queries.ts'
import { targetNamespace } from '../../spaces/projects/lifecycle/target_namespace.ts'
import { entitiesOf, type MigrationRow, migrationsOf, TOKEN_PURPOSE } from './queries.ts'
import { migrationMachine } from './states.ts'

/** A group or project that is to be migrated. */
export interface NamedEntity {
  readonly source_type: 'group_entity' | 'project_entity'
  readonly source_full_path: string
  readonly destination_name?: string | undefined
  readonly destination_slug?: string | undefined
  readonly destination_namespace: string
}

/** What a migration is asked for with. */
export interface MigrationOptions {
  readonly configuration: { readonly url: string; readonly access_token: string }
  readonly entities: readonly NamedEntity[]
}

/** Groups and projects of one migration, those below others with them. */
const MOST_ENTITIES = 10_000

/** The address that the paths of the API are appended to, without its end. @throws Refusal 422 */
export async function baseOf({ deps }: Context, text: string): Promise<string> {
  const url = URL.parse(text)
  const refused = (why: string) => unprocessable(`Validation failed: Url ${why}`)
  if (!url || !(await isCallable(text, deps.config.outboundAllow))) throw refused('is blocked: it is not a public web address')
  // The token is a field of its own: an address is shown.
  if (url.username !== '' || url.password !== '') throw refused('must not have a user or password')
  return `${url.origin}${withoutEndingSlashes(url.pathname).replace(/\/api\/v4$/, '')}`
}

const pathOf = withoutSlashes

/** Contract: 422 for a place that is not there, or where the user may make nothing (bulk imports API). */
async function assertDestination(ctx: Context, { source_type, destination_namespace }: NamedEntity): Promise<void> {
  const { db, actor } = ctx
  const path = pathOf(destination_namespace)
  const refused = () => unprocessable(`Import failed. Destination '${path}' is invalid, or you don't have permission.`)
  const find = source_type === 'group_entity' ? visibleGroup : ownNamespace
  const place = path === '' ? undefined : await find(db, actor, path)
  if (path !== '' && !place) throw refused()
  try {
    if (source_type === 'group_entity') await placeForGroup(ctx, place?.id)
    else await targetNamespace(ctx, place?.id, actor.user?.id as number)
  } catch (error) {
    throw error instanceof Refusal ? refused() : error
  }
}

/** The last part of the path there. */
const slugOf = (path: string): string => path.split('/').at(-1) as string

/**
 * Queues the migration of groups and projects.
 * @throws Refusal 422 for an address that may not be called, and for a destination that the caller may not use
 */
export async function requestMigration(ctx: Context, { configuration, entities }: MigrationOptions): Promise<MigrationRow> {
  const { db, deps, actor, now } = ctx
  if (!actor.user) throw forbidden()
  const url = await baseOf(ctx, configuration.url)
  for (const entity of entities) await assertDestination(ctx, entity)
  const { id } = await db
    .insertInto('bulk_imports')
    .values({
      user_id: actor.user.id,
      url,
      access_token: deps.secrets.encrypt(configuration.access_token, TOKEN_PURPOSE),
      correlation_id: ctx.request.id || randomBytes(8).toString('hex'),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addEntities(db, { bulk_import_id: id, parent_id: null, now }, entities)
  return migrationsOf(db, actor.user.id).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Adds groups and projects to a migration, and queues them; those that are there already stay as they are. False where there are too many. */
export async function addEntities(
  db: Db,
  { bulk_import_id, parent_id, now }: { readonly bulk_import_id: number; readonly parent_id: number | null; readonly now: Date },
  entities: readonly NamedEntity[],
): Promise<boolean> {
  if (entities.length === 0) return true
  await db.selectFrom('bulk_imports').select('id').where('id', '=', bulk_import_id).forUpdate().execute()
  const { count } = await db
    .selectFrom('bulk_import_entities')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('bulk_import_id', '=', bulk_import_id)
    .executeTakeFirstOrThrow()
  if (count + entities.length > MOST_ENTITIES) return false
  const added = await db
    .insertInto('bulk_import_entities')
    .values(
      entities.map(({ source_type, source_full_path, destination_name, destination_slug, destination_namespace }) => {
        const source = pathOf(source_full_path)
        return {
          bulk_import_id,
          parent_id,
          source_type,
          source_full_path: source,
          destination_name: destination_name ?? destination_slug ?? slugOf(source),
          destination_slug: destination_slug ?? slugOf(source),
          destination_namespace: pathOf(destination_namespace),
          step_since: now,
          created_at: now,
          updated_at: now,
        }
      }),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  for (const { id } of added) await enqueueEntity(db, id)
  return true
}

/** Queues the next step of a group or project. */
export async function enqueueEntity(db: Db, entity_id: number, runAt?: Date): Promise<void> {
  const migration = await db
    .selectFrom('bulk_import_entities')
    .innerJoin('bulk_imports', 'bulk_imports.id', 'bulk_import_entities.bulk_import_id')
    .select('bulk_imports.user_id')
    .where('bulk_import_entities.id', '=', entity_id)
    .executeTakeFirst()
  await enqueue(
    db,
    'migrate_entity',
    { entity_id },
    {
      jobKey: `migrate_entity ${entity_id}`,
      queueName: remoteQueue(entity_id),
      turnOf: migration?.user_id,
      ...(runAt && { runAt }),
    },
  )
}

/** Failures of one group or project that are kept. */
const MOST_FAILURES = 1_000

/** What could not come. */
export interface Missing {
  readonly relation: string
  readonly message: string
  /** Kind of the failure. */
  readonly kind?: string | undefined
}

/** Keeps what could not come of a group or project. */
export async function recordMissing(
  db: Db,
  entity: { readonly id: number; readonly step: string },
  missing: readonly Missing[],
  now: Date,
): Promise<void> {
  const { count } = await db
    .selectFrom('bulk_import_failures')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entity_id', '=', entity.id)
    .executeTakeFirstOrThrow()
  const rows = missing.slice(0, Math.max(0, MOST_FAILURES - count))
  if (rows.length === 0) return
  await db
    .insertInto('bulk_import_failures')
    .values(
      rows.map(({ relation, message, kind = 'NotMigrated' }) => ({
        entity_id: entity.id,
        relation: relation.slice(0, 255),
        step: entity.step,
        exception_class: kind,
        exception_message: message.slice(0, 2_000),
        created_at: now,
      })),
    )
    .execute()
}

/** Ends a group or project, and the migration with its last one, whose token is forgotten. */
export async function endEntity(db: Db, id: number, event: 'finish' | 'fail', now: Date): Promise<void> {
  const entity = await db
    .selectFrom('bulk_import_entities')
    .select(['status', 'bulk_import_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const status = entity && next(migrationMachine, entity.status, event)
  if (!entity || status === undefined) return
  await db.selectFrom('bulk_imports').select('id').where('id', '=', entity.bulk_import_id).forUpdate().execute()
  await db
    .updateTable('bulk_import_entities')
    .set({ status, updated_at: now, ...(event === 'finish' && { step: 'done' as const }) })
    .where('id', '=', id)
    .execute()
  const all = await db
    .selectFrom('bulk_import_entities')
    .select(({ fn, eb }) => [
      fn
        .countAll<number>()
        .filterWhere(eb('status', 'in', ['created', 'started']))
        .as('open'),
      fn.countAll<number>().filterWhere('status', '=', 'finished').as('finished'),
    ])
    .where('bulk_import_id', '=', entity.bulk_import_id)
    .executeTakeFirstOrThrow()
  if (all.open > 0) return
  await db
    .updateTable('bulk_imports')
    .set({ status: all.finished > 0 ? 'finished' : 'failed', access_token: null, updated_at: now })
    .where('id', '=', entity.bulk_import_id)
    .execute()
}

/**
 * Queues what of a migration has failed once more, from the step that it was in.
 * @param token a new one: that of before is forgotten when a migration ends
 */
export async function resumeMigration(ctx: Context, migration: MigrationRow, token: string): Promise<number> {
  const { db, deps, actor, now } = ctx
  const userId = actor.user?.id as number
  await db.selectFrom('bulk_imports').select('id').where('id', '=', migration.id).forUpdate().execute()
  const failed = await entitiesOf(db, userId, { migration: migration.id, status: 'failed' }).execute()
  const isOver = migration.status === 'finished' || migration.status === 'failed'
  if (isOver && failed.length === 0) return 0
  await db
    .updateTable('bulk_imports')
    .set({
      access_token: deps.secrets.encrypt(token, TOKEN_PURPOSE),
      updated_at: now,
      ...(isOver && { status: move(migrationMachine, migration.status, 'resume') }),
    })
    .where('id', '=', migration.id)
    .execute()
  for (const { id, status, step } of failed) {
    await db.deleteFrom('bulk_import_failures').where('entity_id', '=', id).where('step', '=', step).execute()
    await db
      .updateTable('bulk_import_entities')
      .set({ status: move(migrationMachine, status, 'resume'), attempts: 0, step_since: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    await enqueueEntity(db, id)
  }
  return failed.length
}
