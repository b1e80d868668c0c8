/**
 * The text of a filter bar: `label:bug -label:docs author:ada milestone:"1.0" words`. It stands for parameters of the API's lists, which the
 * address keeps. Pure.
 */

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
}

/** The filters of issues. */
export const issueFilterKeys: readonly FilterKey[] = [
  { key: 'label', param: 'labels', says: 'has the label; None, Any', many: true, negatable: true },
  { key: 'author', param: 'author_username', says: 'was opened by the account', negatable: true },
  { key: 'assignee', param: 'assignee_username', says: 'is assigned to the account', negatable: true },
  { key: 'assigned', param: 'assignee_id', says: 'to nobody, or to anybody', values: ['None', 'Any'] },
  { key: 'milestone', param: 'milestone', says: 'is in the milestone; None, Any', negatable: true },
  { key: 'iteration', param: 'iteration_title', says: 'is in the iteration' },
  { key: 'weight', param: 'weight', says: 'has the weight; None, Any' },
  { key: 'reaction', param: 'my_reaction_emoji', says: 'has your reaction; None, Any', negatable: true },
  { key: 'due', param: 'due_date', says: 'is due', values: ['0', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'] },
  { key: 'type', param: 'issue_type', says: 'is of the type', values: ['issue', 'incident'] },
  { key: 'confidential', param: 'confidential', says: 'is confidential', values: ['yes', 'no'] },
  { key: 'in', param: 'in', says: 'where the words are looked for', values: ['title', 'description'] },
  { key: 'created-after', param: 'created_after', says: 'was opened on the day or later' },
  { key: 'created-before', param: 'created_before', says: 'was opened before the day' },
  { key: 'updated-after', param: 'updated_after', says: 'was changed on the day or later' },
  { key: 'updated-before', param: 'updated_before', says: 'was changed before the day' },
]

/** One part of the text: `-key:"a value"`, or a word. */
const part = /(-?)([a-z][a-z-]*):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g

/** The parameters that a text stands for. What names no key of the bar is looked for as words. */
export function paramsOfText(keys: readonly FilterKey[], text: string): FilterParams {
  const params: Record<string, string> = {}
  const words: string[] = []
  for (const [whole, minus, name, quoted, plain] of text.matchAll(part)) {
    const key = keys.find(({ key }) => key === name)
    const value = quoted ?? plain ?? ''
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

const quotedIfNeeded = (value: string): string => (/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value)

/** The text that stands for parameters: what `paramsOfText` gives for it are the same. */
export function textOfParams(keys: readonly FilterKey[], params: FilterParams): string {
  const parts = keys.flatMap(({ key, param, many, negatable }) =>
    (negatable ? (['', '-'] as const) : ([''] as const)).flatMap(minus => {
      const value = params[minus === '' ? param : `not[${param}]`]
      if (value === undefined || value === '') return []
      return (many ? value.split(',') : [value]).map(one => `${minus}${key}:${quotedIfNeeded(one.trim())}`)
    }),
  )
  return [...parts, ...(params.search ? [params.search] : [])].join(' ')
}
