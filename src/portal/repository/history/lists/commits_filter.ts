/** The filter of a list of commits: its fields, and what is wrong with them. Pure. */
import { optional, type ParamsOf, text } from '../../../../platform/kernel/declaration/types.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'

const day = (description: string) => optional(text(description, { maxLength: 255, examples: ['2021-04-01'] }))

export const commitsFilterParams = {
  search: optional(text('Part of the message, in any case of letters', { maxLength: 255 })),
  author: optional(text('Part of the name or email of the author', { maxLength: 255 })),
  since: day('Committed on this day or later'),
  until: day('Committed on this day or earlier'),
}

type Filter = Partial<ParamsOf<typeof commitsFilterParams>>

/** The names of the fields that say no day. */
type WrongDays = readonly ('since' | 'until')[]

export const wrongDaysOf = (filter: Filter): WrongDays =>
  (['since', 'until'] as const).filter(name => (filter[name] ?? '') !== '' && !isDay(filter[name] ?? ''))

export const isNarrowed = ({ search, author, since, until }: Filter): boolean => [search, author, since, until].some(Boolean)

/** Does the calendar have this day? */
function isDay(day: string): boolean {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
  return instant !== undefined && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)
}

/** The form; what is typed stays, with what is wrong at its field. */
export function commitsFilter(base: string, filter: Filter, wrong: WrongDays): Html {
  const { search = '', author = '' } = filter
  return html`<form class="filter-bar section" action="${base}"><label class="sr-only" for="search">Message</label><input class="form-control" type="search" id="search" name="search" value="${search}" placeholder="Message"><label class="sr-only" for="author">Author</label><input class="form-control" type="search" id="author" name="author" value="${author}" placeholder="Author">${dayField('since', 'From', filter, wrong)}${dayField('until', 'To', filter, wrong)}<button class="btn">Filter</button></form>`
}

/** A date field of a browser shows days alone: what is none stands in a field of text. */
function dayField(name: 'since' | 'until', label: string, filter: Filter, wrong: WrongDays): Html {
  const value = filter[name] ?? ''
  const control = wrong.includes(name)
    ? html`<input class="form-control" type="text" id="${name}" name="${name}" value="${value}" size="12" aria-invalid="true" aria-describedby="${name}-wrong">`
    : html`<input class="form-control" type="date" id="${name}" name="${name}" value="${value}">`
  const says =
    wrong.includes(name) && html`<p class="wrong" id="${name}-wrong" role="alert">${label} is no day: write one as 2021-04-01.</p>`
  return html`<div class="row"><label class="small muted" for="${name}">${label}</label>${control}${says}</div>`
}
