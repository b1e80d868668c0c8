/**
 * An administrator acts as another user in the browser: their session stays theirs and names the user, so what ends it (signing out, a block, a new
 * password) ends this too, and `findSession` gives it up once the administrator is none or the user is not active.
 */
import { isAdmin, isImpersonated } from '../../../platform/access/actor.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { UserRow } from '../../users/queries.ts'

/** Why the caller cannot act as this user, in words; undefined where they can. */
export function whyNotActAs(
  { actor, deps }: Pick<Context, 'actor' | 'deps'>,
  user: Pick<UserRow, 'id' | 'state' | 'kind'>,
): string | undefined {
  if (!deps.config.impersonationEnabled) return 'Impersonation is disabled'
  if (isImpersonated(actor)) return 'You are already impersonating another user'
  if (!isAdmin(actor) || actor.sudoBy || actor.credential?.kind !== 'session') return 'Only an administrator with a session can impersonate'
  if (user.id === actor.user?.id) return 'You cannot impersonate yourself'
  if (user.kind !== 'human') return 'You cannot impersonate an internal user'
  if (user.state === 'blocked' || user.state === 'banned') return 'You cannot impersonate a blocked user'
  if (user.state !== 'active') return 'You cannot impersonate a user who cannot log in'
  return undefined
}

/**
 * Acts as a user from the next request on.
 * @throws Refusal 403 where that is not possible
 */
export async function beginActingAs(ctx: Context, user: Pick<UserRow, 'id' | 'state' | 'kind'>): Promise<void> {
  const reason = whyNotActAs(ctx, user)
  if (reason !== undefined) throw forbidden(reason)
  await setActingAs(ctx, user.id)
  await recordEvent(ctx, { kind: 'impersonation.began', payload: { user_id: user.id } })
}

/** The administrator is themselves again from the next request on. */
export async function stopActing(ctx: Context): Promise<void> {
  const { actor } = ctx
  if (!isImpersonated(actor) || !actor.user) throw forbidden('You do not act as another user')
  await setActingAs(ctx, null)
  await recordEvent(ctx, { kind: 'impersonation.ended', payload: { user_id: actor.user.id } })
}

async function setActingAs({ db, actor: { credential } }: Context, id: number | null): Promise<void> {
  if (credential?.kind !== 'session') throw new Error('only sessions act as others')
  await db.updateTable('sessions').set({ acting_as_id: id }).where('id', '=', credential.id).execute()
}
