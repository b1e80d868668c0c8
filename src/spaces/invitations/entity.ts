/** Invitations as JSON (invitations API). */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Day, Nullable } from '../../platform/kernel/types.ts'
import type { InvitationRow } from './queries.ts'

export const Invitation = entity({
  name: 'Invitation',
  schema: Type.Object({
    id: Type.Integer(),
    invite_email: Type.String(),
    access_level: Type.Integer(),
    created_at: DateTime(),
    expires_at: Nullable(Day()),
    user_name: Nullable(Type.String()),
    created_by_name: Nullable(Type.String()),
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
  schema: Type.Object({ access_level: Type.Integer(), expires_at: Nullable(Day()) }),
  present: ({ access_level, expires_at }: InvitationRow) => ({ access_level, expires_at }),
})

/** The result per address: which could not be invited, and why. */
export const Invited = plain(
  'Invited',
  Type.Object({ status: Type.String(), message: Type.Optional(Type.Record(Type.String(), Type.String())) }),
)
