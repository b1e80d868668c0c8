/** Writes of environments. Whom a protection keeps from deploying there neither changes, stops nor deletes one: 403. */
import { uniqueViolation } from '../db/errors.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { next } from '../kernel/machine.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { requireDeployer } from '../protected_environments/rights.ts'
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

const takenName = () => invalid({ name: ['has already been taken'] })

/** Addresses that are shown as links: of the web, and no other. 400 otherwise. */
function urlFrom(text: string | null): string | null {
  if (text === null || text === '') return null
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || url.hostname === '') throw invalid({ external_url: ['must be a valid http or https URL'] })
  return text
}

/** Creates an environment; 400 where the name is taken. */
export async function createEnvironment(
  ctx: Context,
  projectId: number,
  given: EnvironmentAttributes & { readonly name: string },
): Promise<EnvironmentRow> {
  const created = await addEnvironment(ctx, projectId, given)
  if (!created) throw takenName()
  return created
}

/** The environment of this name, created where there is none. */
export async function ensureEnvironment(ctx: Context, projectId: number, name: string): Promise<EnvironmentRow> {
  const found = (await environmentByName(ctx.db, projectId, name)) ?? (await addEnvironment(ctx, projectId, { name }))
  // Somebody else created it at the same moment.
  return found ?? ((await environmentByName(ctx.db, projectId, name)) as EnvironmentRow)
}

/** Undefined where the name is taken. */
async function addEnvironment(
  { db, now }: Context,
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

/** Changes an environment. It keeps its slug, by which others know it. 400 where the name is taken. */
export async function updateEnvironment(
  ctx: Context,
  project: ProjectWithRole,
  environment: EnvironmentRow,
  { name, external_url, tier }: EnvironmentAttributes,
): Promise<EnvironmentRow> {
  await requireDeployer(ctx, project, environment)
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

/** Moves an environment; what is so already stays so. */
async function moveEnvironment({ db, now }: Context, id: number, event: 'stop' | 'start'): Promise<EnvironmentRow> {
  // Held until the transaction ends, so that of two who move it at once one does; those who report deployments to it are not held up.
  const environment = await db.selectFrom('environments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const state = next(environmentMachine, environment.state, event)
  if (state === undefined) return environment
  return db.updateTable('environments').set({ state, updated_at: now }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Stops an environment. */
export async function stopEnvironment(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<EnvironmentRow> {
  await requireDeployer(ctx, project, environment)
  return moveEnvironment(ctx, environment.id, 'stop')
}

/** Makes an environment available again. */
export const startEnvironment = (ctx: Context, id: number): Promise<EnvironmentRow> => moveEnvironment(ctx, id, 'start')

/** Deletes an environment with its deployments. */
export async function removeEnvironment(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<void> {
  await requireDeployer(ctx, project, environment)
  // Contract: one that is available is deleted too (decision 28).
  await ctx.db.deleteFrom('environments').where('id', '=', environment.id).execute()
}
