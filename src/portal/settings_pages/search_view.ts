/** What a search for settings has found, as a page. */
import { empty } from '../../platform/pages/components/empty.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FoundSetting } from './search.ts'

/** @param address where the search is sent to */
export const searchView = (address: string, search: string, found: readonly FoundSetting[]): Html =>
  html`<form class="filter-bar" action="${address}" role="search"><label class="sr-only" for="search">Find a setting</label><input class="form-control" type="search" id="search" name="search" value="${search}" placeholder="Find a setting"${search === '' && html` autofocus`}><button class="btn">Find</button></form>
${found.length > 0 ? html`<ul class="list" data-list>${found.map(({ label, where, href }) => html`<li><div class="main"><div class="title"><a href="${href}">${label}</a></div><div class="muted small">${where}</div></div></li>`)}</ul>` : search !== '' && empty({ icon: 'search', title: 'No setting has these words', says: 'Try another word for it, or a part of one.' })}`
