/** The page of a list of items: the filter bar, the states with their counts, and a page of what the list of the API answers. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { CommaList, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, Refusal } from '../../platform/kernel/errors.ts'
import { decodeForm } from '../../platform/kernel/request/wire.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { messagesOf } from '../../platform/pages/forms/form.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { Topic } from '../../platform/pages/live/topics.ts'
import { type FilterKey, type FilterParams, keysOf, paramsOfText } from './filter_text.ts'
import { filterBar, listAddress } from './list_frame.ts'

/** What the address of a list may have besides the parameters of the API's list, which that one reads: what it refuses is said at the bar. */
export const listingParams = {
  ...listParams,
  filter: optional(text('The text of the filter bar', { maxLength: 2_000 })),
  label_name: optional(
    CommaList(text('A label', { maxLength: 255 }), { maxItems: 20, description: 'Labels, as links in texts have them' }),
  ),
}

/** The parameters of an address as they were sent, by their names there; several values of one with commas. */
export function sentParams(address: string): FilterParams {
  const params: Record<string, string> = {}
  for (const [sent, value] of new URLSearchParams(address.split('?', 2)[1] ?? '')) {
    const name = sent.replace(/\[\]$/, '')
    params[name] = name !== sent && params[name] !== undefined ? `${params[name]},${value}` : value
  }
  return params
}

/** The parameters of an address as a list of the API reads them. */
export const wireOf = (address: string): Readonly<Record<string, unknown>> => wireWith(sentParams(address))

const wireWith = (params: FilterParams) =>
  decodeForm(new URLSearchParams({ state: 'opened', ...params } as Record<string, string>).toString())

/**
 * The address of a list whose bar was sent: what the bar has, and state and order beside it, is the address that can be kept and sent to others.
 * Undefined where the bar was not sent.
 */
export function filteredAddress(base: string, keys: readonly FilterKey[], { filter, ...kept }: FilterParams): string | undefined {
  if (filter === undefined) return undefined
  const { state, order_by, sort, scope } = kept
  const others = Object.entries({ state, order_by, sort, ...(keys.some(({ key }) => key === 'scope') ? {} : { scope }) })
  const given = Object.fromEntries(others.filter((entry): entry is [string, string] => entry[1] !== undefined))
  return listAddress(base, { ...given, ...paramsOfText(keys, filter) })
}

/** Refuses words in the filter of a list that is not searched. @throws Refusal 400 */
export function assertNoWords({ search }: FilterParams): void {
  if (search !== undefined) throw badRequest(`"${search}" has no key: this list is not searched for words`)
}

/** What a refusal says of a filter: of a parameter by the key that people write. */
function wrongFilter(refusal: Refusal, keys: readonly FilterKey[]): string {
  const { wrong, alert } = messagesOf(
    refusal,
    keys.map(({ param }) => ({ name: param })),
  )
  const byKey = Object.entries(wrong).map(([name, said]) => `${keys.find(({ param }) => param === name)?.key ?? name} ${said.join(', ')}`)
  return [...byKey, ...(alert === undefined ? [] : [alert])].join('; ') || 'The filter cannot be read.'
}

/** What was found, or what is wrong with the filter, in words. @throws what is no refusal */
export async function foundOrWrong<Found>(
  find: () => Promise<Found>,
  keys: readonly FilterKey[] = [],
): Promise<{ readonly found: Found; readonly wrong?: undefined } | { readonly found?: undefined; readonly wrong: string }> {
  try {
    return { found: await find() }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    return { wrong: wrongFilter(error, keys) }
  }
}

/** In place of rows where a filter is refused. */
export const unreadable = (icon: IconName): Html => empty({ icon, title: 'The filter cannot be read', says: 'Change it, or take it away.' })

/** A kind of item in lists. */
export interface ListedKind<Row> {
  readonly keys: readonly FilterKey[]
  readonly orders: readonly (readonly [value: string, label: string])[]
  readonly states: readonly (readonly [value: string, label: string])[]
  readonly icon: IconName
  /** Where there are none: a title, and what such a thing is for. */
  readonly none: readonly [title: string, says: string]
  /** The rows as HTML. `back`: the address of the list. */
  view(
    ctx: Context,
    rows: readonly Row[],
    frame: { readonly back: string; readonly base: string; readonly isOfProject: boolean },
  ): Html | Promise<Html>
}

/** A list to show. */
export interface Listing<Row> {
  readonly kind: ListedKind<Row>
  /** The path of the page. */
  readonly base: string
  /** The list of the API. */
  readonly list: Endpoint
  /** How many there are in each state, for the parameters of the list; undefined where nobody counts them. */
  readonly counts?: (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, number>>>
  readonly title: string
  readonly place?: Place
  /** Is it the list of one project? */
  readonly isOfProject?: true
  /** Sent unless the address says otherwise. */
  readonly defaults?: FilterParams
  readonly buttons?: Html
  /** Above the filter bar. */
  readonly above?: Html
  readonly topic?: Topic
  /** Scripts besides that of lists. */
  readonly scripts?: readonly string[]
  /** Where names are completed. */
  readonly completions?: string
}

/** What `/dashboard` shows: what is assigned to the caller, unless the address asks for something else. */
export function ownListing(
  { actor, request }: Pick<Context, 'actor' | 'request'>,
  title: string,
): Pick<Listing<never>, 'title' | 'defaults'> {
  if (request.address.includes('?')) return { title, defaults: { scope: 'all' } }
  return { title: `${title} assigned to you`, defaults: { scope: 'all', assignee_username: actor.user?.username ?? '' } }
}

/** What of an address narrows no list. */
const UNNARROWED: ReadonlySet<string> = new Set(['scope', 'order_by', 'sort', 'page', 'per_page'])

/** Does a list show some of what there is, by its address or unless that says otherwise? */
const isNarrowed = (sent: FilterParams, defaults: FilterParams): boolean =>
  [...Object.entries(defaults), ...Object.entries(sent)].some(
    ([name, value]) => !UNNARROWED.has(name) && !(name === 'state' && value === 'opened'),
  )

/** Answers the page of a list. */
export async function listing<Row>(
  ctx: Context & { readonly params: { readonly filter?: string | undefined; readonly label_name?: readonly string[] | undefined } },
  listed: Listing<Row>,
): Promise<ByteAnswer> {
  const { kind, base, list, defaults = {} } = listed
  const keys = keysOf(kind.keys, list, ctx.tier)
  const sent = sentParams(ctx.request.address)
  const { filter: _bar, label_name: _named, ...kept } = sent
  const asked = filteredAddress(base, keys, sent)
  if (asked !== undefined) return redirect(asked)
  const named = ctx.params.label_name ?? []
  const params: FilterParams = {
    ...defaults,
    ...kept,
    ...(named.length > 0 && kept.labels === undefined ? { labels: named.join(',') } : {}),
  }
  const wire = wireWith({ with_labels_details: 'true', ...params })
  const { found: both, wrong } = await foundOrWrong(() => Promise.all([answerOf(ctx, list, wire), listed.counts?.(wire)]), keys)
  const [found, counts] = both ?? []
  const state = params.state ?? 'opened'
  const rows = (found?.rows ?? []) as readonly Row[]
  const view =
    rows.length > 0
      ? html`${await kind.view(ctx, rows, { back: ctx.request.address, base, isOfProject: listed.isOfProject === true })}${found?.links}`
      : wrong !== undefined
        ? unreadable(kind.icon)
        : empty({
            icon: kind.icon,
            title: kind.none[0],
            says: isNarrowed(kept, defaults) ? `${kind.none[1]} None is like this.` : kind.none[1],
          })
  return page(ctx, {
    title: listed.title,
    heading: 'own',
    ...(listed.place === undefined ? {} : { place: listed.place }),
    ...(listed.topic === undefined ? {} : { live: [listed.topic] }),
    scripts: ['lists.js', ...(listed.scripts ?? [])],
    ...(wrong === undefined ? {} : { status: 422 }),
    body: html`<div class="heading"><h1>${listed.title}</h1>${listed.buttons && html`<div class="row">${listed.buttons}</div>`}</div>
${listed.above}${filterBar({
  base,
  keys,
  // What is so unless the address says otherwise need not be said.
  params: params.scope === defaults.scope ? { ...params, scope: '' } : params,
  wrong,
  states: kind.states.map(([value, label]) => [value, label, counts?.[value]]),
  orders: kind.orders,
  ...(listed.completions === undefined ? {} : { completions: listed.completions }),
})}
${listed.topic === undefined ? view : livePart(`items-${state}`, listed.topic, view)}`,
  })
}
