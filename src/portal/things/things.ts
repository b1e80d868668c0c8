/** Pages that manage what belongs to a person or a place: a list, forms that add and change, buttons that remove, by the API's own declarations. */
import type { TProperties } from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { type FormDeclaration, form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { Home } from './homes.ts'
import type { ThingTopic } from './live.ts'
import { type FreshSecret, secretPage } from './secret_once.ts'

type FormPart<S extends object> = Pick<FormDeclaration<S>, 'of' | 'fields' | 'confirms' | 'instead' | 'values' | 'before' | 'after'> & {
  /** What the next page says. */
  readonly notice: string
}

/** What a new thing is made with. */
export interface Adding<S extends object> extends FormPart<S> {
  /** On the button, and over the form. */
  readonly title: string
  /** What was made, where it has a secret: it is shown once. */
  // biome-ignore lint/suspicious/noExplicitAny: what the declaration answers
  readonly secret?: (result: any) => FreshSecret
  /** Shown beside the secret. */
  // biome-ignore lint/suspicious/noExplicitAny: what the declaration answers
  readonly besides?: (ctx: Context & S, result: any) => Html
}

/** A button of each thing besides those that change and remove it. */
export interface ThingAction<S extends object, Row> extends Pick<Adding<S>, 'of' | 'secret' | 'confirms' | 'notice'> {
  /** Last part of its address. */
  readonly key: string
  readonly button: string
  readonly asks?: (row: Row) => string
  /** Default: every one has it. */
  readonly isFor?: (row: Row) => boolean
  /** Parameters that it sends. */
  readonly sends?: Readonly<Record<string, string>>
}

/** A kind of things. `S`: what the place's scope gives; `Row`: what the API answers; `More`: what the list shows besides. */
export interface Things<S extends object, Row, More = undefined> {
  readonly home: Home<S>
  /** Below the place, `/-/hooks`. */
  readonly path: `/${string}`
  /** Of the page in its place's navigation. */
  readonly key: string
  readonly title: string
  readonly icon: IconName
  /** What they are for, where there are none. */
  readonly purpose: string
  readonly list: Endpoint
  /** Parameters of the list that hold always. */
  readonly listed?: Readonly<Record<string, unknown>>
  /** What the rows of a page show besides, in a fixed number of statements. */
  readonly more?: (ctx: Context & S, rows: readonly Row[]) => Promise<More>
  readonly row: (row: Row, ctx: Context & S, more: More) => Html
  readonly labelOf: (row: Row) => string
  /** What its address has of it. */
  readonly idOf: (row: Row) => number | string
  /** Its parameter in routes. */
  readonly id: string
  /** Is it of this place, and not one that a place above has? Default: yes. */
  readonly isOwn?: (row: Row) => boolean
  readonly add?: Adding<S>
  // biome-ignore lint/suspicious/noExplicitAny: its scope gives what the declaration's does
  readonly edit?: FormPart<any> & {
    /** What the thing is called over the form. */
    // biome-ignore lint/suspicious/noExplicitAny: the same
    readonly named: (subjects: any) => string
  }
  readonly remove?: Pick<FormPart<S>, 'of' | 'confirms' | 'notice'> & { readonly button: string }
  // biome-ignore lint/suspicious/noExplicitAny: their scopes give what those of the declarations do
  readonly actions?: readonly ThingAction<any, Row>[]
  /** Before and after the list. */
  readonly before?: (ctx: Context & S) => Html | undefined | Promise<Html | undefined>
  readonly after?: (ctx: Context & S) => Html | undefined | Promise<Html | undefined>
  /** What the list's page takes besides page and size, as parameters of the list. */
  readonly params?: TProperties
  /** The kind of topic of the place that the list follows. */
  readonly live?: ThingTopic
  /** Built scripts that the forms need. */
  readonly scripts?: readonly string[]
}

/** The address of the page of these things. */
export const thingsPath = <S extends object>({ home, path }: Pick<Things<S, never>, 'home' | 'path'>, subjects: S): string =>
  `${home.pathOf(subjects)}${path}`

/** The endpoints of the pages of these things. */
export function thingPages<S extends object, Row, More = undefined>(things: Things<S, Row, More>): Readonly<Record<string, Endpoint>> {
  const { home, path, key, title, list, add, edit, remove, actions = [], id } = things
  const base = `${home.route}${path}` as `/${string}`
  const of = home.noun === '' ? '' : ` of ${home.noun}`
  const back = (ctx: S): string => thingsPath({ home, path }, ctx)
  const frame = (shown: string) => (ctx: Context & S) => ({ title: shown, place: home.placeOf(ctx, key), scripts: things.scripts ?? [] })
  const scopeOf = (api: Endpoint): Scope<S> => home.inPage(api.scope) as Scope<S>
  const seen = (secret: Adding<S>['secret'], shown: string, besides?: Adding<S>['besides']) =>
    secret && {
      // biome-ignore lint/suspicious/noExplicitAny: what the declaration answers
      answered: (ctx: Context & S, result: any) =>
        secretPage(ctx, secret(result), {
          ...frame(shown)(ctx),
          back: [back(ctx), `Back to: ${title}`],
          besides: besides?.(ctx, result),
        }),
    }

  const show = pageEndpoint({
    route: `GET ${base}`,
    summary: `Show what there is${of}: ${title}`,
    scope: scopeOf(list) as never,
    can: (home.can ?? list.can) as never,
    ...(list.tier && { tier: list.tier }),
    params: { ...listParams, ...things.params },
    async run(input) {
      const ctx = input as unknown as Context & S & { readonly params: Readonly<Record<string, unknown>> }
      const found = await answerOf(ctx, list, { ...ctx.params, ...things.listed })
      const rows: readonly Row[] = found.rows
      const more = (await things.more?.(ctx, rows)) as More
      const [before, after] = [await things.before?.(ctx), await things.after?.(ctx)]
      const topic = things.live && home.idOf && (`${things.live}:${home.idOf(ctx)}` as const)
      const shown = html`${rows.length > 0 ? html`<ul class="list">${rows.map(row => item(ctx, row, more))}</ul>` : empty({ icon: things.icon, title: 'Nothing here yet', says: things.purpose })}${found.links}`
      return page(ctx, {
        title,
        place: home.placeOf(ctx, key),
        heading: 'own',
        width: 'medium',
        ...(topic && { live: [topic] }),
        body: html`<div class="heading"><h1>${title}</h1>${add && may(ctx, add.of) && html`<a class="btn btn-primary" href="${back(ctx)}/new">${add.title}</a>`}</div>
${before}${topic ? livePart('things', topic, shown) : shown}${after}`,
      })
    },
  })

  /** Has the tier what a declaration does, and may the caller do it? */
  const may = (ctx: Context & S, of: Endpoint): boolean => tierCovers(ctx.tier, of.tier) && home.may(ctx, of.can)

  function item(ctx: Context & S, row: Row, more: More): Html {
    const label = things.labelOf(row)
    const to = `${back(ctx)}/${encodeURIComponent(things.idOf(row))}`
    const isOwn = things.isOwn?.(row) ?? true
    const buttons = actions.filter(({ of, isFor }) => may(ctx, of) && (isFor?.(row) ?? true))
    return html`<li>${icon(things.icon)}<div class="main">${things.row(row, ctx, more)}</div>${
      isOwn &&
      html`<div class="row">${buttons.map(({ key, button, asks, secret, sends }) => actionButton(ctx, { to: `${to}/${key}`, face: button, label: `${button}: ${label}`, ...(asks && { asks: asks(row) }), ...(secret && { whole: true }), ...(sends && { sends }) }))}${edit && may(ctx, edit.of) && html`<a class="btn btn-sm" href="${to}/edit" aria-label="Edit: ${label}">Edit</a>`}${remove && may(ctx, remove.of) && actionButton(ctx, { to: `${to}/remove`, face: remove.button, look: 'danger', label: `${remove.button}: ${label}`, asks: `${remove.button}: ${label}?` })}</div>`
    }</li>`
  }

  const shared = { next: back, cancel: back }
  const adding =
    add &&
    form<S>({
      ...add,
      ...shared,
      ...seen(add.secret, add.title, add.besides),
      path: `${base}/new`,
      summary: `${add.title}${of}`,
      scope: scopeOf(add.of),
      button: add.title,
      frame: frame(add.title),
    })
  const changing =
    edit &&
    form<S>({
      ...edit,
      ...shared,
      path: `${base}/:${id}/edit`,
      summary: `Change one${of}: ${title}`,
      scope: scopeOf(edit.of),
      button: 'Save',
      frame: ctx => frame(`Edit: ${edit.named(ctx)}`)(ctx),
    })
  const removing =
    remove &&
    action<S>({
      route: `POST ${base}/:${id}/remove`,
      of: remove.of,
      scope: scopeOf(remove.of),
      next: back,
      notice: remove.notice,
      ...(remove.confirms && { confirms: true }),
    })
  const others = actions.map(({ key, of, secret, confirms, notice, button }) => [
    key,
    action<S>({
      route: `POST ${base}/:${id}/${key}`,
      of,
      scope: scopeOf(of),
      next: back,
      notice,
      ...seen(secret, `${title}: ${button}`),
      ...(confirms && { confirms }),
    }),
  ])
  return {
    show,
    ...(adding && { showAdd: adding.show, add: adding.submit }),
    ...(changing && { showEdit: changing.show, edit: changing.submit }),
    ...(removing && { removing }),
    ...Object.fromEntries(others),
  }
}
