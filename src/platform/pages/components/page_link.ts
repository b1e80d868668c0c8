import { Port } from '../../kernel/declaration/port.ts'
import { type Html, html } from '../html.ts'

/** The paths of all pages, as their routes have them: `/:project_path/-/issues/:issue_iid`. */
export const pagePaths = new Port<readonly string[]>('pagePaths')

let patterns: readonly RegExp[] | undefined

/** An id of a route: a full path has slashes, but ends before `/-/`. */
const ID = '(?:(?!/-/).)+'

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/[:*]\w+/g, ID)}$`)

/** Is there a page at an address of this server? Pure, once the program is put together. */
export function isPage(address: string): boolean {
  patterns ??= pagePaths.value.map(patternOf)
  const { pathname } = new URL(address, 'http://localhost')
  return patterns.some(pattern => pattern.test(pathname))
}

/** A link to what the API names an address of, which may have no page: then its words alone. */
export const pageLink = (address: string, words: string | Html): Html =>
  isPage(address) ? html`<a href="${address}">${words}</a>` : html`<span>${words}</span>`
