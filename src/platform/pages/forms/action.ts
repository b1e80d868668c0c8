/**
 * An action is an endpoint's declaration behind one button: star, revoke, delete. What the button sends runs the declaration itself, by the same
 * checks and rights; a refusal is the error page, or a notice on the page that the button stands on.
 */
import type { TProperties } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type ByteAnswer, bytes, type Endpoint, type Route } from '../../kernel/declaration/endpoint.ts'
import type { Scope } from '../../kernel/declaration/scope.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Wire } from '../../kernel/request/wire.ts'
import { HTML, pages } from '../dialect.ts'
import { done, part } from '../frame/document.ts'
import { type Html, html } from '../html.ts'
import { csrfField, guarded } from './declare.ts'

/** What an action needs beyond the declaration that it runs. `S`: the subjects of its scope. */
export interface ActionDeclaration<S extends object> {
  /** The address that the button sends to: `POST /…`. */
  readonly route: Route
  /** The declaration that it runs. Its scope gives the same subjects as `scope`. */
  readonly of: Endpoint
  readonly scope: Scope<S, TProperties>
  /** Where it leads; `result` is what the declaration answered. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly next: (ctx: Context & S, result: any) => string
  /** What the next page says; `result` as above, undefined where it was so already. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly notice: string | ((result: any) => string)
  /** Shows what is to be seen this once (a secret), in place of leading on; its button is `whole`. */
  // biome-ignore lint/suspicious/noExplicitAny: the declaration's own affair
  readonly answered?: (ctx: Context & S, result: any) => ByteAnswer | Promise<ByteAnswer>
  /** What the button sends in place of the declaration's parameters, and what becomes of it. */
  readonly instead?: {
    readonly params: TProperties
    adapt(ctx: Context & S, params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
  }
  /** Refusals of `instead` besides the declaration's. */
  readonly errors?: Endpoint['errors']
  /** Asks for a confirmation first, where there was none lately (confirm.ts). */
  readonly confirms?: true
  /** Shows a refusal on the page that the button stands on. Default: the error page. */
  readonly refused?: (ctx: Context & S, refusal: Refusal, sent: Wire) => ByteAnswer | Promise<ByteAnswer>
}

/** Sent by scripts of ours that stay on their page: they get the notice alone, and no page. */
export const PART_HEADER = 'x-part'

/** Declares an action. 304 of the declaration (it is so already) counts as done. */
export const action = <S extends object>({
  route,
  of,
  scope,
  next,
  notice,
  answered,
  instead,
  errors = [],
  confirms,
  refused,
}: ActionDeclaration<S>): Endpoint =>
  guarded({
    ...of,
    // The rules are about the parameters of the declaration.
    ...(instead ? { params: instead.params, rules: [], errors: [...(of.errors ?? []), ...errors] } : {}),
    route,
    method: 'POST',
    path: route.slice(route.indexOf('/')) as `/${string}`,
    shows: of.route,
    ...(confirms ? { confirms } : {}),
    scope: scope as Endpoint['scope'],
    dialect: pages,
    answers: bytes(HTML),
    run: async (input: Context & S & { readonly params: Readonly<Record<string, unknown>> }) => {
      const given = instead ? { ...input, params: await instead.adapt(input, input.params) } : input
      const result = await Promise.resolve(of.run(given)).catch(error => {
        if (error instanceof Refusal && error.kind === 'not_modified') return undefined
        throw error
      })
      if (answered) return answered(input, result)
      const says = typeof notice === 'string' ? notice : notice(result)
      return input.request.headers[PART_HEADER] === undefined ? done(input, next(input, result), says) : part(html`${says}`)
    },
    ...(refused && { refused }),
  })

/** How a button of an action looks, and what it sends besides. */
export interface ActionButton {
  /** The address of the action. */
  readonly to: string
  /** What stands on it. */
  readonly face: string | Html
  /** What it is called where the face alone does not say it. */
  readonly label?: string
  /** `menu`: among the entries of one. */
  readonly look?: 'plain' | 'primary' | 'danger' | 'bare' | 'menu'
  /** Shown when one points at it; default: `label`. */
  readonly title?: string
  /** What it stands for is so now. */
  readonly isOn?: boolean
  /** Parameters that it sends. */
  readonly sends?: Readonly<Record<string, string | number>>
  /** Asks before it is sent, where it cannot be taken back; with a script only. */
  readonly asks?: string
  /** What is answered is shown as it is, and is no way on. */
  readonly whole?: true
  /** The key that presses it while the focus is in its entry of a list. */
  readonly rowKey?: string
}

const looks = {
  plain: 'btn btn-sm',
  primary: 'btn btn-sm btn-primary',
  danger: 'btn btn-sm btn-danger',
  bare: 'bar-button',
  menu: 'menu-button',
} as const

/** A form of one button. */
export const actionButton = (
  ctx: Pick<Context, 'actor' | 'deps'>,
  { to, face, label, look = 'plain', title = label, isOn, sends = {}, asks, rowKey, whole }: ActionButton,
): Html =>
  html`<form method="post" action="${to}"${asks !== undefined && html` data-turbo-confirm="${asks}"`}${whole && html` data-turbo="false"`}>${csrfField(ctx)}${Object.entries(sends).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${looks[look]}${isOn && ' selected'}"${label !== undefined && html` aria-label="${label}" title="${title}"`}${rowKey !== undefined && html` data-row-key="${rowKey}" aria-keyshortcuts="${rowKey}"`}>${face}</button></form>`
