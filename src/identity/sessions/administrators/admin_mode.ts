/**
 * Admin mode, where the instance has it (`admin_mode`): the session of an administrator is that of any user until they have proven again who they are, and
 * once more some hours later (`access/credentials/credentials.ts`). Contract: tokens and git are not touched by it (admin mode, 14.0).
 */
import { adminModeOf } from '../../../platform/access/actor.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { inInstance, within } from '../../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../../platform/kernel/errors.ts'

/** The session of an administrator on an instance with admin mode; 404 for all others. */
export const inAdminMode = within(inInstance, {
  name: 'inAdminMode',
  path: {},
  async load({ actor }) {
    const { credential, user } = actor
    const isAdministering = adminModeOf(actor)
    if (credential?.kind !== 'session' || isAdministering === undefined || !user) throw notFound('Page')
    return { session: { id: credential.id, userId: user.id, isAdministering } }
  },
  errors: () => ['not_found'],
})

interface InAdminMode {
  readonly session: { readonly id: number; readonly userId: number; readonly isAdministering: boolean }
}

/** The session's user is an administrator from the next request on. The caller has confirmed that it is them. */
export async function enterAdminMode(ctx: Context & InAdminMode): Promise<void> {
  await setSince(ctx, ctx.now)
  await recordEvent(ctx, { kind: 'admin_mode.entered', payload: { user_id: ctx.session.userId } })
}

/** The session's user is one like any other from the next request on. Leaving twice changes nothing. */
export async function leaveAdminMode(ctx: Context & InAdminMode): Promise<void> {
  if (!ctx.session.isAdministering) return
  await setSince(ctx, null)
  await recordEvent(ctx, { kind: 'admin_mode.left', payload: { user_id: ctx.session.userId } })
}

const setSince = ({ db, session }: Context & InAdminMode, since: Date | null) =>
  db.updateTable('sessions').set({ admin_mode_since: since }).where('id', '=', session.id).execute()
