/** Texts with quick actions in them: what is left of the text, and what the actions come to. */
import type { Effect, ItemChanges, ItemTypes, Target, Writing } from './action.ts'
import { parseQuickActions } from './parse.ts'

/** A text understood. Nothing has been done yet. */
export interface Interpretation<T extends ItemTypes> {
  /** What is left when the actions are taken out. */
  readonly text: string
  /** What all of them together make of the item's attributes. */
  readonly changes: T['changes']
  /** What is to be done once the item is there and changed, in this order. */
  readonly after: readonly NonNullable<Effect['after']>[]
  /** What clients are told of them (`commands_changes`). */
  readonly told: Readonly<Record<string, unknown>>
  /** The actions that do something, in their order. */
  readonly names: readonly string[]
}

/**
 * Reads a text of an item, or of one that is about to be created.
 * @param start with what the request makes of the item besides as `sofar`
 */
export async function interpretQuickActions<T extends ItemTypes>(start: Target<T>, written: string): Promise<Interpretation<T>> {
  const known = start.writing.actions
  const { text, actions: found } = parseQuickActions(written, name => known.has(name))
  let changes = start.sofar
  const after: NonNullable<Effect['after']>[] = []
  const names: string[] = []
  const ends: string[] = []
  let told: Record<string, unknown> = {}
  for (const { name, argument } of found) {
    const action = known.get(name)!
    const target = { ...start, sofar: changes }
    const effect = (await action.may(target)) ? await action.do(target, argument) : undefined
    if (!effect) continue
    names.push(name)
    changes = combined(changes, effect.changes ?? {})
    told = together(told, effect.told ?? {})
    if (effect.after) after.push(effect.after)
    if (effect.text) ends.push(effect.text)
  }
  return { text: [text, ...ends].filter(part => part !== '').join('\n'), changes, after, told, names }
}

/** Are there actions in a text, whether or not they do something? */
export const hasQuickActions = ({ actions }: Pick<Writing, 'actions'>, text: string): boolean =>
  parseQuickActions(text, name => actions.has(name)).actions.length > 0

/** Labels add up; of everything else the last word counts. */
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

/** The names of all labels that a new item gets. */
export const labelsOfNew = ({ labels = [], add_labels = [], remove_labels = [] }: ItemChanges): string[] =>
  [...new Set([...labels, ...add_labels])].filter(name => !remove_labels.includes(name))
