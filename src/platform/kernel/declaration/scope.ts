/**
 * Scopes: how the ids in a path become the things they name. A scope answers 404 for what does not exist and for what
 * this caller may not see, in the same words.
 */
import type { TProperties } from 'typebox'
import type { AbilitySubject, SubjectKind } from '../../access/abilities.ts'
import type { Context } from '../context.ts'
import type { RefusalKind } from '../errors.ts'
import type { ParamsOf } from './types.ts'

/** Turns path parameters `P` into subjects `S`. Abilities about an `On` can be asked about them. */
export interface Scope<S extends object, P extends TProperties = TProperties, On extends SubjectKind = SubjectKind> {
  /** As in "inProject"; tests find example ids by it. */
  readonly name: string
  /** The path parameters it reads, described. */
  readonly path: P
  /** Loads the subjects, or throws `notFound`. */
  load(ctx: Context, path: ParamsOf<P>): Promise<S>
  /** The subject that an endpoint's `can` is asked about. */
  subject(subjects: S): AbilitySubject & { readonly on: On }
  /** When the subject last changed, for `If-Unmodified-Since` (decision 15). */
  modifiedAt?(subjects: S): string
  /** What `load` throws, besides `notFound` for an id in the path; part of the `errors` of every endpoint in this scope. */
  errors?(reads: boolean): readonly RefusalKind[]
}

/** Declares a scope. */
export const scope = <S extends object, const P extends TProperties, On extends SubjectKind>(declared: Scope<S, P, On>): Scope<S, P, On> =>
  declared

/** The whole instance: no ids in the path. */
export const inInstance = scope({
  name: 'inInstance',
  path: {},
  load: async () => ({}),
  subject: () => ({ on: 'instance' as const }),
})

/** A scope inside another: `outer` first, with its own 404s, then what lies in it. */
export function within<
  Outer extends object,
  OP extends TProperties,
  Inner extends object,
  const P extends TProperties,
  OuterOn extends SubjectKind,
  On extends SubjectKind = OuterOn,
>(
  outer: Scope<Outer, OP, OuterOn>,
  inner: {
    readonly name: string
    readonly path: P
    load(ctx: Context & Outer, path: ParamsOf<P>): Promise<Inner>
    subject?(subjects: Outer & Inner): AbilitySubject & { readonly on: On }
    modifiedAt?(subjects: Outer & Inner): string
    errors?(reads: boolean): readonly RefusalKind[]
  },
): Scope<Outer & Inner, OP & P, On> {
  return {
    name: inner.name,
    path: { ...outer.path, ...inner.path },
    async load(ctx, path) {
      const around = await outer.load(ctx, path as ParamsOf<OP>)
      return { ...around, ...(await inner.load({ ...ctx, ...around }, path as ParamsOf<P>)) }
    },
    // Without a subject of its own, `On` is that of the outer scope.
    subject: subjects => (inner.subject ?? outer.subject)(subjects) as AbilitySubject & { readonly on: On },
    ...(inner.modifiedAt ? { modifiedAt: inner.modifiedAt } : {}),
    errors: reads => [...(outer.errors?.(reads) ?? []), ...(inner.errors?.(reads) ?? [])],
  }
}
