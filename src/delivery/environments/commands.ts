/**
 * Writes of environments. 403 for a user whom a protection keeps from deploying there, for a creation, a change, a stop and a deletion alike. A change
 * asks for what the environment is and for what it becomes: jobs that wait for it would run there.
 */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { isWebAddress } from '../../platform/kernel/addresses/web_address.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { next } from '../../platform/kernel/declaration/machine.ts'
import { badRequest, invalid } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { protectedIn, requireDeployer } from '../protected_environments/rights.ts'
import { type EnvironmentRow, environmentByName } from './queries.ts'
import { slugOf } from './slugs.ts'
import { environmentMachine } from './states.ts'
import { type DeploymentTier, tierOfName } from './tiers.ts'

export interface EnvironmentAttributes {
  readonly name?: string | undefined
  /** Null or empty for none. */
  readonly external_url?: string | null | undefined
  readonly tier?: DeploymentTier | undefined
}

/** Milliseconds. An environment that was used in the last one is not stale. */
const WEEK = 7 * 86_400_000

const takenName = () => invalid({ name: ['has already been taken'] })

/** Is this a web address, which may be shown as a link? */
const isWebUrl = (text: string): boolean => text.length <= 255 && isWebAddress(text)

/** The address, null for none; 400 if it is no web address. */
function urlFrom(text: string | null): string | null {
  if (text === null || text === '') return null
  if (!isWebUrl(text)) throw invalid({ external_url: ['must be a valid http or https URL'] })
  return text
}

/** Creates an environment; 400 if the name is taken. */
export async function createEnvironment(
  ctx: Context,
  project: ProjectWithRole,
  given: EnvironmentAttributes & { readonly name: string },
): Promise<EnvironmentRow> {
  const { name, tier = tierOfName(name) } = given
  await requireDeployer(ctx, project, { name, tier })
  const created = await addEnvironment(ctx, project.id, given)
  if (!created) throw takenName()
  return created
}

/** The environment of this name; a missing one is created, with `tier` or the tier that its name suggests. */
export async function ensureEnvironment(
  ctx: Pick<Context, 'db' | 'now'>,
  projectId: number,
  name: string,
  tier?: DeploymentTier,
): Promise<EnvironmentRow> {
  const found = (await environmentByName(ctx.db, projectId, name)) ?? (await addEnvironment(ctx, projectId, { name, tier }))
  // It was created concurrently.
  return found ?? ((await environmentByName(ctx.db, projectId, name)) as EnvironmentRow)
}

/** Undefined if the name is taken. */
async function addEnvironment(
  { db, now }: Pick<Context, 'db' | 'now'>,
  project_id: number,
  { name, external_url = null, tier }: EnvironmentAttributes & { readonly name: string },
): Promise<EnvironmentRow | undefined> {
  const url = urlFrom(external_url)
  for (let attempt = 0; ; attempt++) {
    const slug = slugOf(name, attempt)
    const created = await db
      .insertInto('environments')
      .values({ project_id, name, slug, external_url: url, tier: tier ?? tierOfName(name), created_at: now, updated_at: now })
      .onConflict(conflict => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (created || (await environmentByName(db, project_id, name))) return created
  }
}

/** Changes an environment. It keeps its slug, which other systems refer to. 400 if the name is taken. */
export async function updateEnvironment(
  ctx: Context,
  project: ProjectWithRole,
  environment: EnvironmentRow,
  { name, external_url, tier }: EnvironmentAttributes,
): Promise<EnvironmentRow> {
  await requireDeployer(ctx, project, environment)
  const [newName, newTier] = [name ?? environment.name, tier ?? environment.tier]
  if (newName !== environment.name || newTier !== environment.tier) await requireDeployer(ctx, project, { name: newName, tier: newTier })
  return ctx.db
    .updateTable('environments')
    .set({
      ...(name !== undefined && { name }),
      ...(external_url !== undefined && { external_url: urlFrom(external_url) }),
      ...(tier !== undefined && { tier }),
      updated_at: ctx.now,
    })
    .where('id', '=', environment.id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : takenName()
    })
}

/** Moves an environment; a repeated event changes nothing. A stopped one needs no automatic stop any more. */
async function moveEnvironment({ db, now }: Pick<Context, 'db' | 'now'>, id: number, event: 'stop' | 'start'): Promise<EnvironmentRow> {
  // Locked until the transaction ends, so that of two concurrent moves one happens. The lock does not delay reports of deployments.
  const environment = await db.selectFrom('environments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const state = next(environmentMachine, environment.state, event)
  if (state === undefined) return environment
  return db
    .updateTable('environments')
    .set({ state, updated_at: now, ...(event === 'stop' && { auto_stop_at: null }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stops an environment; 403 if a protection forbids it to the actor. */
export async function stopEnvironment(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<EnvironmentRow> {
  await requireDeployer(ctx, project, environment)
  return moveEnvironment(ctx, environment.id, 'stop')
}

/** Stops an environment after its stop job has succeeded. */
export const noteStopped = (ctx: Pick<Context, 'db' | 'now'>, id: number): Promise<EnvironmentRow> => moveEnvironment(ctx, id, 'stop')

/** Makes an environment available again. */
export const startEnvironment = (ctx: Pick<Context, 'db' | 'now'>, id: number): Promise<EnvironmentRow> => moveEnvironment(ctx, id, 'start')

/** Keeps an environment that would be stopped by the clock; 403 if a protection forbids it to the actor. */
export async function cancelAutoStop(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<EnvironmentRow> {
  await requireDeployer(ctx, project, environment)
  return ctx.db
    .updateTable('environments')
    .set({ auto_stop_at: null, updated_at: ctx.now })
    .where('id', '=', environment.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Has the clock stop the environments of a project that were neither changed nor deployed to since `before`. Those that are protected stay
 * (public documentation, "Stop stale environments").
 * @throws Refusal 400 unless `before` lies between ten years and a week ago
 */
export async function stopStale(ctx: Context, project: ProjectWithRole, before: Date): Promise<void> {
  const { db, now } = ctx
  const [earliest, latest] = [new Date(now), new Date(now.getTime() - WEEK)]
  earliest.setUTCFullYear(now.getUTCFullYear() - 10)
  if (before < earliest || before > latest) throw badRequest('Invalid Date')
  const { names, tiers } = await protectedIn(ctx, project)
  await db
    .updateTable('environments')
    .set({ auto_stop_at: now })
    .where('project_id', '=', project.id)
    .where('state', '=', 'available')
    .where('updated_at', '<', before.toISOString())
    .where(({ not, eb }) => not(eb('name', '=', anyOf(names))))
    // Groups protect tiers by their names.
    .where(({ not, or, eb }) => or([eb('tier', 'is', null), not(eb('tier', '=', anyOf(tiers as DeploymentTier[])))]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deployments')
            .select('deployments.id')
            .whereRef('deployments.environment_id', '=', 'environments.id')
            .where('deployments.updated_at', '>=', before.toISOString()),
        ),
      ),
    )
    .execute()
}

/** Records what a deploying job says about its environment: an address, if it is a web address, and when to stop it. */
export async function noteDeployed(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  { external_url, auto_stop_at, tier }: { readonly external_url?: string; readonly auto_stop_at?: Date; readonly tier?: DeploymentTier },
): Promise<void> {
  const isAddress = external_url !== undefined && isWebUrl(external_url)
  await db
    .updateTable('environments')
    .set({
      updated_at: now,
      ...(isAddress && { external_url }),
      ...(auto_stop_at && { auto_stop_at }),
      ...(tier && { tier }),
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes an environment with its deployments. */
export async function removeEnvironment(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<void> {
  await requireDeployer(ctx, project, environment)
  // Contract: an available one is deleted too (decision 28).
  await ctx.db.deleteFrom('environments').where('id', '=', environment.id).returning('id').executeTakeFirstOrThrow()
}
