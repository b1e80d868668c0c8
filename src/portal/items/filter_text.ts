/**
 * The text of a filter bar: `label:bug -label:docs author:ada milestone:"1.0" words`. It stands for parameters of the API's lists, which the
 * address keeps. Pure.
 */
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { type Tier, tierCovers, tierOf } from '../../platform/kernel/declaration/types.ts'

/** Parameters of a list as an address has them: `labels=a,b`, `not[labels]=c`. */
export type FilterParams = Readonly<Record<string, string>>

/** A key of the filter bar. */
export interface FilterKey {
  /** What people write before the colon. */
  readonly key: string
  /** The parameter that it stands for. */
  readonly param: string
  /** What it means, for the list of keys. */
  readonly says: string
  /** May it be negated? */
  readonly negatable?: true
  /** Several values, with commas in the parameter. */
  readonly many?: true
  /** The values that it can have, where they are few. */
  readonly values?: readonly string[]
  /** `yes` and `no` stand for `true` and `false`. */
  readonly isFlag?: true
}

const flags: Readonly<Record<string, string>> = { yes: 'true', no: 'false', true: 'yes', false: 'no' }

/** The filters of issues (document 3 "Issue list filters"), each with the API's own parameter. */
export const issueFilterKeys: readonly FilterKey[] = [
  { key: 'label', param: 'labels', says: 'has the label; None, Any', many: true, negatable: true },
  { key: 'author', param: 'author_username', says: 'was opened by the account', negatable: true },
  { key: 'author-id', param: 'author_id', says: 'was opened by the account with the id', negatable: true },
  { key: 'assignee', param: 'assignee_username', says: 'is assigned to the account', many: true, negatable: true },
  {
    key: 'assigned',
    param: 'assignee_id',
    says: 'to nobody, to anybody, or to the account with the id',
    values: ['None', 'Any'],
    negatable: true,
  },
  { key: 'milestone', param: 'milestone', says: 'is in the milestone; None, Any', negatable: true },
  { key: 'iteration', param: 'iteration_title', says: 'is in the iteration', negatable: true },
  {
    key: 'iterated',
    param: 'iteration_id',
    says: 'is in no iteration, in any, or in that with the id',
    values: ['None', 'Any'],
    negatable: true,
  },
  { key: 'epic', param: 'epic_id', says: 'is in the epic with the id; None, Any' },
  { key: 'weight', param: 'weight', says: 'has the weight; None, Any', negatable: true },
  { key: 'health', param: 'health_status', says: 'is so', values: ['on_track', 'needs_attention', 'at_risk', 'None', 'Any'] },
  { key: 'reaction', param: 'my_reaction_emoji', says: 'has your reaction; None, Any', negatable: true },
  { key: 'due', param: 'due_date', says: 'is due', values: ['0', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'] },
  { key: 'type', param: 'issue_type', says: 'is of the type', values: ['issue', 'incident', 'test_case'] },
  { key: 'confidential', param: 'confidential', says: 'is confidential', values: ['yes', 'no'], isFlag: true },
  { key: 'number', param: 'iids', says: 'has the number', many: true, negatable: true },
  { key: 'in', param: 'in', says: 'where the words are looked for', values: ['title', 'description'], many: true },
  { key: 'without', param: 'not[search]', says: 'has none of these words' },
  { key: 'without-in', param: 'not[in]', says: 'where those are looked for', values: ['title', 'description'], many: true },
  { key: 'created-after', param: 'created_after', says: 'was opened on the day or later' },
  { key: 'created-before', param: 'created_before', says: 'was opened before the day' },
  { key: 'updated-after', param: 'updated_after', says: 'was changed on the day or later' },
  { key: 'updated-before', param: 'updated_before', says: 'was changed before the day' },
  { key: 'scope', param: 'scope', says: 'whose they are', values: ['all', 'created_by_me', 'assigned_to_me'] },
  { key: 'non-archived', param: 'non_archived', says: 'is in a project that is not archived', values: ['yes', 'no'], isFlag: true },
]

/** Has a list a parameter, on a tier? */
const has = (schema: TSchema | undefined, tier: Tier): boolean => schema !== undefined && tierCovers(tier, tierOf(schema))

/** The keys that a list understands on a tier, negated only where it understands that. */
export function keysOf(keys: readonly FilterKey[], { params }: Pick<Endpoint, 'params'>, tier: Tier): readonly FilterKey[] {
  const negated = ((params.not ?? {}) as { properties?: Readonly<Record<string, TSchema>> }).properties ?? {}
  return keys.flatMap(key => {
    const { param, negatable, ...rest } = key
    const [, name] = /^not\[(\w+)\]$/.exec(param) ?? []
    if (!has(name === undefined ? params[param] : negated[name], tier)) return []
    return negatable && !has(negated[param], tier) ? [{ ...rest, param }] : [key]
  })
}

/** One part of the text: `-key:"a value"`, or a word. A value that has double quotes stands between single ones. */
const part = /(-?)([a-z][a-z-]*):(?:"([^"]*)"|'([^']*)'(?=\s|$)|(\S*))|"([^"]*)"|(\S+)/g

/** The parameters that a text stands for. What names no key of the bar is looked for as words. */
export function paramsOfText(keys: readonly FilterKey[], text: string): FilterParams {
  const params: Record<string, string> = {}
  const words: string[] = []
  for (const [whole, minus, name, quoted, single, plain] of text.matchAll(part)) {
    const key = keys.find(({ key }) => key === name)
    const written = quoted ?? single ?? plain ?? ''
    const value = key?.isFlag ? (flags[written] ?? written) : written
    if (!key || value === '' || (minus === '-' && !key.negatable)) {
      words.push(whole)
      continue
    }
    const param = minus === '-' ? `not[${key.param}]` : key.param
    const before = params[param]
    params[param] = key.many && before !== undefined ? `${before},${value}` : value
  }
  const search = words.join(' ').trim()
  return search === '' ? params : { ...params, search }
}

/** A value that has both signs and spaces loses its double ones: no text stands for it. */
const quotedIfNeeded = (value: string): string => {
  if (!/[\s"']/.test(value)) return value
  if (!value.includes('"')) return `"${value}"`
  return value.includes("'") ? `"${value.replaceAll('"', '')}"` : `'${value}'`
}

/** The text that stands for parameters: what `paramsOfText` gives for it are the same. */
export function textOfParams(keys: readonly FilterKey[], params: FilterParams): string {
  const parts = keys.flatMap(({ key, param, many, negatable, isFlag }) =>
    (negatable ? (['', '-'] as const) : ([''] as const)).flatMap(minus => {
      const sent = params[minus === '' ? param : `not[${param}]`]
      const value = isFlag && sent !== undefined ? (flags[sent] ?? sent) : sent
      if (value === undefined || value === '') return []
      return (many ? value.split(',') : [value]).map(one => `${minus}${key}:${quotedIfNeeded(one.trim())}`)
    }),
  )
  return [...parts, ...(params.search ? [params.search] : [])].join(' ')
}
