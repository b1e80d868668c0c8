import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { InPlace } from '../members/scope.ts'
import { invitationFor } from './queries.ts'

/** `:email` becomes the invitation of that address to the place, or 404. */
export const inInvitation = <S extends InPlace>(inPlace: Scope<S>) =>
  within(inPlace, {
    name: `${inPlace.name}Invitation`,
    path: { email: text('The address that is invited', { maxLength: 254 }) },
    async load({ db, place }, { email }) {
      const invitation = await invitationFor(db, place.key, email)
      if (!invitation) throw notFound('Invitation')
      return { invitation }
    },
    modifiedAt: ({ invitation }) => invitation.created_at,
  })
