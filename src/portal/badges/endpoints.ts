/** The badges of projects and groups: what there is, the forms with a preview, and how a badge would look. */
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint, Route } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { groupBadges, projectBadges } from '../../spaces/badges/endpoints.ts'
import { RenderedBadge } from '../../spaces/badges/entity.ts'
import type { BadgeRow } from '../../spaces/badges/queries.ts'
import type { InBadgePlace } from '../../spaces/badges/scope.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { thingPages, thingsPath } from '../things/things.ts'
import { badgeLink, type ShownBadge } from './badge_view.ts'

type InPlace = InEither & InBadgePlace & { readonly badge?: BadgeRow }

/** What stands for what in an address. */
const placeholders = [
  ['%{project_path}', 'the full path of the project'],
  ['%{project_title}', 'its title'],
  ['%{project_name}', 'the last part of its path'],
  ['%{project_id}', 'its ID'],
  ['%{project_namespace}', 'the path of the group or user that it belongs to'],
  ['%{default_branch}', 'its default branch'],
  ['%{commit_sha}', 'the newest commit of that branch'],
] as const

const toCome = html`<p class="muted">The badge appears here.</p>`

const placeholderList = (): Html =>
  html`<details><summary>Placeholders in the addresses</summary><dl class="facts-list">${placeholders.map(([name, stands]) => html`<dt><code>${name}</code></dt><dd>${stands}</dd>`)}</dl></details>`

const NO_ADDRESS = 'is no web address: it begins with https:// or http://'

const fields: readonly FieldSpec[] = [
  { name: 'name', autofocus: true, hint: 'What it says, for those who do not see the image.' },
  { name: 'link_url', label: 'Link', control: 'text', hint: 'Where it leads.', invalid: NO_ADDRESS },
  {
    name: 'image_url',
    label: 'Image',
    control: 'text',
    hint: 'Over https, or of this instance. Who looks at the page loads it from there, without saying from which page.',
    invalid: NO_ADDRESS,
  },
]

interface Kind {
  readonly home: Home<InEither>
  readonly api: readonly Endpoint[]
  readonly says: string
}

function badgePages({ home, api, says }: Kind): Readonly<Record<string, Endpoint>> {
  const path = '/-/settings/badges'
  const of = (method: Endpoint['method'], ending: RegExp) => declarationOf(api, method, ending)
  const render = of('GET', /\/render$/)
  const kind = home === projectHome ? 'project' : 'group'

  /** The badge with these addresses; nothing for addresses that are refused. */
  async function previewOf(ctx: Context & InPlace, { link_url, image_url, name }: Readonly<Record<string, unknown>>): Promise<Html> {
    const draft = { link_url: String(link_url ?? ''), image_url: String(image_url ?? ''), shown_for: ctx.shownFor }
    const [shown] = await presentAll(RenderedBadge, ctx, [draft])
    if (!shown || draft.image_url === '') return toCome
    const { rendered_link_url, rendered_image_url } = shown as Pick<ShownBadge, 'rendered_link_url' | 'rendered_image_url'>
    return html`<p>${badgeLink({ name: name ? String(name) : null, rendered_link_url, rendered_image_url })}</p><dl class="facts-list"><dt>Leads to</dt><dd class="break">${rendered_link_url}</dd><dt>Loads</dt><dd class="break">${rendered_image_url}</dd></dl>`
  }
  const preview = async (ctx: Context & InPlace, sent?: Readonly<Record<string, unknown>>): Promise<Html> => {
    const shown = sent ? toCome : await previewOf(ctx, { ...ctx.badge })
    return html`<section class="section"><h2 class="form-part">Preview</h2><badge-preview data-from="${thingsPath({ home, path }, ctx)}/preview"${sent && html` data-typed`}>${shown}</badge-preview></section><div class="section">${placeholderList()}</div>`
  }

  const showPreview = pageEndpoint({
    route: `GET ${home.route}${path}/preview` as Route,
    summary: `See how a badge of ${home.noun} would look`,
    scope: home.inPage(render.scope) as never,
    can: render.can as never,
    params: { ...render.params, name: optional(text('Name of the badge', { maxLength: 255 })) },
    async run(input) {
      const ctx = input as unknown as Context & InPlace & { readonly params: Readonly<Record<string, unknown>> }
      await render.run(ctx as never)
      return part(await previewOf(ctx, ctx.params))
    },
  })
  return {
    ...thingPages<InPlace, ShownBadge>({
      home: home as Home<InPlace>,
      path,
      key: 'badges',
      title: 'Badges',
      icon: 'shield',
      purpose: says,
      list: of('GET', /\/badges$/),
      row: badge =>
        html`<div class="title">${badge.name || 'Badge'} ${badge.kind !== kind && chip('Of a group')}</div><div>${badgeLink(badge)}</div><div class="facts"><span class="break">${badge.link_url}</span><span class="break">${badge.image_url}</span></div>`,
      labelOf: ({ name, image_url }) => name || image_url,
      idOf: ({ id }) => id,
      id: 'badge_id',
      isOwn: badge => badge.kind === kind,
      scripts: ['badge_preview.js'],
      add: {
        of: of('POST', /\/badges$/),
        title: 'Add badge',
        fields: () => fields,
        after: preview,
        notice: 'The badge was added.',
      },
      edit: {
        of: of('PUT', /\/:badge_id$/),
        named: ({ badge: { name, image_url } }: { readonly badge: BadgeRow }) => name || image_url,
        fields: () => fields,
        values: ({ badge }: { readonly badge: BadgeRow }) => ({ ...badge }),
        after: preview,
        notice: 'The badge was changed.',
      },
      remove: { of: of('DELETE', /\/:badge_id$/), button: 'Remove', notice: 'The badge was removed.' },
    }),
    showPreview,
  }
}

export const projectBadgePages = badgePages({
  home: projectHome,
  api: projectBadges,
  says: 'A badge stands at the top of the project: an image with a link, such as the state of its pipeline.',
})
export const groupBadgePages = badgePages({
  home: groupHome,
  api: groupBadges,
  says: 'A badge of a group stands at the top of the group and of each project in it.',
})
