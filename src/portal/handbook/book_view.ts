/** The pages of the handbook. */
import { empty } from '../../platform/pages/components/empty.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { markdownBody } from '../markdown/body.ts'
import type { BookPage, Found } from './book.ts'
import { HANDBOOK } from './place.ts'

const RESULTS = 'handbook-results'

/** Characters of a section that a result shows. */
const SNIPPET = 200

const searchForm = (search: string): Html =>
  html`<live-search><form class="filter-bar" action="${HANDBOOK}" role="search" aria-label="Handbook" data-turbo-frame="${RESULTS}" data-turbo-action="replace"><label class="sr-only" for="handbook-search">Search the handbook</label><input class="form-control" type="search" id="handbook-search" name="search" value="${search}" placeholder="Search the handbook" autocomplete="off" data-hotkey="f"><button class="btn">Search</button></form></live-search>`

/** The part of a text around the first of the words that it has; its beginning where none is in it. */
export function snippetOf(text: string, search: string): string {
  const lower = text.toLowerCase()
  const places = search
    .toLowerCase()
    .split(/\s+/)
    .map(word => lower.indexOf(word))
    .filter(place => place >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  // From the beginning of a word, some way before it.
  const from = first < SNIPPET / 2 ? 0 : text.indexOf(' ', first - SNIPPET / 3) + 1
  const shown = text.slice(from, from + SNIPPET)
  return `${from > 0 ? '…' : ''}${shown}${from + SNIPPET < text.length ? '…' : ''}`
}

/** The sections that the search found. */
export const resultsView = (search: string, found: readonly Found[]): Html =>
  found.length === 0
    ? empty({ icon: 'search', title: 'No section has all of these words', says: `Fewer words find more than “${search}”.` })
    : html`<p class="muted" role="status">${found.length === 1 ? '1 section' : `${found.length} sections`}</p><ul class="help-results">${found.map(
        ({ page, title, anchor, text }) =>
          html`<li><a href="${HANDBOOK}/${page.name}${anchor && `#${anchor}`}">${title}</a>${anchor !== undefined && html` <span class="muted">in ${page.title}</span>`}<p class="muted small">${snippetOf(text, search)}</p></li>`,
      )}</ul>`

/** The first page: the search, and all pages with their chapters. */
export const contents = (search: string, results: Html | undefined, pages: readonly BookPage[]): Html =>
  html`${searchForm(search)}
<turbo-frame id="${RESULTS}" target="_top">${
    results ??
    html`<div class="api-areas">${pages.map(
      ({ name, title, sections }) =>
        html`<section class="panel"><div class="body"><h2><a href="${HANDBOOK}/${name}">${title}</a></h2><ul>${sections
          .filter(({ anchor }) => anchor !== undefined)
          .slice(0, 8)
          .map(
            section => html`<li><a class="quiet" href="${HANDBOOK}/${name}#${section.anchor}">${section.title}</a></li>`,
          )}</ul></div></section>`,
    )}</div>`
  }</turbo-frame>`

/** A page with a list of its sections above it. */
export const pageView = async ({ html: rendered, sections }: BookPage): Promise<Html> => {
  const listed = sections.filter(({ anchor }) => anchor !== undefined)
  return html`${
    listed.length > 2 &&
    html`<details class="help-contents"><summary>On this page</summary><ul>${listed.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul></details>`
  }<div class="markdown-body">${await markdownBody(rendered)}</div>`
}
