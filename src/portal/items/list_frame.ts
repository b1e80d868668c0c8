/** The filter bar, the states and the orders of a list of items: all of them read and write the parameters of the API's list. */
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { type FilterKey, type FilterParams, textOfParams } from './filter_text.ts'

/** A list as its page shows it. */
export interface ListFrame {
  /** The path of the page. */
  readonly base: string
  readonly keys: readonly FilterKey[]
  /** The parameters of the address, as they were sent. */
  readonly params: FilterParams
  readonly states: readonly (readonly [value: string, label: string, count: number | undefined])[]
  readonly orders: readonly (readonly [value: string, label: string])[]
  /** Where completions of the bar come from; undefined where there are none. */
  readonly completions?: string
  readonly wrong: string | undefined
  /** What the bar shows while it is empty. */
  readonly example?: string
}

/** An address of the list with some parameters changed; the page number is left out. Pure. */
export function listAddress(base: string, params: FilterParams, changes: FilterParams = {}): string {
  const all = Object.entries({ ...params, ...changes }).filter(([name, value]) => value !== '' && name !== 'page' && name !== 'filter')
  const query = new URLSearchParams(all).toString().replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',')
  return query === '' ? base : `${base}?${query}`
}

/** The bar alone. */
export const filterField = (
  { base, keys, params, completions, wrong, example = 'label:bug -label:docs author:ada words' }: Omit<ListFrame, 'states' | 'orders'>,
  kept: FilterParams = {},
): Html =>
  html`<form class="filter-bar item-filter" action="${base}" role="search">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<filter-bar${completions !== undefined && html` data-completions="${completions}"`} data-keys="${JSON.stringify(keys.map(({ key, says, values, negatable }) => ({ key, says, values, negatable })))}"><label class="sr-only" for="filter">Filter</label><input class="form-control" type="search" id="filter" name="filter" value="${textOfParams(keys, params)}" placeholder="${example}" autocomplete="off" spellcheck="false" autocapitalize="none" data-hotkey="f"${wrong !== undefined && html` aria-invalid="true" aria-describedby="filter-wrong"`}></filter-bar><button class="btn">${icon('search')} Filter</button>${wrong !== undefined && html`<p class="wrong" id="filter-wrong" role="alert">${wrong}</p>`}</form>`

/** The bar above a list, with the states and orders. */
export function filterBar({ states, orders, ...bar }: ListFrame): Html {
  const { base, params, keys } = bar
  const kept = Object.fromEntries(
    ['order_by', 'sort', ...(keys.some(({ key }) => key === 'scope') ? [] : ['scope'])].flatMap(name =>
      params[name] === undefined ? [] : [[name, params[name]] as const],
    ),
  )
  const order = `${params.order_by ?? 'created_at'}:${params.sort ?? 'desc'}`
  const state = params.state ?? 'opened'
  return html`${filterField(bar, { state, ...kept })}
<div class="row apart list-controls"><nav class="subnav" aria-label="State">${states.map(([value, label, count]) => html`<a href="${listAddress(base, params, { state: value })}"${value === state && html` aria-current="page"`}>${label}${count !== undefined && html` <span class="counter">${count}</span>`}</a>`)}</nav>
<div class="row"><saved-filters data-base="${base}" hidden></saved-filters><details class="menu"><summary class="btn btn-sm">${orders.find(([value]) => value === order)?.[1] ?? 'Order'} ${icon('triangle-down')}</summary><div class="menu-items">${orders.map(
    ([value, label]) => {
      const [order_by = '', sort = ''] = value.split(':')
      return html`<a href="${listAddress(base, params, { order_by, sort })}"${value === order && html` aria-current="true"`}>${label}</a>`
    },
  )}</div></details></div></div>
${filterHelp(keys)}`
}

/** The keys of a bar, in words. */
export const filterHelp = (keys: readonly FilterKey[]): Html =>
  html`<details class="filter-help"><summary class="small muted">What the filter understands</summary><dl class="facts-list">${keys.map(({ key, says, values, negatable }) => html`<dt class="mono">${negatable && '(-)'}${key}:</dt><dd>${says}${values && html`: ${values.map(value => html`<code>${value}</code> `)}`}</dd>`)}</dl></details>`
