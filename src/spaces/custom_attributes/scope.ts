/** Users, groups and projects as what has custom attributes, and one attribute of theirs. */
import Type from 'typebox'
import { inUserById } from '../../identity/users/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type Scope, within } from '../../platform/kernel/scope.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type Bearer, customAttributeOf } from './queries.ts'

/** What every scope of this resource gives. */
export interface InBearer {
  readonly bearer: Bearer
}

export const inUserBearer = within(inUserById, {
  name: 'inUserById',
  path: {},
  load: async ({ user }): Promise<InBearer> => ({ bearer: { column: 'user_id', id: user.id } }),
})

export const inGroupBearer = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ group }): Promise<InBearer> => ({ bearer: { column: 'namespace_id', id: group.id } }),
})

export const inProjectBearer = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ project }): Promise<InBearer> => ({ bearer: { column: 'project_id', id: project.id } }),
})

/** The key in a path. */
export const keyPath = { key: Type.String({ minLength: 1, maxLength: 255, description: 'Key of a custom attribute' }) }

/** `:key` becomes an attribute of the thing, or 404. */
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

/** `:key` is what an attribute is, or will be, kept under. */
export const inCustomAttributeKey = <S extends InBearer>(outer: Scope<S>) =>
  within(outer, { name: `${outer.name}CustomAttribute`, path: keyPath, load: async (_ctx, { key }) => ({ key }) })
