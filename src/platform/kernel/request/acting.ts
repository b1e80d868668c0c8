/**
 * Impersonation in the audit log: the first use in an hour of a token for sudo or impersonation, and every write with sudo,
 * or by an administrator who acts as the user in the browser. The changes
 * themselves have their own entries where they need one; these entries show that the user did not act in person.
 */
import { isImpersonated } from '../../access/actor.ts'
import type { Database } from '../../db/connection.ts'
import { recordEvent } from '../../events/events.ts'
import type { Context } from '../context.ts'

/** The entries of this process in the current hour, so that not every request writes. By database, because tests have several. */
const recorded = new WeakMap<Database, { hour: string; keys: Set<string> }>()

/**
 * Records that the caller starts to impersonate a user. In its own transaction, before the request is served: a failed attempt counts too.
 */
export async function recordActing(ctx: Context): Promise<void> {
  const { user, sudoBy, credential } = ctx.actor
  // In the browser the beginning is an action of its own, with its entry.
  if (!user || !credential || !('id' in credential) || isImpersonated(ctx.actor)) return
  const impersonates = credential.kind === 'personal_access_token' && credential.impersonation
  if ((!sudoBy && !impersonates) || !isFirst(ctx, `${sudoBy?.id} ${user.id} ${credential.kind} ${credential.id} ${ctx.request.ip}`)) return
  const to = { ...ctx, db: ctx.deps.database.db }
  if (impersonates) await recordEvent(to, { kind: 'impersonation.started', payload: { user_id: user.id, token_id: credential.id } })
  if (sudoBy) await recordEvent(to, { kind: 'sudo.started', payload: { user_id: user.id } })
}

/** Records a write in the name of another user, in its transaction. */
export async function recordSudo(ctx: Context): Promise<void> {
  const { sudoBy, user, credential } = ctx.actor
  if (!sudoBy || !user) return
  const by = credential?.kind === 'session' ? 'session' : 'token'
  const route = `${ctx.request.method} ${ctx.request.address.split('?', 1)[0]}`
  await recordEvent(ctx, { kind: 'sudo.wrote', payload: { user_id: user.id, route, by } })
}

/** Records the next impersonation in any case: the entries before it are gone. */
export function forgetActing(database: Database): void {
  recorded.delete(database)
}

function isFirst({ deps, now }: Context, key: string): boolean {
  const hour = now.toISOString().slice(0, 13)
  const known = recorded.get(deps.database)
  const current = known?.hour === hour ? known : { hour, keys: new Set<string>() }
  recorded.set(deps.database, current)
  if (current.keys.has(key)) return false
  current.keys.add(key)
  return true
}
