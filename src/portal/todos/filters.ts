/** What the page of to-do items is narrowed by: parameters of its address, those of the API where it has them. */

import type { TodoFilters } from '../../collaboration/todos/queries.ts'
import { todoActions } from '../../collaboration/todos/write.ts'
import { integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import type { Wire } from '../../platform/kernel/request/wire.ts'

export const types = ['Issue', 'MergeRequest', 'Epic'] as const

export const filterParams = {
  type: optional(OneOf(types, { description: 'What they are about' })),
  action: optional(OneOf(todoActions, { description: 'Why they were made' })),
  project_id: optional(integer('Only items of this project')),
  group_id: optional(integer('Only items of this group and its projects')),
  author_id: optional(integer('ID of the user who caused them')),
}

export const stateParam = OneOf(['pending', 'snoozed', 'done'], { description: 'Due now, put off, or done', default: 'pending' })

/** What is shown. */
export interface Shown {
  readonly state: 'pending' | 'snoozed' | 'done'
  readonly type?: (typeof types)[number] | undefined
  readonly action?: (typeof todoActions)[number] | undefined
  readonly project_id?: number | undefined
  readonly group_id?: number | undefined
  readonly author_id?: number | undefined
}

/** A form sends what was left open as an empty text; `all` is what the kind was called before. */
export const withoutOpen = (sent: Wire): Wire =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '' && value !== 'all'))

/** The address of the page. */
export function addressOf(shown: Shown, changes: Partial<Shown> = {}): string {
  const entries = Object.entries({ ...shown, ...changes }).filter(([, value]) => value !== undefined)
  return `/dashboard/todos?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()}`
}

/** The filters of the query. */
export const filtersOf = ({ state, ...filters }: Shown, now: Date): TodoFilters => ({
  ...filters,
  state: state === 'done' ? 'done' : 'pending',
  ...(state === 'done' ? {} : { snoozed: { at: now, is: state === 'snoozed' } }),
})
