/** Scopes that load a GPG key by the id in the path. */

import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { gpgKeyOf } from './queries.ts'

/** `:key_id` becomes a GPG key of the user of the outer scope, or 404. */
const inGpgKeyOf = <S extends { readonly user: { readonly id: number } }>(outer: Scope<S>, name: string) =>
  within(outer, {
    name,
    path: { key_id: integer('ID of a GPG key') },
    async load({ db, user }, { key_id }) {
      const key = await gpgKeyOf(db, user.id, key_id)
      if (!key) throw notFound('GPG Key')
      return { key }
    },
  })

export const inOwnGpgKey = inGpgKeyOf(inSelf, 'inOwnGpgKey')

export const inUserGpgKey = inGpgKeyOf(inUser, 'inUserGpgKey')
