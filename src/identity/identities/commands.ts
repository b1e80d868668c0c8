/** Who users are at identity providers. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { providerNamed } from '../providers/file.ts'
import { endPendingOfIdentity } from '../two_factor/pending.ts'

/**
 * Says who a user is at a provider, in place of who they were there; nothing unless both are given.
 * @throws 400 where another user is that already
 */
export async function setIdentity(
  ctx: Context,
  userId: number,
  {
    provider,
    extern_uid: given,
    saml_provider_id,
  }: {
    readonly provider?: string | undefined
    readonly extern_uid?: string | undefined
    readonly saml_provider_id?: number | undefined
  },
): Promise<void> {
  if (!provider || !given) return
  const extern_uid = providerNamed(ctx.deps.config, provider)?.kind.directory?.normalizedUid(given) ?? given
  const { db } = ctx
  const before = await db
    .selectFrom('identities')
    .select(['id', 'extern_uid'])
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (before?.extern_uid === extern_uid) return
  if (!before) {
    await addIdentity(ctx, { user_id: userId, provider, extern_uid, saml_provider_id })
    return
  }
  await db.updateTable('identities').set({ extern_uid }).where('id', '=', before.id).execute().catch(rethrowTaken)
  // A sign-in of who they were there does not go on to its second factor.
  await endPendingOfIdentity(db, before.id)
  await recordEvent(ctx, { kind: 'identity.set', payload: { user_id: userId, provider } })
}

function rethrowTaken(error: unknown): never {
  if (uniqueViolation(error) !== 'identities_provider_extern_uid_key') throw error
  throw invalid({ 'identities.extern_uid': ['has already been taken'] })
}

/**
 * Adds an identity to a user who has none at the provider. Returns its id.
 * @throws 400 where another user has it
 */
export async function addIdentity(
  ctx: Context,
  identity: {
    readonly user_id: number
    readonly provider: string
    readonly extern_uid: string
    readonly saml_provider_id?: number | undefined
  },
): Promise<number> {
  const { user_id, provider } = identity
  const { id } = await ctx.db
    .insertInto('identities')
    .values({ ...identity, created_at: ctx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken)
  await recordEvent(ctx, { kind: 'identity.set', payload: { user_id, provider } })
  return id
}

/** Unlinks an account from all providers but one that made it an administrator's. What they gave goes on. */
export async function dropIdentitiesOf(ctx: Context, user_id: number): Promise<void> {
  const dropped = await ctx.db
    .deleteFrom('identities')
    .where('user_id', '=', user_id)
    .where('gave_admin', '=', false)
    .returning('provider')
    .execute()
  for (const { provider } of dropped) await recordEvent(ctx, { kind: 'identity.removed', payload: { user_id, provider } })
}

/** What a provider has given to the account of an identity. */
export interface GivenFlags {
  readonly gave_admin: boolean
  readonly gave_external: boolean
}

/** Keeps what the provider has given. */
export async function keepGiven({ db }: Pick<Context, 'db'>, id: number, given: GivenFlags): Promise<void> {
  await db
    .updateTable('identities')
    .set({ ...given })
    .where('id', '=', id)
    .execute()
}

/** Whether the directory of an identity has the person, as it is kept. */
export interface Presence {
  /** Since when it does not; null: it does. */
  readonly left_at: Date | null
  /** Was the account blocked because it does not? */
  readonly blocked_account: boolean
}

/** Keeps whether the directory of an identity has the person, with an entry in the audit log. */
export async function keepPresence(
  ctx: Context,
  { id, user_id, provider }: { readonly id: number; readonly user_id: number; readonly provider: string },
  presence: Presence,
): Promise<void> {
  await ctx.db
    .updateTable('identities')
    .set({ ...presence })
    .where('id', '=', id)
    .execute()
  const kind = presence.left_at === null ? 'identity.returned' : 'identity.left'
  await recordEvent(ctx, { kind, payload: { user_id, provider } })
}

/** Keeps that a person has blocked an account: no directory sets it free again. */
export async function keepBlocked({ db }: Pick<Context, 'db'>, userId: number): Promise<void> {
  await db
    .updateTable('identities')
    .set({ blocked_account: false })
    .where('user_id', '=', userId)
    .where('blocked_account', '=', true)
    .execute()
}
