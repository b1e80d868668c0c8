import { chip } from '../components/chip.ts'
import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import type { Place, Tab } from './place.ts'

/** Where one is, and the tabs of that place. */
export const placeBar = ({ crumbs, icon: name, mark, tabs, current }: Place): Html => html`<div class="place-bar">
<nav aria-label="Breadcrumb" class="row">${icon(name)}<ol class="crumbs">${crumbs.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ol>${mark !== undefined && chip(mark, 'attention')}</nav>
${tabs.length > 0 ? tabBar(tabs, current, `Tabs of ${crumbs.at(-1)?.label}`) : html`<div class="tabs"></div>`}
</div>`

function tabBar(tabs: readonly Tab[], current: string | undefined, label: string): Html {
  const { shown, more } = fitting(tabs, current)
  const tabOf = (tab: Tab) => placeTab(tab, tab.key === current)
  return html`<nav class="tabs" aria-label="${label}"><div class="tabs-shown">${shown.map(tabOf)}</div>${more.length > 0 && html`<details class="menu more-tabs"><summary class="bar-button">More ${icon('triangle-down')}</summary><div class="menu-items">${more.map(tabOf)}</div></details>`}</nav>`
}

/** The width of a bar in a window of 1280 px, of its menu "More", and of a tab around its words and of each of their letters; in px. */
const WIDTH = { bar: 1_248, more: 80, tab: 46, letter: 7.6, counter: 30 } as const

const widthOf = ({ label, count }: Tab): number => WIDTH.tab + label.length * WIDTH.letter + (count === undefined ? 0 : WIDTH.counter)

/**
 * The tabs that a bar has room for; the others stand in a menu beside them. The current one is always in the bar. How wide the window is, the
 * server does not know: where it is narrower, the bar scrolls. Pure.
 */
export function fitting(
  tabs: readonly Tab[],
  current: string | undefined,
): { readonly shown: readonly Tab[]; readonly more: readonly Tab[] } {
  const total = tabs.reduce((sum, tab) => sum + widthOf(tab), 0)
  if (total <= WIDTH.bar) return { shown: tabs, more: [] }
  const own = tabs.find(({ key }) => key === current)
  let left = WIDTH.bar - WIDTH.more - (own ? widthOf(own) : 0)
  const shown: Tab[] = []
  for (const tab of tabs) {
    if (tab !== own) {
      left -= widthOf(tab)
      if (left < 0) break
    }
    shown.push(tab)
  }
  if (own && !shown.includes(own)) shown.push(own)
  return { shown, more: tabs.filter(tab => !shown.includes(tab)) }
}

const placeTab = ({ label, icon: name, href, count, hotkey }: Tab, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}${hotkey !== undefined && html` data-hotkey="${hotkey}"`}>${icon(name)}${label}${count !== undefined && html`<span class="counter">${count}</span>`}</a>`
