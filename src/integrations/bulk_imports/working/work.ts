/** A group or project while it is migrated: where it stands, and the other server. */
import type { UserActor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { type RemoteApi, type RemoteLimits, remoteLimits } from '../../../platform/outbound/remote_api.ts'
import { Row } from '../../archives/reading/row.ts'
import { type Missing, recordMissing } from '../commands.ts'
import type { EntityRow } from '../queries.ts'

export type Step = EntityRow['step']

/** What the migration of one group or project may come to. */
export interface MigrationLimits {
  readonly remote: RemoteLimits
  /** Seconds until the other server is asked again whether it has made an archive. */
  readonly pause: number
  /** Seconds for which it may say that there is no archive, after it was asked for one; and that it is being made. */
  readonly silence: number
  readonly patience: number
  /** Most bytes of an archive. */
  readonly archive: number
  /** Pages of one list. */
  readonly pages: number
  /** Failed attempts to reach the other server in one step. */
  readonly attempts: number
}

export const migrationLimits: MigrationLimits = {
  // What is read of a group is held in memory.
  remote: { ...remoteLimits, answer: 8 * 1024 ** 2, bytes: 128 * 1024 ** 2 },
  pause: 3,
  silence: 5 * 60,
  patience: 12 * 60 * 60,
  archive: 20 * 1024 ** 3,
  pages: 1_000,
  attempts: 8,
}

/** One attempt at the next steps. */
export interface Work {
  readonly deps: Deps
  /** Who asked for the migration, with the rights of now. */
  readonly actor: UserActor
  readonly entity: EntityRow
  readonly source: RemoteApi
  readonly limits: MigrationLimits
}

/** What follows a step: another one, the same one later, or nothing. */
export type Outcome = { readonly next: Step } | { readonly wait: number } | 'done'

/** Something that cannot be migrated. The message is shown. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** Writes what a step found, in one transaction, as the user who asked. */
export const writing = <T>({ deps, actor }: Pick<Work, 'deps' | 'actor'>, write: (ctx: Context) => Promise<T>): Promise<T> =>
  transact(deps.database.db, db => write(systemContext(deps, db, actor)))

/** Goes to another step, with what is known since. */
export async function enter(
  db: Db,
  { entity, deps }: Pick<Work, 'entity' | 'deps'>,
  step: Step,
  known: { readonly namespace_id?: number; readonly project_id?: number } = {},
): Promise<void> {
  const now = deps.now()
  await db
    .updateTable('bulk_import_entities')
    .set({ ...known, step, step_since: now, attempts: 0, updated_at: now })
    .where('id', '=', entity.id)
    .execute()
}

/** Where an entity comes into: one below another by the id of that one, whose path may be another group's by now. Empty for the top. @throws MigrationRefused */
export async function placeAbove({ entity }: Pick<Work, 'entity'>, db: Db): Promise<string> {
  if (entity.parent_id === null) return entity.destination_namespace
  const parent = await db.selectFrom('bulk_import_entities').select('namespace_id').where('id', '=', entity.parent_id).executeTakeFirst()
  if (parent?.namespace_id == null) throw new MigrationRefused('The group that it comes into was deleted while it was migrated.')
  return String(parent.namespace_id)
}

/** Keeps what could not come. */
export const missing = (db: Db, { entity, deps }: Pick<Work, 'entity' | 'deps'>, found: readonly Missing[]): Promise<void> =>
  recordMissing(db, entity, found, deps.now())

/** The pages of a list of the other server. @throws RemoteRefused for more pages than may be */
export async function* pagesOf(
  { source, limits }: Pick<Work, 'source' | 'limits'>,
  path: string,
  relation: string,
): AsyncGenerator<Row[], void, void> {
  for await (const page of source.pages(path, relation, limits.pages)) yield page.map(each => Row.of(each, relation))
}

/** How many rows a list has, as far as the other server says it: for what is reported and not used. */
export async function countOf({ source }: Pick<Work, 'source'>, path: string): Promise<number> {
  const { status, value, headers } = await source.ask(`${path}${path.includes('?') ? '&' : '?'}per_page=1`)
  if (status !== 200 || !Array.isArray(value) || value.length === 0) return 0
  const total = Number(headers['x-total'])
  return Number.isSafeInteger(total) && total > 0 ? total : 1
}

/** What a list has, as words for the report. */
export async function leftBehind(
  work: Work,
  lists: readonly (readonly [relation: string, path: string, why: string])[],
): Promise<Missing[]> {
  const found: Missing[] = []
  for (const [relation, path, why] of lists) {
    const count = await countOf(work, path)
    if (count > 0) found.push({ relation, message: `${count} on the other server: ${why}` })
  }
  return found
}
