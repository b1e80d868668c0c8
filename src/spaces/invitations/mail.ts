/** The mail that invites an address without an account, and the link in it. */
import type { Role } from '../../platform/access/abilities.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import type { Secret } from '../../platform/secret.ts'

/** The address of the page that the link opens, without its secret. */
export const INVITES = '/-/invites'

/** The full path of a group or project. */
export async function fullPathOf(db: Db, place: Place): Promise<string> {
  const { path } = await db
    .selectFrom('routes')
    .select('path')
    .where(({ eb }) => ('project_id' in place ? eb('project_id', '=', place.project_id) : eb('namespace_id', '=', place.namespace_id)))
    .executeTakeFirstOrThrow()
  return path
}

export interface InvitationMail {
  readonly email: string
  /** Full path of the group or project. */
  readonly path: string
  readonly accessLevel: Role
  readonly secret: Secret
}

/** Writes the mail, in the transaction that keeps the invitation. The address is not confirmed: it is the invitation that is to reach its owner. */
export async function mailInvitation(ctx: Context, { email, path, accessLevel, secret }: InvitationMail): Promise<void> {
  const inviter = ctx.actor.user
  await writeMail(ctx, {
    kind: 'invitation',
    to: { address: email },
    says: ({ say, role }) => ({
      subject: say('invitation.subject', { path }),
      parts: [
        say('invitation.says'),
        {
          facts: {
            [say('fact.invited_by')]: inviter && `${inviter.name} (@${inviter.username})`,
            [say('fact.to')]: path,
            [say('fact.role')]: role(accessLevel),
          },
        },
        { action: say('invitation.action'), url: `${ctx.url}${INVITES}/${secret.reveal()}` },
        say('invitation.then'),
      ],
      reason: say('invitation.reason'),
    }),
  })
}
