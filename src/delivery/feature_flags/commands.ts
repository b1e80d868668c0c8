/** Writes of the feature flags of projects. */
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { changesExcept, isChanged } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, invalid, notFound } from '../../platform/kernel/errors.ts'
import { type FlagRow, flagNamed } from './queries.ts'
import { withinSize } from './size.ts'
import { inWords, type PlannedStrategy, plannedStrategies, type StrategyInput } from './strategies.ts'

interface FlagAttributes {
  readonly description?: string | undefined
  readonly active?: boolean | undefined
  readonly strategies?: readonly StrategyInput[] | undefined
}

/** Flags of a project: its applications are sent all of them. */
const MOST = 200

/** 400 for one too many. Of requests at the same time the later ones wait, and count the others. */
async function assertRoom({ db }: Context, project_id: number): Promise<void> {
  await db.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('project_flags')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST) throw invalid({ base: [`Maximum number of project feature flags (${MOST}) exceeded`] })
}

function rethrowTaken(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : invalid({ name: ['has already been taken'] })
}

/** Adds a flag; 400 for a name that is taken and for invalid strategies, 404 for a list of users that the project does not have. */
export async function createFlag(
  ctx: Context,
  project_id: number,
  given: FlagAttributes & { readonly name: string; readonly version?: string | undefined },
): Promise<FlagRow> {
  const { db, now } = ctx
  const { name, description = null, active = true, version, strategies } = given
  if (version !== undefined && version !== 'new_version_flag') throw badRequest('Version is invalid')
  const planned = plannedStrategies([], strategies)
  await assertRoom(ctx, project_id)
  const { id } = await db
    .insertInto('project_flags')
    .values({ project_id, name, description, active, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  await withinSize(db, project_id, () => writeStrategies(db, { id, project_id, strategies: [] }, planned))
  await recordEvent(ctx, { kind: 'feature_flag.created', payload: { id, name }, projectId: project_id })
  return (await flagNamed(db, project_id, name)) as FlagRow
}

/** Changes a flag and its strategies; hooks hear of it where it is switched on or off. */
export async function updateFlag(
  ctx: Context,
  { id, project_id }: FlagRow,
  { strategies, ...changes }: FlagAttributes & { readonly name?: string | undefined },
): Promise<FlagRow> {
  const { db, now, actor } = ctx
  // Read again under its lock: strategies are changed by what they are now.
  await db.selectFrom('project_flags').select('id').where('id', '=', id).forUpdate().execute()
  const present = await flagOf(db, project_id, id)
  const planned = plannedStrategies(present.strategies, strategies)
  await db
    .updateTable('project_flags')
    .set({ ...changes, updated_at: now })
    .where('id', '=', id)
    .execute()
    .catch(rethrowTaken)
  if (strategies !== undefined) await withinSize(db, project_id, () => writeStrategies(db, present, planned))
  const [from, to] = [inWords(present.strategies), inWords(planned)]
  const changed = { ...changesExcept(present, changes, []), ...(from !== to && { strategies: { from, to } }) }
  if (isChanged(changed))
    await recordEvent(ctx, { kind: 'feature_flag.updated', payload: { id, name: present.name, changes: changed }, projectId: project_id })
  if (changes.active !== undefined && changes.active !== present.active)
    await recordEvent(ctx, {
      kind: 'feature_flag.switched',
      payload: { feature_flag_id: id, active: changes.active },
      actorId: actor.user?.id,
      projectId: project_id,
    })
  return flagOf(db, project_id, id)
}

/** Deletes a flag: applications that ask for it take it as off. */
export async function removeFlag(ctx: Context, { id, name, project_id }: FlagRow): Promise<void> {
  await ctx.db.deleteFrom('project_flags').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'feature_flag.deleted', payload: { id, name }, projectId: project_id })
}

async function flagOf(db: Db, projectId: number, id: number): Promise<FlagRow> {
  const row = await db.selectFrom('project_flags').select('name').where('id', '=', id).executeTakeFirst()
  const found = row && (await flagNamed(db, projectId, row.name))
  if (!found) throw notFound('Feature Flag')
  return found
}

/** 404 for a list of users of another project, or none. They cannot be deleted until the transaction ends. */
async function assertUserLists(db: Db, projectId: number, strategies: readonly PlannedStrategy[]): Promise<void> {
  const ids = [...new Set(strategies.flatMap(({ user_list_id }) => user_list_id ?? []))]
  if (ids.length === 0) return
  const found = await db
    .selectFrom('flag_user_lists')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (found.length < ids.length) throw notFound('User List')
}

/** Makes the strategies of a flag what was planned. */
async function writeStrategies(
  db: Db,
  flag: Pick<FlagRow, 'id' | 'project_id' | 'strategies'>,
  planned: readonly PlannedStrategy[],
): Promise<void> {
  await assertUserLists(db, flag.project_id, planned)
  const kept = new Set(planned.flatMap(({ id }) => id ?? []))
  const keptScopes = new Set(planned.flatMap(({ scopes }) => scopes.flatMap(({ id }) => id ?? [])))
  const gone = flag.strategies.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  const goneScopes = flag.strategies.flatMap(({ scopes }) => scopes.filter(({ id }) => !keptScopes.has(id)).map(({ id }) => id))
  if (gone.length > 0) await db.deleteFrom('project_flag_strategies').where('id', '=', anyOf(gone)).execute()
  if (goneScopes.length > 0) await db.deleteFrom('project_flag_scopes').where('id', '=', anyOf(goneScopes)).execute()
  for (const { id, scopes, ...strategy } of planned) {
    const values = { name: strategy.name, parameters: JSON.stringify(strategy.parameters), user_list_id: strategy.user_list_id }
    const strategy_id =
      id ??
      (
        await db
          .insertInto('project_flag_strategies')
          .values({ flag_id: flag.id, ...values })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    if (id !== undefined) await db.updateTable('project_flag_strategies').set(values).where('id', '=', id).execute()
    for (const { id: scopeId, environment_scope } of scopes)
      if (scopeId !== undefined) await db.updateTable('project_flag_scopes').set({ environment_scope }).where('id', '=', scopeId).execute()
    const added = scopes.flatMap(scope => (scope.id === undefined ? [{ strategy_id, environment_scope: scope.environment_scope }] : []))
    if (added.length > 0) await db.insertInto('project_flag_scopes').values(added).execute()
  }
}
