/** Pages of what belongs to oneself: a list, a form that adds, a button that removes, each by the API's own declaration. */
import { inSelf } from '../../identity/users/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { SETTINGS, settingsPlace } from './place.ts'

/** A kind of things; `Row` is what its API answers. */
export interface OwnThings<Row> {
  /** Below the settings, and the key of the tab. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  /** What they are for, where there are none. */
  readonly purpose: string
  readonly list: Endpoint
  readonly row: (row: Row) => Html
  readonly labelOf: (row: Row) => string
  readonly idOf: (row: Row) => number
  readonly remove: { readonly of: Endpoint; readonly idParam: string; readonly button: string; readonly notice: string }
  readonly add?: { readonly of: Endpoint; readonly fields: readonly FieldSpec[]; readonly title: string; readonly notice: string }
}

/** The endpoints of the pages of these things. */
export function ownThings<Row>({
  name,
  title,
  icon: face,
  purpose,
  list,
  row,
  labelOf,
  idOf,
  remove,
  add,
}: OwnThings<Row>): Readonly<Record<string, Endpoint>> {
  const base = `${SETTINGS}/${name}` as const
  const item = (ctx: Context, thing: Row): Html =>
    html`<li>${icon(face)}<div class="main">${row(thing)}</div>${actionButton(ctx, { to: `${base}/${idOf(thing)}/remove`, face: remove.button, look: 'danger', label: `${remove.button}: ${labelOf(thing)}`, asks: `${remove.button}: ${labelOf(thing)}?` })}</li>`

  const show = pageEndpoint({
    route: `GET ${base}`,
    summary: `Show one’s own: ${title}`,
    scope: inSelf,
    can: 'update_own',
    params: listParams,
    async run(ctx) {
      const found = await answerOf(ctx, list, { page: ctx.params.page, per_page: ctx.params.per_page })
      return page(ctx, {
        title,
        place: settingsPlace(name),
        heading: 'own',
        width: 'medium',
        body: html`<div class="heading"><h1>${title}</h1>${add && html`<a class="btn btn-primary" href="${base}/new">${add.title}</a>`}</div>
${found.rows.length > 0 ? html`<ul class="list">${found.rows.map(thing => item(ctx, thing as Row))}</ul>` : empty({ icon: face, title: 'Nothing here yet', says: purpose })}${found.links}`,
      })
    },
  })
  const removing = action({
    route: `POST ${base}/:${remove.idParam}/remove`,
    of: remove.of,
    scope: remove.of.scope,
    next: () => base,
    notice: remove.notice,
    confirms: true,
  })
  if (!add) return { show, removing }
  const adding = form({
    path: `${base}/new`,
    summary: add.title,
    scope: inSelf,
    of: add.of,
    fields: () => add.fields,
    next: () => base,
    notice: add.notice,
    confirms: true,
    button: add.title,
    frame: () => ({ title: add.title, place: settingsPlace(name) }),
  })
  return { show, removing, showAdd: adding.show, add: adding.submit }
}
