/** Interprets texts with quick actions: the remaining text, and the effects of the actions. */
import { badRequest } from '../../platform/kernel/errors.ts'
import type { Effect, ItemChanges, ItemTypes, Target, Writing } from './action.ts'
import { parseQuickActions } from './parse.ts'

/** Actions of one text. Each asks the database, some change other things: a description has room for a hundred thousand. */
const MOST = 100

/** Characters of an argument that the action itself does not bound: what names a hundred people or labels. Reading some takes longer than its length. */
const LONGEST = 2_000

/** An interpreted text. Nothing has been applied yet. */
export interface Interpretation<T extends ItemTypes> {
  /** The text without the actions. */
  readonly text: string
  /** The combined changes of the item's attributes. */
  readonly changes: T['changes']
  /** Runs after the item was created or changed, in this order. */
  readonly after: readonly NonNullable<Effect['after']>[]
  /** Reported to clients as `commands_changes`. */
  readonly reported: Readonly<Record<string, unknown>>
  /** The actions that have an effect, in order. */
  readonly names: readonly string[]
}

/**
 * Interprets a text of an item, or of one that is being created.
 * @param start has the other changes of the request as `sofar`
 * @throws badRequest it has too many actions, one with too long an argument, or several of one that a text has once
 */
export async function interpretQuickActions<T extends ItemTypes>(start: Target<T>, written: string): Promise<Interpretation<T>> {
  const known = start.writing.actions
  const { text, actions: found } = await parseQuickActions(written, name => known.has(name))
  if (found.length > MOST) throw badRequest(`a text has ${MOST} quick actions at most, not ${found.length}`)
  for (const { name, argument } of found) {
    const { longest = LONGEST, once } = known.get(name)!
    if (argument.length > longest) throw badRequest(`the argument of /${name} has ${longest} characters at most, not ${argument.length}`)
    const times = once ? found.filter(other => known.get(other.name) === known.get(name)).length : 1
    if (times > 1) throw badRequest(`a text has one /${name} at most, not ${times}`)
  }
  let changes = start.sofar
  const after: NonNullable<Effect['after']>[] = []
  const names: string[] = []
  const ends: string[] = []
  let reported: Record<string, unknown> = {}
  for (const { name, argument } of found) {
    const action = known.get(name)!
    const target = { ...start, sofar: changes }
    const effect = (await action.may(target)) ? await action.do(target, argument) : undefined
    if (!effect) continue
    names.push(name)
    changes = combined(changes, effect.changes ?? {})
    reported = together(reported, effect.reported ?? {})
    if (effect.after) after.push(effect.after)
    if (effect.text) ends.push(effect.text)
  }
  return { text: [text, ...ends].filter(part => part !== '').join('\n'), changes, after, reported, names }
}

/** How many actions a text has, whether or not they have an effect. */
export const countQuickActions = async ({ actions }: Pick<Writing, 'actions'>, text: string): Promise<number> =>
  (await parseQuickActions(text, name => actions.has(name))).actions.length

/** Does a text contain actions, whether or not they have an effect? */
export const hasQuickActions = async (writing: Pick<Writing, 'actions'>, text: string): Promise<boolean> =>
  (await countQuickActions(writing, text)) > 0

/** Label changes accumulate; of everything else the last value counts. */
function combined<C extends ItemChanges>(before: C, { add_labels, remove_labels, ...rest }: ItemChanges): C {
  const list = (name: 'add_labels' | 'remove_labels', more: readonly string[] | undefined) =>
    more && { [name]: more.length === 0 ? [] : [...(before[name] ?? []), ...more] }
  return { ...before, ...rest, ...list('add_labels', add_labels), ...list('remove_labels', remove_labels) }
}

const together = (before: Record<string, unknown>, more: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]) => {
      const had = before[key]
      return [key, key.endsWith('_label_ids') && Array.isArray(had) && Array.isArray(value) ? [...had, ...value] : value]
    }),
  ),
})

/** The names of all labels of a new item. */
export const labelsOfNew = ({ labels = [], add_labels = [], remove_labels = [] }: ItemChanges): string[] =>
  [...new Set([...labels, ...add_labels])].filter(name => !remove_labels.includes(name))
