/** Writes of distributions of Debian. */

import type { Place } from '../../../../../platform/access/places.ts'
import type { Db } from '../../../../../platform/db/connection.ts'
import { lockName } from '../../../../../platform/db/statements/named_locks.ts'
import { changesBetween } from '../../../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../../../platform/events/events.ts'
import type { Context } from '../../../../../platform/kernel/context.ts'
import { invalid } from '../../../../../platform/kernel/errors.ts'
import { newSigningKey, SigningKey } from '../../../../../platform/openpgp/signing.ts'
import type { DistributionRow } from './entity.ts'
import { distributionsOf } from './queries.ts'

const KEY_PURPOSE = 'debian_distributions.private_key'

/** The attributes that can be set; undefined ones stay, or get the values of a new distribution. */
export interface DistributionAttributes {
  readonly suite?: string | undefined
  readonly origin?: string | undefined
  readonly label?: string | undefined
  readonly version?: string | undefined
  readonly description?: string | undefined
  readonly valid_time_duration_seconds?: number | undefined
  readonly components?: readonly string[] | undefined
  readonly architectures?: readonly string[] | undefined
}

const audited = [
  ...['suite', 'origin', 'label', 'version', 'description'],
  ...['valid_time_duration_seconds', 'components', 'architectures'],
] as const

const inPlace = ({ project_id, namespace_id }: DistributionRow) => ({
  ...(project_id !== null && { projectId: project_id }),
  ...(namespace_id !== null && { groupId: namespace_id }),
})

/** Each name once. */
const unique = (names: readonly string[]) => [...new Set(names)]

const listed = ({ components, architectures }: DistributionAttributes) => ({
  ...(components && { components: unique(components) }),
  ...(architectures && { architectures: unique(['all', ...architectures]) }),
})

/** Makes a distribution with a key of its own. @throws Refusal 400 for a name that another one of the place has */
export async function createDistribution(
  ctx: Context,
  place: Place,
  { codename, ...attributes }: DistributionAttributes & { readonly codename: string },
): Promise<DistributionRow> {
  const { db, now, deps } = ctx
  await assertFree(db, place, { codename, suite: attributes.suite })
  const { publicKey, privateKey } = newSigningKey(`${codename} (packages of Debian)`, now)
  const made = await db
    .insertInto('debian_distributions')
    .values({
      ...place,
      ...attributes,
      codename,
      components: ['main'],
      architectures: ['all', 'amd64'],
      ...listed(attributes),
      public_key: publicKey,
      private_key: deps.secrets.encrypt(privateKey, KEY_PURPOSE),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'debian_distribution.created', payload: { id: made.id, name: codename }, ...inPlace(made) })
  return made
}

/** Changes a distribution. Its key stays. @throws Refusal 400 for a suite that another one of the place has */
export async function updateDistribution(
  ctx: Context,
  place: Place,
  { id, codename }: DistributionRow,
  attributes: DistributionAttributes,
): Promise<DistributionRow> {
  const { db, now } = ctx
  const { components: _components, architectures: _architectures, ...plain } = attributes
  await assertFree(db, place, { id, codename, suite: attributes.suite })
  const before = await db.selectFrom('debian_distributions').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  const after = await db
    .updateTable('debian_distributions')
    .set({ ...plain, ...listed(attributes), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const changes = changesBetween(before, after, audited)
  await recordEvent(ctx, { kind: 'debian_distribution.updated', payload: { id, name: codename, changes }, ...inPlace(after) })
  return after
}

/** Deletes a distribution with its key and its indexes; the packages stay. */
export async function removeDistribution(ctx: Context, distribution: DistributionRow): Promise<void> {
  const { id, codename } = distribution
  await ctx.db.deleteFrom('debian_distributions').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'debian_distribution.deleted', payload: { id, name: codename }, ...inPlace(distribution) })
}

/** The key that signs the indexes of a distribution. */
export const keyOf = ({ deps }: Context, { private_key }: DistributionRow): SigningKey =>
  new SigningKey(deps.secrets.decrypt(private_key, KEY_PURPOSE))

interface Names {
  readonly id?: number
  readonly codename: string
  readonly suite: string | undefined
}

/** Locks the names of a place: a distribution is found by its codename or its suite. */
async function assertFree(db: Db, place: Place, { id, codename, suite }: Names): Promise<void> {
  await lockName(db, 'debian distributions', JSON.stringify(place))
  const others = await distributionsOf(db, place)
    .where('id', '<>', id ?? 0)
    .execute()
  const taken = new Set(others.flatMap(other => [other.codename, other.suite]))
  if (taken.has(codename)) throw invalid({ codename: ['has already been taken'] })
  if (suite !== undefined && taken.has(suite)) throw invalid({ suite: ['has already been taken'] })
}
