/** Ends of identities. Apart from their writes, which accounts are made with. */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { providerNamed, providersOf } from '../providers/file.ts'
import { takeGiven } from '../providers/roles.ts'
import { mayUsePassword } from '../sessions/ways_in.ts'
import { credentialsOf } from '../two_factor/webauthn/queries.ts'
import { identitiesOf, type UserRow, userById } from '../users/queries.ts'

/**
 * Removes an identity: the user can no longer sign in by that provider, and loses what it gave.
 * @param keepsGiven whether what it gave stays, as if it was given by hand
 */
export async function removeIdentity(
  ctx: Context,
  { id, user_id, provider }: { readonly id: number; readonly user_id: number; readonly provider: string },
  keepsGiven = false,
): Promise<void> {
  await ctx.db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
  const user = await userById(ctx.db, user_id)
  if (user && !keepsGiven) await takeGiven(ctx, { identityId: id, userId: user_id }, user)
  await ctx.db.deleteFrom('identities').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'identity.removed', payload: { user_id, provider } })
}

type Owner = Pick<UserRow, 'id' | 'admin' | 'password_digest'>

/** Could the user sign in no more without their identity at this provider? */
export async function isLastWayIn(ctx: Pick<Context, 'db' | 'deps'>, user: Owner, provider: string): Promise<boolean> {
  const names = providersOf(ctx.deps.config).map(({ name }) => name)
  if (!names.includes(provider)) return false
  const identities = (await identitiesOf(ctx.db, [user.id])).get(user.id) ?? []
  if (identities.some(other => other.provider !== provider && names.includes(other.provider))) return false
  if (user.password_digest !== null && (await mayUsePassword(ctx, user))) return false
  return !(await credentialsOf(ctx.db, user.id)).some(({ passkey }) => passkey)
}

/** Is the provider a directory? It says who is still there: who could unlink it would stay, by a password of this server, when they are gone. */
export const isDirectory = ({ deps }: Pick<Context, 'deps'>, provider: string): boolean =>
  providerNamed(deps.config, provider)?.kind.directory !== undefined

/**
 * The same by the user themselves.
 * @throws Refusal 409 where it is their last way in, or at a directory
 */
export async function unlinkOwn(ctx: Context, user: Owner, identity: Parameters<typeof removeIdentity>[1]): Promise<void> {
  if (isDirectory(ctx, identity.provider)) throw conflict('Only an administrator unlinks the account of a directory')
  // Two that are unlinked at the same time: the second one sees what is left.
  await ctx.db.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
  if (await isLastWayIn(ctx, user, identity.provider))
    throw conflict('It is your last way to sign in: set a password, make a passkey or link another account first')
  await removeIdentity(ctx, identity)
}
