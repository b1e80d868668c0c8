/** The pages of the handbook: its contents with a search, and a page for each file of docs/user. */

import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Side } from '../../platform/pages/frame/place.ts'
import { plainText } from '../../platform/pages/frame/plain_text.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { bookPage, bookPages, type PageTitle, pageIcons, pageNames, pageTitles, searchBook } from './book.ts'
import { contents, pageView, resultsView } from './book_view.ts'
import { HANDBOOK, helpPlace } from './place.ts'

const sideOf = (pages: readonly PageTitle[], current: string): Side => ({
  label: 'Handbook',
  current,
  groups: [{ items: pages.map(({ name, title }) => ({ key: name, label: title, icon: pageIcons[name], href: `${HANDBOOK}/${name}` })) }],
})

/** What the instance says on the first page, and where it gives help. */
async function ownHelp({ db }: Pick<Context, 'db'>): Promise<Html> {
  const { help_page_text: says, help_page_support_url: support } = await applicationSettings(db)
  return html`${says && html`<div class="section">${plainText(says)}</div>`}${support && html`<p class="section"><a href="${support}">Get help</a> from those who run this server.</p>`}`
}

const inHandbook = scope({
  name: 'inHandbook',
  path: { page: text('Name of a page', { examples: ['getting-started'] }) },
  load: async (_ctx, { page: wanted }) => {
    const name = pageNames.find(name => name === wanted)
    if (name === undefined) throw notFound('Page')
    return { shown: await bookPage(name) }
  },
  subject: () => ({ on: 'instance' as const }),
})

export const showHandbook = pageEndpoint({
  route: 'GET /help',
  summary: 'Show the handbook, and search it',
  scope: inInstance,
  can: 'read_instance',
  params: { search: text('Words that a section has', { maxLength: 255, default: '' }) },
  async run(ctx) {
    const search = ctx.params.search.trim()
    const pages = await bookPages()
    const results = search === '' ? undefined : resultsView(search, await searchBook(search))
    return page(ctx, {
      title: 'Handbook',
      place: helpPlace('handbook', sideOf(pages, '')),
      body: html`${await ownHelp(ctx)}${contents(search, results, pages)}`,
    })
  },
})

export const showHandbookPage = pageEndpoint({
  route: 'GET /help/:page',
  summary: 'Show a page of the handbook',
  scope: inHandbook,
  can: 'read_instance',
  run: async ctx =>
    page(ctx, {
      title: ctx.shown.title,
      place: helpPlace('handbook', sideOf(await pageTitles(), ctx.shown.name)),
      width: 'medium',
      body: await pageView(ctx.shown),
    }),
})
