/** The pages of the handbook: its contents with a search, and a page for each file of docs/user. */
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Side } from '../../platform/pages/frame/place.ts'
import { type BookPage, bookPage, pageIcons, pageNames, searchBook } from './book.ts'
import { contents, pageView, resultsView } from './book_view.ts'
import { HANDBOOK, helpPlace } from './place.ts'

const allPages = (): Promise<readonly BookPage[]> => Promise.all(pageNames.map(bookPage))

const sideOf = (pages: readonly BookPage[], current: string): Side => ({
  label: 'Handbook',
  current,
  groups: [{ items: pages.map(({ name, title }) => ({ key: name, label: title, icon: pageIcons[name], href: `${HANDBOOK}/${name}` })) }],
})

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
    const pages = await allPages()
    const results = search === '' ? undefined : resultsView(search, await searchBook(search))
    return page(ctx, { title: 'Handbook', place: helpPlace('handbook', sideOf(pages, '')), body: contents(search, results, pages) })
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
      place: helpPlace('handbook', sideOf(await allPages(), ctx.shown.name)),
      width: 'medium',
      body: pageView(ctx.shown),
    }),
})
