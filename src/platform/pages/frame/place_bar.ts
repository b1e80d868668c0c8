import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import type { Place, Tab } from './place.ts'

/** Where one is, and the tabs of that place. */
export const placeBar = ({ crumbs, icon: name, tabs, current }: Place): Html => html`<div class="place-bar">
<nav aria-label="Breadcrumb" class="row">${icon(name)}<ol class="crumbs">${crumbs.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ol></nav>
${tabs.length > 0 ? html`<nav class="tabs" aria-label="Tabs of ${crumbs.at(-1)?.label}">${tabs.map(tab => placeTab(tab, tab.key === current))}</nav>` : html`<div class="tabs"></div>`}
</div>`

const placeTab = ({ label, icon: name, href, count, hotkey }: Tab, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}${hotkey !== undefined && html` data-hotkey="${hotkey}"`}>${icon(name)}${label}${count !== undefined && html`<span class="counter">${count}</span>`}</a>`
