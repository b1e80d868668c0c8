/** Lists on pages: cut like those of the API, with links to the other pages that keep the filters. */

import { cutPage, type PageRequest, pageParams, type Rows } from '../kernel/answer/page.ts'
import type { Context } from '../kernel/context.ts'
import { icon } from './components/icon.ts'
import { type Html, html } from './html.ts'

/** The parameters of every list page. */
export const listParams = pageParams

/** A page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** How many rows there are in all; undefined where that is more than are counted (decision 3). */
  readonly total: number | undefined
  /** No row comes after these. */
  readonly isLast: boolean
  /** Links to the other pages; undefined where there is but one. */
  readonly links: Html | undefined
}

/** Cuts the page that the address asks for. */
export async function listPage<Row>(
  ctx: Pick<Context, 'db' | 'request' | 'url'>,
  rows: Rows<Row>,
  params: PageRequest,
): Promise<ListPage<Row>> {
  const cut = await cutPage(ctx.db, rows, params, {}, new URL(ctx.url + ctx.request.address))
  const number = (name: string) => (cut.headers[name] ? Number(cut.headers[name]) : undefined)
  return {
    rows: cut.rows,
    total: number('x-total'),
    isLast: number('x-next-page') === undefined,
    links: pageLinks(ctx.request.address, {
      page: params.page,
      pages: number('x-total-pages'),
      next: number('x-next-page'),
      previous: number('x-prev-page'),
    }),
  }
}

interface Position {
  readonly page: number
  readonly pages: number | undefined
  readonly next: number | undefined
  readonly previous: number | undefined
}

/**
 * Links to the pages around one, the first and the last.
 * @param label what distinguishes them from others on the same page
 */
export function pageLinks(address: string, { page, pages, next, previous }: Position, label = 'Pages'): Html | undefined {
  if (next === undefined && previous === undefined && page === 1) return undefined
  const to = (number: number) => withParameter(address, 'page', String(number))
  const near = [page - 2, page - 1, page, page + 1, page + 2].filter(
    number => number >= 1 && (pages === undefined ? number <= (next ?? page) : number <= pages),
  )
  const numbers = [...new Set([1, ...near, ...(pages === undefined ? [] : [pages])])].sort((a, b) => a - b)
  const parts = numbers.flatMap((number, index) => {
    const gap = index > 0 && number - (numbers[index - 1] as number) > 1 ? [html`<span class="gap">…</span>`] : []
    return [...gap, number === page ? html`<span aria-current="page">${number}</span>` : html`<a href="${to(number)}">${number}</a>`]
  })
  return html`<nav class="pages" aria-label="${label}">${previous !== undefined && html`<a href="${to(previous)}" rel="prev">Previous</a>`}${parts}${next !== undefined && html`<a href="${to(next)}" rel="next">Next ${icon('chevron-right')}</a>`}</nav>`
}

/** The address with one parameter of its query set, or taken away. */
export function withParameter(address: string, name: string, value: string | undefined): string {
  const [path = '', query = ''] = address.split('?', 2)
  const params = new URLSearchParams(query)
  if (value === undefined) params.delete(name)
  else params.set(name, value)
  if (name !== 'page') params.delete('page')
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}
