/** Declarations of pages and of what their forms are sent to. A write by cookie must prove that it comes from a page of ours, not from another site (CSRF). */
import type { TProperties } from 'typebox'
import { csrfSubject } from '../../access/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { csrfToken, isCsrfToken } from '../../kernel/csrf.ts'
import { type Bytes, bytes, type Declaration, type Endpoint, endpoint } from '../../kernel/declaration/endpoint.ts'
import { optional, text } from '../../kernel/declaration/types.ts'
import { forbidden } from '../../kernel/errors.ts'
import { HTML, pages } from '../dialect.ts'
import { type Html, html } from '../html.ts'
import { assertConfirmed, confirming } from './confirm.ts'

type PageDeclaration<S extends object, P extends TProperties> = Omit<Declaration<S, P, Bytes>, 'answers' | 'dialect'> &
  Partial<Pick<Endpoint, 'dialect'>>

/** Declares an endpoint that answers a page (or a redirect). */
export const pageEndpoint = <S extends object, const P extends TProperties = Record<never, never>>(
  declared: PageDeclaration<S, P>,
): Endpoint => endpoint<S, P, Bytes>({ dialect: pages, ...declared, answers: bytes(HTML) })

/** The parameter that carries the CSRF token. */
const csrfParam = { authenticity_token: optional(text('The CSRF token of the page')) }

/** An endpoint that refuses writes by cookie without the token that `csrfField` put into the form; one that confirms asks for a confirmation too. */
export const guarded = (made: Endpoint): Endpoint => ({
  ...made,
  params: { ...made.params, ...csrfParam },
  ...(made.confirms ? { refused: confirming(made) } : {}),
  run: (input: Context & { params: { authenticity_token?: string } }) => {
    const { authenticity_token, ...params } = input.params
    assertCsrfField(input, authenticity_token)
    if (made.confirms === true) assertConfirmed(input)
    // Commands write what they are given: the token is none of the declaration's parameters.
    return made.run({ ...input, params })
  },
})

/** Declares an endpoint that takes a page's form; refused without the token that `csrfField` put into the form. */
export const formEndpoint = <S extends object, const P extends TProperties = Record<never, never>>(
  declared: PageDeclaration<S, P>,
): Endpoint => guarded(pageEndpoint(declared))

/** The hidden field that a form for `formEndpoint` needs. */
export const csrfField = (ctx: Pick<Context, 'actor' | 'deps'>): Html | undefined => {
  const token = csrfToken(ctx.actor, ctx.deps.secrets)
  return token === undefined ? undefined : html`<input type="hidden" name="authenticity_token" value="${token}">`
}

/** The token counts as a field, or as the header that scripts send. Without a session there is nothing to forge. */
function assertCsrfField({ actor, deps, request }: Context, field: string | undefined): void {
  const subject = csrfSubject(actor)
  if (subject === undefined) return
  const token = field ?? String(request.headers['x-csrf-token'] ?? '')
  if (!isCsrfToken(deps.secrets, subject, token)) throw forbidden('This form is too old. Please go back, load the page again and repeat.')
}
