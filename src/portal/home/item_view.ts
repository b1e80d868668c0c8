/** Issues and merge requests in short lists (the JSON of their APIs becomes HTML). */
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** The fields of an issue or merge request that a list shows. */
export interface ListedItem {
  readonly id: number
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly updated_at: string
  readonly references: { readonly full: string }
  readonly labels: readonly (string | { readonly name: string })[]
  readonly author: { readonly name: string }
  /** Of merge requests. */
  readonly source_branch?: string
  readonly draft?: boolean
}

const tones: Readonly<Record<string, Tone>> = { opened: 'success', closed: 'danger', merged: 'done' }

/** A list of issues or merge requests. `buttonOf`: what stands at the end of each, if anything. */
export const itemList = <Item extends ListedItem>(items: readonly Item[], buttonOf?: (item: Item) => Html | undefined): Html =>
  html`<ul class="list" data-list>${items.map(
    item => html`
<li>${icon(item.source_branch === undefined ? 'issue-opened' : 'git-pull-request')}<div class="main"><div class="title">${pageLink(item.web_url, item.title)}${item.draft && html` ${chip('Draft')}`}${item.state !== 'opened' && html` ${chip(item.state, tones[item.state])}`}</div>
<div class="facts"><span>${item.references.full}</span><span>by ${item.author.name}</span><span>updated ${time(item.updated_at)}</span>${item.labels.map(label => chip(typeof label === 'string' ? label : label.name))}</div></div>${buttonOf?.(item)}</li>`,
  )}</ul>`
