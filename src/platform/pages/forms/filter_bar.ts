/** Bars above lists: what narrows a list, sent as its address. */

import { type Html, html } from '../html.ts'
import { withParameter } from '../lists.ts'
import { labelOf } from './labels.ts'

/** One control of a bar. */
export interface Filter {
  /** Of the parameter. */
  readonly name: string
  readonly label: string
  readonly value: string | number | undefined
  /** A list to choose from, with an empty choice first where `any` says what that means; else a text is typed. */
  readonly choices?: readonly (readonly [value: string, label: string])[]
  readonly any?: string
  readonly type?: 'search' | 'text' | 'date'
}

/** Choices of these values, in words. */
export const choicesOf = (values: readonly string[]): readonly (readonly [string, string])[] =>
  values.map(value => [value, labelOf(value)] as const)

/** A bar of filters. `kept`: parameters of the address that stay as they are. */
export const filterBar = (action: string, filters: readonly Filter[], kept: Readonly<Record<string, string>> = {}): Html =>
  html`<form class="filter-bar analytics-filter" action="${action}" role="search">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${filters.map(
    filter => html`<label class="filter-field small">${filter.label}${control(filter)}</label>`,
  )}<button class="btn">Filter</button></form>`

function control({ name, value, choices, any, type = 'text' }: Filter): Html {
  const now = String(value ?? '')
  if (!choices) return html`<input class="form-control" type="${type}" name="${name}" value="${now}">`
  return html`<select class="form-control form-select" name="${name}">${any !== undefined && html`<option value="">${any}</option>`}${choices.map(
    ([choice, label]) => html`<option value="${choice}"${choice === now && html` selected`}>${label}</option>`,
  )}</select>`
}

/** An order of a list by the parameters of the API, and its name. */
export type ListOrder = readonly [order_by: string, sort: string, label: string]

/** Links to a list in each of its orders. */
export function orderLinks(
  address: string,
  orders: readonly ListOrder[],
  now: { readonly order_by: string | undefined; readonly sort: string | undefined },
): Html {
  const to = (order: string, sort: string) => withParameter(withParameter(address, 'order_by', order), 'sort', sort)
  return html`<nav class="subnav" aria-label="Order">${orders.map(([order, sort, label]) => html`<a href="${to(order, sort)}"${order === now.order_by && sort === now.sort && html` aria-current="page"`}>${label}</a>`)}</nav>`
}

/** Parameters without those that are empty: a form sends them all. */
export const given = <P extends Readonly<Record<string, unknown>>>(params: P): Partial<P> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '' && value !== undefined)) as Partial<P>
