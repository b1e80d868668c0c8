/** The pages about the API: the overview with its search, and a chapter. */
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { API, HANDBOOK } from '../handbook/place.ts'
import { areas, titleOfChapter } from './areas.ts'
import type { ApiChapters, Chapter, Entry, Operation } from './chapters.ts'
import { entityView, inCode, jsonBlock, methodChip, operationView } from './operation_view.ts'
import type { Sample } from './samples.ts'

const RESULTS = 'api-results'

/** Results that are shown; more of them are found by another word. */
const MOST_RESULTS = 100

const searchForm = (search: string): Html =>
  html`<live-search><form class="filter-bar" action="${API}" role="search" aria-label="Endpoints" data-turbo-frame="${RESULTS}" data-turbo-action="replace"><label class="sr-only" for="api-search">Search all endpoints</label><input class="form-control" type="search" id="api-search" name="search" value="${search}" placeholder="Search all endpoints: merge request, per_page, DELETE /projects" autocomplete="off" spellcheck="false" data-hotkey="f"><button class="btn">Search</button></form></live-search>`

/** The endpoints that the search found. */
export const resultsView = (search: string, entries: readonly Entry[]): Html =>
  entries.length === 0
    ? empty({ icon: 'search', title: 'No endpoint has all of these words', says: `Fewer words find more than “${search}”.` })
    : html`<p class="muted" role="status">${entries.length === 1 ? '1 endpoint' : `${entries.length} endpoints`}${entries.length > MOST_RESULTS && `, the first ${MOST_RESULTS} of them`}</p><ul class="api-results">${entries
        .slice(0, MOST_RESULTS)
        .map(
          ({ chapter, id, method, address, summary }) =>
            html`<li>${methodChip(method)}<div><a href="${API}/${chapter}#${id}">${inCode(summary)}</a><div class="muted small"><code>${address}</code> in ${titleOfChapter(chapter)}</div></div></li>`,
        )}</ul>`

/** The first page: how to call the API, the search, and the chapters. */
export const overview = (url: string, search: string, results: Html | undefined, chapters: ApiChapters): Html =>
  html`${searchForm(search)}
<turbo-frame id="${RESULTS}" target="_top">${results ?? introduction(url, chapters)}</turbo-frame>`

const introduction = (url: string, chapters: ApiChapters): Html => {
  const base = `${url.replace(/\/$/, '')}/api/v4`
  return html`<div class="stack">
<p>Programs reach everything that this instance does below one address, with a <a href="/-/profile/personal_access_tokens">personal access token</a> in the header <code>PRIVATE-TOKEN</code> or <code>Authorization: Bearer</code>. Clients and libraries that speak the v4 REST API of release 14.0 work as they are. <a href="${HANDBOOK}/api">The handbook</a> says more about tokens, pages and errors; <a href="/api/v4/openapi.json" data-turbo="false">openapi.json</a> is the whole description for machines (OpenAPI 3.1).</p>
${copyField('the address of the API', base)}
<div class="api-areas">${areas.map(
    ({ title, chapters: names }) =>
      html`<section class="panel"><div class="body"><h2>${title}</h2><ul>${names
        .filter(name => chapters.countIn(name))
        .map(
          name => html`<li><a href="${API}/${name}">${titleOfChapter(name)}</a> <span class="muted">${chapters.countIn(name)}</span></li>`,
        )}</ul></section>`,
  )}</div></div>`
}

/** A chapter: its endpoints, its objects, and what its refusals look like. It pauses after each of them. */
export function* chapterView(
  { operations, entities, failures }: Chapter,
  samplesOf: (operation: Operation) => readonly Sample[],
  canTry: boolean,
): Generator<void, Html, void> {
  const shown: Html[] = []
  for (const operation of operations) {
    shown.push(operationView(operation, samplesOf(operation), canTry))
    yield
  }
  const objects: Html[] = []
  for (const entity of entities) {
    objects.push(entityView(entity))
    yield
  }
  return html`<nav class="panel" aria-label="Endpoints of this page"><div class="body"><ul class="api-contents">${operations.map(
    ({ id, endpoint, summary }) => html`<li>${methodChip(endpoint.method)} <a href="#${id}">${inCode(summary)}</a></li>`,
  )}</ul></div></nav>
${shown}
${entities.length > 0 && html`<section class="section" aria-labelledby="objects"><h2 id="objects">Objects</h2>${objects}</section>`}
${
  failures.length > 0 &&
  html`<section class="section" aria-labelledby="errors"><h2 id="errors">Errors</h2><div class="scroll" tabindex="0" role="region" aria-label="Errors and their bodies"><table class="data api-fields"><thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Body</th></tr></thead><tbody>${failures.map(
    ({ name, status, says, body }) =>
      html`<tr id="error-${name}"><th scope="row">${status}</th><td>${inCode(says)}</td><td>${body === undefined ? html`<span class="muted">none</span>` : jsonBlock(body)}</td></tr>`,
  )}</tbody></table></div></section>`
}`
}
