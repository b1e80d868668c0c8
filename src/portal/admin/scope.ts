/** Scopes of the administration: for all others than administrators its pages do not exist. */
import type { TProperties } from 'typebox'
import type { SubjectKind } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { inInstance, type Scope } from '../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'

/** A scope as administrators have it; 404 for all others, whether what the path names exists or not. */
export const administered = <S extends object, P extends TProperties, On extends SubjectKind>(inner: Scope<S, P, On>): Scope<S, P, On> => ({
  ...inner,
  load(ctx, path) {
    if (!isAdmin(ctx.actor)) throw notFound('Page')
    return inner.load(ctx, path)
  },
  errors: reads => ['not_found', ...(inner.errors?.(reads) ?? [])],
})

/** The instance, for administrators. */
export const inAdministration = administered(inInstance)
