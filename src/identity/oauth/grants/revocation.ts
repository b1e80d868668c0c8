/** Revokes the grants of users. */
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { GrantRow } from '../queries.ts'

/** Revokes one grant: its tokens, and unused codes that the user granted to the same application. */
export async function revokeGrant(ctx: Context, grant: GrantRow): Promise<void> {
  const { db } = ctx
  if (grant.application_id !== null)
    await db
      .deleteFrom('oauth_authorization_codes')
      .where('user_id', '=', grant.user_id)
      .where('application_id', '=', grant.application_id)
      .where('used_at', 'is', null)
      .execute()
  await revokeFamily(ctx, grant.family_id)
  await recordEvent(ctx, { kind: 'oauth_grant.revoked', payload: auditedGrant(grant), actorId: ctx.actor.user?.id })
}

/**
 * Revokes all grants of a user, because the password was changed or the account blocked. The caller holds a lock of the user's row, for
 * which an exchange of a code or token waits (queries.ts). Codes come first, so that the token of a code exchanged meanwhile is found.
 */
export async function revokeGrantsOf({ db, now }: Context, userId: number): Promise<void> {
  await db.deleteFrom('oauth_authorization_codes').where('user_id', '=', userId).where('used_at', 'is', null).execute()
  await db.deleteFrom('oauth_device_grants').where('user_id', '=', userId).execute()
  await db
    .updateTable('oauth_access_tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes every token that descends from one consent. */
export const revokeFamily = ({ db, now }: Context, familyId: string) =>
  db
    .updateTable('oauth_access_tokens')
    .set({ revoked_at: now })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()

/** Revokes the grant of a code or refresh token that was used twice, since one of the two clients may have stolen it. Recorded if any token was valid. */
export async function revokeReusedFamily(
  ctx: Context,
  {
    family_id,
    application_id,
    user_id,
  }: { readonly family_id: string; readonly application_id: number | null; readonly user_id: number | null },
): Promise<void> {
  const revoked = await revokeFamily(ctx, family_id)
  if (revoked.length === 0 || user_id === null) return
  const application =
    application_id === null
      ? undefined
      : await ctx.db.selectFrom('oauth_applications').select('name').where('id', '=', application_id).executeTakeFirst()
  const payload = auditedGrant({ application_id, application_name: application?.name ?? null, user_id })
  await recordEvent(ctx, { kind: 'oauth_grant.reused', payload })
}

/** Records that a user gave an application access: the application makes the request, the user gave the consent. */
export async function recordGrant(
  { db, now, request }: Context,
  application: { readonly id: number; readonly name: string } | null,
  userId: number,
  scopes: readonly string[],
): Promise<void> {
  const grant = auditedGrant({ application_id: application?.id ?? null, application_name: application?.name ?? null, user_id: userId })
  const recorder = { db, now, request, actor: { user: { id: userId }, sudoBy: undefined, credential: undefined } }
  await recordEvent(recorder, { kind: 'oauth_grant.given', payload: { ...grant, scopes }, actorId: userId })
}

/** The audit log's description of a grant; one that came from a password has no application. */
export const auditedGrant = ({
  application_id,
  application_name,
  user_id,
}: Pick<GrantRow, 'application_id' | 'application_name' | 'user_id'>) => ({
  id: application_id ?? 0,
  name: application_name ?? 'Password',
  user_id,
})
