/** Texts with quick actions in them: what is left of the text, and what the actions come to. */
import type { Effect, Noun, Target, Things } from './action.ts'
import { actions } from './actions.ts'
import { parseQuickActions } from './parse.ts'

/** A text understood. Nothing has been done yet. */
export interface Interpretation<N extends Noun> {
  /** What is left when the actions are taken out. */
  readonly text: string
  /** What all of them together make of the thing's attributes. */
  readonly changes: Things[N]['changes']
  /** What is to be done once the thing is there and changed, in this order. */
  readonly after: readonly NonNullable<Effect<N>['after']>[]
  /** What clients are told of them (`commands_changes`). */
  readonly told: Readonly<Record<string, unknown>>
  /** The actions that do something, in their order. */
  readonly names: readonly string[]
}

/**
 * Reads a text of a thing, or of one that is about to be created.
 * @param start with what the request makes of the thing besides as `sofar`
 */
export async function interpretQuickActions<N extends Noun>(start: Target<N>, written: string): Promise<Interpretation<N>> {
  const known = actions[start.noun]
  const { text, actions: found } = parseQuickActions(written, name => known.has(name))
  let changes = start.sofar
  const after: NonNullable<Effect<N>['after']>[] = []
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
export const hasQuickActions = (noun: Noun, text: string): boolean =>
  parseQuickActions(text, name => actions[noun].has(name)).actions.length > 0

/** Labels add up; of everything else the last word counts. */
function combined<C extends Things[Noun]['changes']>(before: C, { add_labels, remove_labels, ...rest }: Things[Noun]['changes']): C {
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

/** The names of all labels that a new thing gets. */
export const labelsOfNew = ({ labels = [], add_labels = [], remove_labels = [] }: Things[Noun]['changes']): string[] =>
  [...new Set([...labels, ...add_labels])].filter(name => !remove_labels.includes(name))
