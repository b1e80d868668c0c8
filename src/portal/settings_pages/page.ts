/** The endpoints of a page of settings: the page, and what each of its forms is sent to. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Form, form } from '../../platform/pages/forms/form.ts'
import { type Page, page, pendingNotice } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { type FormSection, fieldsOf, isForm, mayUse, type Section, type SettingsPage, sectionsOf } from './declaration.ts'

/** The endpoints of pages of settings: each page, and what its forms are sent to. */
export const settingsPages = <S extends object>(pages: readonly SettingsPage<S>[]): { readonly [name: string]: Endpoint } =>
  Object.fromEntries(
    pages.flatMap(declared => Object.entries(settingsPage(declared)).map(([name, made]) => [`${declared.key}.${name}`, made])),
  )

/** `show`, and an endpoint for each form by the key of its section. */
function settingsPage<S extends object>(declared: SettingsPage<S>): { readonly [name: string]: Endpoint } {
  const forms = new Map<string, Form<S>>()
  const routeOf = ({ key }: FormSection<S>) => `${declared.formsAt ?? declared.path}/${key}` as const
  const noticeOf = (section: FormSection<S>) => section.notice ?? `Saved: ${section.title}.`

  for (const section of declared.sections.filter(isForm)) {
    const { key, title, of, instead, fields } = section
    const made = form<S>({
      path: routeOf(section),
      summary: `${declared.title}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      scope: declared.scope,
      of,
      only: fields.map(({ name }) => name),
      ...(instead && { instead }),
      ...(section.confirms && { confirms: true }),
      ...(section.look === 'danger' && { look: 'danger' }),
      ...(section.empty && { empty: section.empty }),
      ...(section.after && { after: section.after }),
      ...(section.values && { values: section.values }),
      fields: ctx => specsOf(ctx, declared, section),
      next: section.next ?? (ctx => `${declared.addressOf(ctx, declared.path)}#${key}`),
      notice: noticeOf(section),
      button: section.button ?? 'Save changes',
      cancel: 'stays',
      frame: ctx => frameOf(ctx),
      around: (ctx, refused) => pageOf(ctx, { key, refused }),
    })
    forms.set(key, made)
  }

  const frameOf = (ctx: Context & S) => ({
    title: declared.title,
    place: declared.placeOf(ctx),
    width: 'medium' as const,
    ...(declared.scripts && { scripts: declared.scripts }),
  })

  /** The page; `refused`: the form of a section with what is wrong with it. */
  async function pageOf(ctx: Context & S, { key, refused }: { key?: string; refused?: Html } = {}): Promise<Omit<Page, 'status'>> {
    const sections = await sectionsOf(ctx, declared)
    const notice = pendingNotice(ctx)
    const said = sections.find(section => isForm(section) && noticeOf(section) === notice)
    const views: Html[] = []
    for (const section of sections)
      views.push(
        sectionView(section, {
          body: section.key === key && refused ? refused : await bodyOf(ctx, section),
          notice: section === said ? notice : undefined,
          isRefused: section.key === key,
        }),
      )
    const alert =
      refused &&
      html`<div class="notice danger" role="alert">${icon('alert')}<span>Nothing was saved. <a href="#${key}">See what is wrong</a>.</span></div>`
    return { ...frameOf(ctx), body: html`${alert}${views}`, ...(said && { notice: 'own' as const }) }
  }

  async function bodyOf(ctx: Context & S, section: Section<S>): Promise<Html> {
    if (!mayUse(ctx, declared, section)) return html`<p class="muted">${icon('lock')} ${section.otherwise}</p>`
    if (!isForm(section)) return section.view(ctx)
    const fields = fieldsOf(ctx, declared, section)
    const [first] = fields
    if (first && fields.every(({ disabled }) => disabled !== undefined)) return html`<p class="muted">${icon('lock')} ${first.disabled}</p>`
    const values = (await section.values?.(ctx)) ?? {}
    return (forms.get(section.key) as Form<S>).embed(ctx, declared.addressOf(ctx, routeOf(section)), values)
  }

  const show = pageEndpoint({
    route: `GET ${declared.path}`,
    summary: `Show the settings: ${declared.title.charAt(0).toLowerCase()}${declared.title.slice(1)}`,
    scope: declared.scope,
    can: declared.can as never,
    run: async ctx => page(ctx, await pageOf(ctx as unknown as Context & S)),
  })
  return { show, ...Object.fromEntries([...forms].map(([key, { submit }]) => [key, submit])) }
}

/** The fields of a section with the choices that this place has. */
async function specsOf<S extends object>(ctx: Context & S, declared: SettingsPage<S>, section: FormSection<S>): Promise<FieldSpec[]> {
  const specs: FieldSpec[] = []
  for (const { choices, ...field } of fieldsOf(ctx, declared, section)) {
    if (choices === undefined) specs.push(field)
    else specs.push({ ...field, choices: typeof choices === 'function' ? await choices(ctx) : choices })
  }
  return specs
}

/** A section with its heading. A link to its form, or what was saved in it, is shown there. */
const sectionView = <S extends object>(
  { key, title, says, look }: Section<S>,
  { body, notice, isRefused }: { readonly body: Html; readonly notice: string | undefined; readonly isRefused: boolean },
): Html => html`<section class="settings-section${look !== undefined && ` ${look}`}" id="${key}" aria-labelledby="${key}-title"${isRefused && html` data-arrive`}>
<h2 id="${key}-title">${title}</h2>${says !== undefined && html`<p class="muted">${says}</p>`}
${notice !== undefined && html`<div class="notice success" role="status" tabindex="-1" data-arrive>${icon('check')}<span>${notice}</span></div>`}
${body}
</section>`
