/** The pages about the API: the search over all endpoints, and a page for each chapter. They say what the declarations say. */
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { Examples } from '../../platform/kernel/openapi/openapi.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Side } from '../../platform/pages/frame/place.ts'
import { API, helpPlace } from '../handbook/place.ts'
import { areas, titleOfChapter } from './areas.ts'
import { ChapterBodies } from './bodies.ts'
import { overview, resultsView } from './chapter_view.ts'
import { ApiChapters } from './chapters.ts'

/** The chapters beside a page, by area. */
const sideOf = (chapters: ApiChapters, current: string): Side => ({
  label: 'Chapters of the API',
  current,
  groups: areas.map(({ title, icon, chapters: names }) => ({
    title,
    items: names
      .filter(name => chapters.countIn(name))
      .map(name => ({ key: name, label: titleOfChapter(name), icon, href: `${API}/${name}` })),
  })),
})

/** The pages; the resources and the examples are those of the API's description. */
export function apiPages(
  resources: () => Readonly<Record<string, readonly Endpoint[]>>,
  examples: () => Examples,
): Readonly<Record<string, Endpoint>> {
  const chapters = new ApiChapters(resources, examples)
  const bodies = new ChapterBodies(chapters)
  const inApiChapter = scope({
    name: 'inApiChapter',
    path: { chapter: text('Name of a chapter', { examples: ['issues'] }) },
    load: async (_ctx, { chapter: name }) => {
      const chapter = await chapters.chapter(name)
      if (!chapter) throw notFound('Page')
      return { chapter }
    },
    subject: () => ({ on: 'instance' as const }),
  })
  return {
    showApi: pageEndpoint({
      route: 'GET /-/docs',
      summary: 'Read about the API, and search its endpoints',
      scope: inInstance,
      can: 'read_instance',
      params: { search: text('Words of the summary, the address or a parameter', { maxLength: 255, default: '' }) },
      run: async ctx => {
        const search = ctx.params.search.trim()
        const results = search === '' ? undefined : resultsView(search, chapters.search(search))
        return page(ctx, {
          title: 'API',
          place: helpPlace('api', sideOf(chapters, '')),
          body: overview(ctx.url, search, results, chapters),
        })
      },
    }),
    showApiChapter: pageEndpoint({
      route: 'GET /-/docs/:chapter',
      summary: 'Read about a chapter of the API',
      scope: inApiChapter,
      can: 'read_instance',
      run: async ctx => {
        const { chapter } = ctx
        const isSignedIn = ctx.actor.user !== undefined
        return page(ctx, {
          title: chapter.title,
          place: helpPlace('api', sideOf(chapters, chapter.name)),
          body: await bodies.bodyOf(chapter, ctx.url.replace(/\/$/, ''), isSignedIn),
          ...(isSignedIn && { scripts: ['api_request.js'] }),
        })
      },
    }),
  }
}
