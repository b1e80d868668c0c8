/** Invitations as JSON (invitations API). */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Day, described, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { InvitationRow } from './queries.ts'

export const Invitation = entity({
  name: 'Invitation',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    invite_email: text('Email address that was invited'),
    access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
    created_at: DateTime('When it was created'),
    expires_at: Nullable(Day('Last day of the membership; null: none')),
    user_name: Nullable(text('Name of the user with the address; null where there is none')),
    created_by_name: Nullable(text('Name of the inviting user; null where the account is deleted')),
  }),
  present: (row: InvitationRow) => ({
    id: row.id,
    invite_email: row.email,
    access_level: row.access_level,
    created_at: row.created_at,
    expires_at: row.expires_at,
    // Contract: null, because an invited user with an account becomes a member (invitations API).
    user_name: null,
    created_by_name: row.created_by_name,
  }),
})

/** Contract: the answer to a change contains what can be changed (invitations API). */
export const ChangedInvitation = entity({
  name: 'ChangedInvitation',
  schema: Type.Object({
    access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
    expires_at: Nullable(Day('Last day of the membership; null: none')),
  }),
  present: ({ access_level, expires_at }: InvitationRow) => ({ access_level, expires_at }),
})

/** The result per address: which could not be invited, and why. */
export const Invited = plain(
  'Invited',
  Type.Object({
    status: text('`success` or `error`'),
    message: optional(described('What is wrong, by address', Type.Record(Type.String(), Type.String()))),
  }),
)
