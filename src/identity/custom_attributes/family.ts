/** The endpoints of custom attributes, for every kind that has them (custom attributes API of the v4 level 14.0): administrators only. */

import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { removeCustomAttribute, setCustomAttribute } from './commands.ts'
import { CustomAttribute } from './entity.ts'
import { customAttributesOf } from './queries.ts'
import { type InBearer, inCustomAttribute, inCustomAttributeKey } from './scope.ts'

interface Kind<S extends InBearer> {
  readonly noun: 'user' | 'group' | 'project'
  readonly scope: Scope<S>
  readonly can: Ability
}

/** Endpoints to list, get, set and remove the attributes of one kind. */
export function customAttributeEndpoints<S extends InBearer>({ noun, scope, can }: Kind<S>) {
  const path = `/${noun}s/:id/custom_attributes` as const
  const inOne = inCustomAttribute(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the custom attributes of a ${noun}`,
    scope,
    can,
    answers: pageOf(CustomAttribute),
    run: ({ db, bearer }) => customAttributesOf(db, bearer),
  })
  const get = endpoint({
    route: `GET ${path}/:key`,
    summary: `Get a custom attribute of a ${noun}`,
    scope: inOne,
    can,
    answers: one(CustomAttribute),
    run: ({ attribute }) => attribute,
  })
  const set = endpoint({
    route: `PUT ${path}/:key`,
    summary: `Set a custom attribute of a ${noun}`,
    scope: inCustomAttributeKey(scope),
    can,
    params: { value: text('Value of the attribute', { minLength: 1, maxLength: 10_000, examples: ['Helsinki'] }) },
    answers: one(CustomAttribute),
    run: ctx => setCustomAttribute(ctx, ctx.bearer, { key: ctx.key, value: ctx.params.value }),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:key`,
    summary: `Delete a custom attribute of a ${noun}`,
    scope: inOne,
    can,
    answers: nothing,
    run: ctx => removeCustomAttribute(ctx, ctx.bearer, ctx.attribute.key),
  })
  return [list, get, set, remove] as const
}
