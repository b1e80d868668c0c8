/** The registration tokens for runners of the instance, of a project or of a group: found by their digest, shown from their ciphertext. */

import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { endOf, isInForce } from '../../platform/access/credentials/lifetimes.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'

/** The owner of a token, by its column. */
export type TokenHolder = 'project_id' | 'namespace_id'

/** Binds the ciphertext to its column. */
const PURPOSE = 'runners_tokens.encrypted'

/** The tokens of these projects or groups, created on first use. At most three statements. */
export async function runnersTokensOf(ctx: Context, holder: TokenHolder, ids: readonly number[]): Promise<Map<number, Secret>> {
  if (ids.length === 0) return new Map()
  const tokens = await existingTokens(ctx, holder, ids)
  const without = ids.filter(id => !tokens.has(id))
  if (without.length === 0) return tokens
  await addRunnersTokens(ctx, holder, without)
  // Read again: a concurrent request may have created one.
  return existingTokens(ctx, holder, ids)
}

async function existingTokens({ db, deps }: Context, holder: TokenHolder, ids: readonly number[]): Promise<Map<number, Secret>> {
  const rows = await db
    .selectFrom('runners_tokens')
    .select([`${holder} as id`, 'encrypted'])
    .where(holder, '=', anyOf(ids))
    .$narrowType<{ id: number }>()
    .execute()
  return new Map(rows.map(row => [row.id, deps.secrets.decrypt(row.encrypted, PURPOSE)]))
}

/** Creates tokens for projects or groups that have none; existing ones stay. A place that was removed since it was read gets none. */
export async function addRunnersTokens({ db, deps }: Context, holder: TokenHolder, ids: readonly number[]): Promise<void> {
  const made = ids.map(id => ({ id, token: newToken() }))
  const places = holder === 'project_id' ? 'projects' : 'namespaces'
  // Locked, so that a removal under way is waited for: the token would refer to what is then gone.
  await sql`with places as materialized (select id from ${sql.table(places)} where id = any(${ids}::bigint[]) order by id for key share)
    insert into runners_tokens (${sql.ref(holder)}, digest, encrypted)
    select made.* from unnest(${made.map(({ id }) => id)}::bigint[],
                         ${made.map(({ token }) => digestOf(token))}::text[],
                         ${made.map(({ token }) => deps.secrets.encrypt(token, PURPOSE))}::text[]) as made (id, digest, encrypted)
        join places on places.id = made.id
        on conflict (${sql.ref(holder)}) do nothing`.execute(db)
}

/** The place that runners are registered for. */
export type RegistrationPlace =
  | { readonly type: 'instance_type' }
  | { readonly type: 'group_type'; readonly groupId: number }
  | { readonly type: 'project_type'; readonly projectId: number }

/** The place of a registration token; undefined for an invalid one and for an expired one. */
export async function placeOfRunnersToken({ db, deps, now }: Context, token: string): Promise<RegistrationPlace | undefined> {
  const digest = digestOf(token)
  const configured = deps.config.runnersRegistrationToken
  if (configured !== undefined && timingSafeEqual(Buffer.from(digestOf(configured)), Buffer.from(digest))) return { type: 'instance_type' }
  const found = await db
    .selectFrom('runners_tokens')
    .select(['namespace_id', 'project_id'])
    .where('digest', '=', digest)
    .where(isInForce('runners_tokens.digest', 'runners_tokens', now))
    .executeTakeFirst()
  if (!found) return undefined
  if (found.namespace_id !== null) return { type: 'group_type', groupId: found.namespace_id }
  return found.project_id === null ? { type: 'instance_type' } : { type: 'project_type', projectId: found.project_id }
}

/** The token of the instance: the configured one, else one that is created on first use. */
export async function instanceRunnersToken(ctx: Pick<Context, 'db' | 'deps'>): Promise<Secret> {
  const { db, deps } = ctx
  if (deps.config.runnersRegistrationToken !== undefined) return deps.config.runnersRegistrationToken
  const existing = () =>
    db.selectFrom('runners_tokens').select('encrypted').where('namespace_id', 'is', null).where('project_id', 'is', null).executeTakeFirst()
  const found = await existing()
  if (found) return deps.secrets.decrypt(found.encrypted, PURPOSE)
  await db
    .insertInto('runners_tokens')
    .values(sealed(deps, newToken()))
    .onConflict(on => on.doNothing())
    .execute()
  // Read again: a concurrent request may have created one.
  return deps.secrets.decrypt((await existing())!.encrypted, PURPOSE)
}

/**
 * The token of the instance, replaced if it has expired: for the built-in runner, which has no operator to give it a new one. `ctx.db` must
 * be a transaction.
 */
export async function liveInstanceRunnersToken(ctx: Context): Promise<Secret> {
  const { db, deps, now } = ctx
  if (deps.config.runnersRegistrationToken !== undefined) return deps.config.runnersRegistrationToken
  const ended = await db
    .selectFrom('runners_tokens')
    .select('id')
    .where('namespace_id', 'is', null)
    .where('project_id', 'is', null)
    .where(sql<boolean>`not ${isInForce('runners_tokens.digest', 'runners_tokens', now)}`)
    .executeTakeFirst()
  return ended ? (await resetInstanceRunnersToken(ctx)).token : instanceRunnersToken(ctx)
}

const sealed = ({ secrets }: Context['deps'], token: Secret) => ({ digest: digestOf(token), encrypted: secrets.encrypt(token, PURPOSE) })

/** A registration token that has just replaced another one. */
export interface FreshRunnersToken {
  readonly token: Secret
  readonly token_expires_at: string | null
}

const itsEnd = endOf('runners_tokens.digest', 'runners_tokens').as('token_expires_at')

/** Replaces the token of a project or group; runners that registered with the former one stay registered. */
export async function resetRunnersToken(ctx: Context, holder: TokenHolder, id: number): Promise<FreshRunnersToken> {
  const { db, deps, now } = ctx
  const token = newToken()
  const values = { ...sealed(deps, token), created_at: now }
  const { token_expires_at } = await db
    .insertInto('runners_tokens')
    .values({ [holder]: id, ...values })
    .onConflict(on => on.column(holder).doUpdateSet(values))
    .returning(itsEnd)
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'registration_token.reset', payload: {}, ...inPlace({ [holder]: id }) })
  return { token, token_expires_at }
}

/** The same for the instance; 400 if its token is configured. */
export async function resetInstanceRunnersToken(ctx: Context): Promise<FreshRunnersToken> {
  const { db, deps } = ctx
  if (deps.config.runnersRegistrationToken !== undefined)
    throw badRequest('the registration token is set by INGOT_RUNNERS_REGISTRATION_TOKEN')
  const token = newToken()
  const { digest, encrypted } = sealed(deps, token)
  const { rows } = await sql<Pick<FreshRunnersToken, 'token_expires_at'>>`
    insert into runners_tokens (digest, encrypted, created_at) values (${digest}, ${encrypted}, ${ctx.now})
        on conflict ((true)) where namespace_id is null and project_id is null
        do update set digest = excluded.digest, encrypted = excluded.encrypted, created_at = excluded.created_at
        returning ${itsEnd}`.execute(db)
  await recordEvent(ctx, { kind: 'registration_token.reset', payload: {} })
  return { token, token_expires_at: rows[0]?.token_expires_at ?? null }
}
