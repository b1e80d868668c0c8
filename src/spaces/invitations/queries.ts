/** Reads of invitations: memberships that wait for an account with the address. */
import { sql } from 'kysely'
import { isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'

/** The invitations of a group or project, the oldest first. `query`: a part of the address. */
export const invitationsOf = (db: Db, place: Place, query?: string) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.created_by_id')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.access_level',
      'invitations.expires_at',
      'invitations.created_at',
      'users.name as created_by_name',
    ])
    .where(({ eb }) =>
      'project_id' in place ? eb('invitations.project_id', '=', place.project_id) : eb('invitations.namespace_id', '=', place.namespace_id),
    )
    .$if(Boolean(query), narrowed => narrowed.where('invitations.email', 'ilike', containing(query as string)))
    .orderBy('invitations.id')

export type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationsOf>['executeTakeFirstOrThrow']>>

/** The invitation of an address, ignoring case. */
export const invitationFor = (db: Db, place: Place, email: string) =>
  invitationsOf(db, place).where(sql`lower(invitations.email)`, '=', email.toLowerCase()).executeTakeFirst()

/** The invitation that a link belongs to: where to, as what, and by whom. */
export const invitationByLink = (db: Db, secret: string, now: Date) =>
  db
    .selectFrom('invitations')
    .innerJoin('routes', join =>
      join.on(
        sql<boolean>`routes.project_id = invitations.project_id or (invitations.project_id is null and routes.namespace_id = invitations.namespace_id)`,
      ),
    )
    .leftJoin('users', 'users.id', 'invitations.created_by_id')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.namespace_id',
      'invitations.project_id',
      'invitations.access_level',
      'invitations.expires_at',
      'invitations.created_by_id',
      'users.name as inviter_name',
      'users.username as inviter_username',
      'routes.path',
      'routes.name as full_name',
    ])
    .where('invitations.digest', '=', digestOf(secret))
    .where(isInForce('invitations.digest', 'invitations', now))
    .executeTakeFirst()

export type LinkedInvitation = NonNullable<Awaited<ReturnType<typeof invitationByLink>>>

/** Invitations that were mailed since an instant: by this user, and by all. Those that were accepted or taken back count. */
export async function mailedSince(db: Db, userId: number | null, since: Date): Promise<{ readonly own: number; readonly all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where author_id = ${userId})::int as own, count(*)::int as "all"
      from audit_events where kind = 'invitation.created' and created_at > ${since}`.execute(db)
  return rows[0] ?? { own: 0, all: 0 }
}
