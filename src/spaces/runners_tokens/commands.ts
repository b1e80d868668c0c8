/** The secrets that runners of the instance, of a project or of a group register with: found by their digest, shown from their ciphertext. */

import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'

/** What a token is of, by its column. */
export type TokenHolder = 'project_id' | 'namespace_id'

/** Binds the ciphertext to its column. */
const PURPOSE = 'runners_tokens.encrypted'

/** The tokens of these projects or groups. Each gets its own when it is first asked for. At most three statements. */
export async function runnersTokensOf(ctx: Context, holder: TokenHolder, ids: readonly number[]): Promise<Map<number, Secret>> {
  if (ids.length === 0) return new Map()
  const tokens = await existingTokens(ctx, holder, ids)
  const without = ids.filter(id => !tokens.has(id))
  if (without.length === 0) return tokens
  await addRunnersTokens(ctx, holder, without)
  // Read again: somebody else may have made one at the same moment.
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

/** Gives tokens to projects or groups that have none; those that have one keep it. */
export async function addRunnersTokens({ db, deps }: Context, holder: TokenHolder, ids: readonly number[]): Promise<void> {
  const made = ids.map(id => ({ id, token: newToken() }))
  await sql`insert into runners_tokens (${sql.ref(holder)}, digest, encrypted)
    select * from unnest(${made.map(({ id }) => id)}::bigint[],
                         ${made.map(({ token }) => digestOf(token))}::text[],
                         ${made.map(({ token }) => deps.secrets.encrypt(token, PURPOSE))}::text[])
        on conflict (${sql.ref(holder)}) do nothing`.execute(db)
}

/** Whom runners are registered for. */
export type RegistrationPlace =
  | { readonly type: 'instance_type' }
  | { readonly type: 'group_type'; readonly groupId: number }
  | { readonly type: 'project_type'; readonly projectId: number }

/** What a registration token is of; undefined for a wrong one. */
export async function placeOfRunnersToken({ db, deps }: Context, token: string): Promise<RegistrationPlace | undefined> {
  const digest = digestOf(token)
  const configured = deps.config.runnersRegistrationToken
  if (configured !== undefined && timingSafeEqual(Buffer.from(digestOf(configured)), Buffer.from(digest))) return { type: 'instance_type' }
  const found = await db.selectFrom('runners_tokens').select(['namespace_id', 'project_id']).where('digest', '=', digest).executeTakeFirst()
  if (!found) return undefined
  if (found.namespace_id !== null) return { type: 'group_type', groupId: found.namespace_id }
  return found.project_id === null ? { type: 'instance_type' } : { type: 'project_type', projectId: found.project_id }
}

/** The token of the instance: the configured one, else one that is made when it is first asked for. */
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
  // Read again: somebody else may have made one at the same moment.
  return deps.secrets.decrypt((await existing())!.encrypted, PURPOSE)
}

const sealed = ({ secrets }: Context['deps'], token: Secret) => ({ digest: digestOf(token), encrypted: secrets.encrypt(token, PURPOSE) })

/** Gives a project or group another token; runners that registered with the former one go on. */
export async function resetRunnersToken(ctx: Context, holder: TokenHolder, id: number): Promise<Secret> {
  const { db, deps } = ctx
  const token = newToken()
  const values = sealed(deps, token)
  await db
    .insertInto('runners_tokens')
    .values({ [holder]: id, ...values })
    .onConflict(on => on.column(holder).doUpdateSet(values))
    .execute()
  await recordEvent(ctx, { kind: 'registration_token.reset', payload: {}, ...inPlace({ [holder]: id }) })
  return token
}

/** The same for the instance; 400 where its token is configured. */
export async function resetInstanceRunnersToken(ctx: Context): Promise<Secret> {
  const { db, deps } = ctx
  if (deps.config.runnersRegistrationToken !== undefined)
    throw badRequest('the registration token is set by INGOT_RUNNERS_REGISTRATION_TOKEN')
  const token = newToken()
  const { digest, encrypted } = sealed(deps, token)
  await sql`insert into runners_tokens (digest, encrypted) values (${digest}, ${encrypted})
        on conflict ((true)) where namespace_id is null and project_id is null
        do update set digest = excluded.digest, encrypted = excluded.encrypted`.execute(db)
  await recordEvent(ctx, { kind: 'registration_token.reset', payload: {} })
  return token
}
