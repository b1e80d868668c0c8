/** The texts of system notes: one sentence for each change. Pure. */
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'

/** The names needed for the texts: of ids in the change set as Markdown references, and of the changed item. */
export interface Names {
  /** As in "made the issue confidential". */
  readonly noun: string
  label(id: number): string
  user(id: number): string
  milestone(id: number): string
  iteration(id: number): string
  issue(id: number): string
  /** A duration as text. */
  duration(seconds: number): string
  /** What closed the item automatically, if anything did. */
  readonly closer?: string | undefined
}

/** A note to write: the kind of change, its text, and the issue that it names. */
export interface Sentence {
  readonly action: string
  readonly body: string
  readonly named_issue_id?: number
}

type Change = { readonly from: unknown; readonly to: unknown }
type Phrase = (change: Change, names: Names) => Omit<Sentence, 'action'> | undefined

/** A sentence without references to items that readers may not be able to see. */
const plain =
  (tell: (from: never, to: never, names: Names) => string): Phrase =>
  ({ from, to }, names) => ({ body: tell(from as never, to as never, names) })

/** A sentence about a value that was replaced or removed. */
const replaced = (noun: string, name: (names: Names, value: never) => string): Phrase =>
  plain((from: unknown, to: unknown, names) =>
    to === null ? `removed ${noun} ${name(names, from as never)}` : `changed ${noun} to ${name(names, to as never)}`,
  )

/** A date of the form `2030-01-02` as `January 02, 2030`. */
const longDate = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
    .formatToParts(new Date(`${day}T00:00:00Z`))
    .map(({ type, value }) => (type === 'day' ? value.padStart(2, '0') : value))
    .join('')

/** What the note about a new due date says. */
export const dueDateSet = (day: string): string => `changed due date to ${longDate(day)}`

const itself = (_names: Names, value: unknown): string => `**${value}**`
const spoken = (value: unknown): string => String(value).replaceAll('_', ' ')

/** Escapes text so that it cannot end the bold type or the line. */
const bold = (text: string): string => `**${text.replace(/[\\*_`~<>[\]]/g, '\\$&')}**`

/** A name as inline code. */
const code = (name: string): string => `\`${name.replaceAll('`', "'")}\``

const tellings: Readonly<Record<string, Phrase>> = {
  title: plain((from: string, to: string) => `changed title from ${bold(from)} to ${bold(to)}`),
  description: plain(() => 'changed the description'),
  // Contract: locking a merge request for a merge, and releasing it, make no note (public behaviour at 14.0).
  state({ from, to }, { closer }) {
    if (to === 'closed' && closer !== undefined) return { body: `closed via ${closer}` }
    return to === 'closed' || to === 'merged' ? { body: to } : from === 'closed' ? { body: 'reopened' } : undefined
  },
  draft: plain((_from, to: boolean, { noun }) => `marked this ${noun} as **${to ? 'draft' : 'ready'}**`),
  target_branch: plain((from: string, to: string) => `changed target branch from ${code(from)} to ${code(to)}`),
  issue_type: plain((_from, to: string) => `changed type to ${spoken(to)}`),
  confidential: plain((_from, to: boolean, { noun }) => `made the ${noun} ${to ? 'confidential' : 'visible to everyone'}`),
  discussion_locked: plain((_from, to: boolean | null, { noun }) => `${to ? 'locked' : 'unlocked'} this ${noun}`),
  // Contract: `January 02, 2030`, and no date where it is removed (public behaviour at 14.0).
  due_date: plain((_from, to: string | null) => (to === null ? 'removed due date' : dueDateSet(to))),
  weight: replaced('weight', itself),
  health_status: replaced('health status', (_names, value: string) => bold(spoken(value))),
  milestone_id: replaced('milestone', (names, id: number) => names.milestone(id)),
  iteration_id: replaced('iteration', (names, id: number) => names.iteration(id)),
  // The epic is not named, since it may be confidential.
  epic_id: plain((_from, to: number | null) => (to === null ? 'removed from its epic' : 'added to an epic')),
  parent_id: plain((_from, to: number | null) => (to === null ? 'removed from its parent epic' : 'added to a parent epic')),
  start_date_fixed: replaced('start date', itself),
  due_date_fixed: replaced('due date', itself),
  time_estimate: plain((_from, to: number, names) =>
    to === 0 ? 'removed time estimate' : `changed time estimate to ${names.duration(to)}`,
  ),
  total_time_spent: plain((from: number, to: number, names) =>
    to === 0
      ? 'removed time spent'
      : to > from
        ? `added ${names.duration(to - from)} of time spent`
        : `subtracted ${names.duration(from - to)} of time spent`,
  ),
  moved_to_id: ({ to }, names) => ({ body: `moved to ${names.issue(to as number)}`, named_issue_id: to as number }),
  duplicated_to_id: ({ to }, names) =>
    to === null ? undefined : { body: `marked this issue as a duplicate of ${names.issue(to as number)}`, named_issue_id: to as number },
  labels: plain((from: readonly number[], to: readonly number[], names) =>
    moved(from, to, id => names.label(id), { come: 'added', gone: 'removed', after: from.length + to.length === 1 ? ' label' : ' labels' }),
  ),
  assignees: plain((from: readonly number[], to: readonly number[], names) =>
    moved(from, to, id => names.user(id), { come: 'assigned to', gone: 'unassigned', after: '' }),
  ),
  reviewers: plain((from: readonly number[], to: readonly number[], names) =>
    moved(from, to, id => names.user(id), { come: 'requested review from', gone: 'removed review request for', after: '' }),
  ),
}

/** Added and removed elements of a list: `added ~a and removed ~b labels`. */
function moved(
  from: readonly number[],
  to: readonly number[],
  name: (id: number) => string,
  words: { readonly come: string; readonly gone: string; readonly after: string },
): string {
  const part = (verb: string, ids: readonly number[]) => (ids.length === 0 ? [] : [`${verb} ${ids.map(name).join(' ')}`])
  const come = to.filter(id => !from.includes(id))
  const gone = from.filter(id => !to.includes(id))
  return `${[...part(words.come, come), ...part(words.gone, gone)].join(' and ')}${words.after}`
}

/** The sentences of a change set, in the order of the table above; other changes make no note. */
export const sentencesOf = (changes: ChangeSet, names: Names): Sentence[] =>
  Object.entries(tellings).flatMap(([action, tell]) => {
    const change = changes[action]
    const sentence = change && tell(change, names)
    return sentence ? [{ action, ...sentence }] : []
  })
