/** Users as bearers of custom attributes, and one attribute of any bearer. */

import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inUserById } from '../users/scope.ts'
import { type Bearer, customAttributeOf } from './queries.ts'

/** The result of every scope of this resource. */
export interface InBearer {
  readonly bearer: Bearer
}

export const inUserBearer = within(inUserById, {
  name: 'inUserById',
  path: {},
  load: async ({ user }): Promise<InBearer> => ({ bearer: { column: 'user_id', id: user.id } }),
})

/** The key in a path. */
export const keyPath = { key: text('Key of a custom attribute', { minLength: 1, maxLength: 255 }) }

/** `:key` becomes an attribute of the bearer, or 404. */
export const inCustomAttribute = <S extends InBearer>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}CustomAttribute`,
    path: keyPath,
    async load({ db, bearer }, { key }) {
      const attribute = await customAttributeOf(db, bearer, key)
      if (!attribute) throw notFound('Custom Attribute')
      return { attribute }
    },
  })

/** `:key` is the key of an attribute, which may not exist yet. */
export const inCustomAttributeKey = <S extends InBearer>(outer: Scope<S>) =>
  within(outer, { name: `${outer.name}CustomAttribute`, path: keyPath, load: async (_ctx, { key }) => ({ key }) })
