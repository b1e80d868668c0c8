/** Scopes that load an SSH key by the id in the path. */

import { type Scope, scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { keyById, keyOf } from './queries.ts'

/** `:key_id` becomes a key of the user of the outer scope, or 404. */
const inKeyOf = <S extends { readonly user: { readonly id: number } }>(outer: Scope<S>, name: string) =>
  within(outer, {
    name,
    path: { key_id: integer('ID of an SSH key') },
    async load({ db, user }, { key_id }) {
      const key = await keyOf(db, user.id, key_id)
      if (!key) throw notFound('Key')
      return { key }
    },
  })

export const inOwnKey = inKeyOf(inSelf, 'inOwnKey')

export const inUserKey = inKeyOf(inUser, 'inUserKey')

/** `:id` becomes a key of any user, or 404: for administrators. */
export const inKey = scope({
  name: 'inKey',
  path: { id: integer('ID of an SSH key') },
  async load({ db }, { id }) {
    const key = await keyById(db, id)
    if (!key) throw notFound('Key')
    return { key }
  },
  subject: () => ({ on: 'instance' as const }),
})
