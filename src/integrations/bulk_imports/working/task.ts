/**
 * Migrates a group or project in the background, step by step. Each step is written down when it is done, and can be repeated: a process that ends in the
 * middle of one begins that step again, and nothing is there twice.
 */
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { checkViolation, DatabaseUnavailable, dataError, uniqueViolation } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { move } from '../../../platform/kernel/declaration/machine.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { ObjectStoreUnavailable } from '../../../platform/object_store/store.ts'
import { OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { RemoteApi, RemoteBusy, RemoteRefused } from '../../../platform/outbound/remote_api.ts'
import { FAILED } from '../../archives/importing/reasons.ts'
import { ArchiveRefused, reasonOfRefusal } from '../../archives/reading/refused.ts'
import { endEntity, enqueueEntity, type Missing, recordMissing } from '../commands.ts'
import { type EntityRow, entitiesOf, TOKEN_PURPOSE } from '../queries.ts'
import { migrationMachine } from '../states.ts'
import { groupStep } from './group.ts'
import { projectStep } from './project.ts'
import { type MigrationLimits, MigrationRefused, migrationLimits, type Outcome, type Work } from './work.ts'

/** Goes on with a group or project until it is migrated, has failed, or waits for the other server. */
export async function migrateEntity(
  deps: Deps,
  { entity_id }: { readonly entity_id: number },
  limits: MigrationLimits = migrationLimits,
): Promise<void> {
  for (let open = true; open; ) open = await attempt(deps, entity_id, limits)
}

/** The entity, begun if it was not; undefined where it has ended, or is gone. */
const begin = (deps: Deps, id: number) =>
  transact(deps.database.db, async db => {
    const now = deps.now()
    const migration = await db
      .selectFrom('bulk_imports')
      .select(['id', 'user_id', 'url', 'access_token', 'status'])
      .where('id', 'in', db.selectFrom('bulk_import_entities').select('bulk_import_id').where('id', '=', id))
      .forUpdate()
      .executeTakeFirst()
    const entity = migration && (await entitiesOf(db, migration.user_id).where('bulk_import_entities.id', '=', id).executeTakeFirst())
    if (!migration || !entity || entity.status === 'finished' || entity.status === 'failed') return undefined
    const started = { status: move(migrationMachine, entity.status, 'start'), updated_at: now }
    if (entity.status !== 'started') await db.updateTable('bulk_import_entities').set(started).where('id', '=', id).execute()
    if (migration.status === 'created') await db.updateTable('bulk_imports').set(started).where('id', '=', migration.id).execute()
    return { migration, entity }
  })

/** One step. Answers whether another one follows immediately. */
async function attempt(deps: Deps, id: number, limits: MigrationLimits): Promise<boolean> {
  const begun = await begin(deps, id)
  if (!begun) return false
  const { migration, entity } = begun
  try {
    // Nothing is done on behalf of an account that is no longer active.
    const actor = await actingAs(deps.database.db, migration.user_id)
    if (!actor) throw new MigrationRefused('The account that asked for the migration is not active.')
    if (migration.access_token === null) throw new MigrationRefused('The token for the other server is not there any more.')
    const token = deps.secrets.decrypt(migration.access_token, TOKEN_PURPOSE)
    const source = new RemoteApi(`${migration.url}/api/v4`, {
      headers: { 'private-token': ['', token] },
      allow: deps.config.outboundAllow,
      now: deps.now,
      limits: limits.remote,
    })
    const work: Work = { deps, actor, entity, source, limits }
    return await follow(deps, entity, entity.source_type === 'group_entity' ? await groupStep(work) : await projectStep(work))
  } catch (error) {
    return stop(deps, entity, error, limits)
  }
}

const later = ({ now }: Deps, seconds: number): Date => new Date(now().getTime() + seconds * 1000)

async function follow(deps: Deps, { id }: EntityRow, outcome: Outcome): Promise<boolean> {
  const { db } = deps.database
  if (outcome === 'done') await transact(db, tx => endEntity(tx, id, 'finish', deps.now()))
  else if ('wait' in outcome) await enqueueEntity(db, id, later(deps, outcome.wait))
  else return true
  return false
}

/** Tries again later where that may help; else the entity has failed, so that the token of a migration is not kept for one that does not end. */
async function stop(deps: Deps, entity: EntityRow, error: unknown, { patience, attempts }: MigrationLimits): Promise<false> {
  const { db } = deps.database
  const since = (deps.now().getTime() - Date.parse(entity.step_since)) / 1000
  if (error instanceof RemoteBusy && since < patience) {
    await enqueueEntity(db, entity.id, later(deps, error.seconds))
    return false
  }
  if (error instanceof OutboundFailed && entity.attempts < attempts) {
    await transact(db, async tx => {
      await tx
        .updateTable('bulk_import_entities')
        .set({ attempts: entity.attempts + 1 })
        .where('id', '=', entity.id)
        .execute()
      await enqueueEntity(tx, entity.id, later(deps, 2 ** entity.attempts))
    })
    return false
  }
  // The queue tries again.
  if (error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable) throw error
  const known = reasonOf(error, entity)
  const reason = known ?? { relation: relationOf(entity), message: FAILED }
  deps.log[known ? 'info' : 'error']({ err: error, entity: entity.id, source: entity.source_full_path }, 'a migration has failed')
  await transact(db, async tx => {
    await recordMissing(tx, entity, [reason], deps.now())
    await endEntity(tx, entity.id, 'fail', deps.now())
  })
  return false
}

const relationOf = ({ source_type }: EntityRow): string => (source_type === 'group_entity' ? 'group' : 'project')

/** Why an entity fails, for its user; undefined for an error of this server. */
function reasonOf(error: unknown, entity: EntityRow): Missing | undefined {
  const relation = relationOf(entity)
  if (error instanceof ArchiveRefused) return { relation: error.relation, message: error.message, kind: error.name }
  if (error instanceof Refusal) return { relation, message: reasonOfRefusal(error), kind: error.name }
  const isOfRemote = [MigrationRefused, RemoteRefused, RemoteBusy, OutboundFailed, OutboundRefused].some(kind => error instanceof kind)
  if (isOfRemote) return { relation, message: (error as Error).message, kind: (error as Error).name }
  const constraint = uniqueViolation(error) ?? checkViolation(error)
  if (constraint !== undefined) return { relation, message: `The rows of the other server contradict each other (${constraint}).` }
  if (dataError(error)) return { relation, message: 'The other server has a value that cannot be stored.' }
  return undefined
}
