/** Texts with quick actions in them: what is left of the text, and what the actions come to. */
import type { IssueRow } from '../issues/queries.ts'
import type { IssueChanges } from '../issues/update.ts'
import type { Context } from '../kernel/context.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { actions, type Effect } from './actions.ts'
import { parseQuickActions } from './parse.ts'
import type { Target } from './targets.ts'

/** A text understood. Nothing has been done yet. */
export interface Interpretation {
  /** What is left when the actions are taken out. */
  readonly text: string
  /** What all of them together make of the issue's attributes. */
  readonly changes: IssueChanges
  /** What is to be done once the issue is there and changed, in this order. */
  readonly after: readonly NonNullable<Effect['after']>[]
  /** What clients are told of them (`commands_changes`). */
  readonly told: Readonly<Record<string, unknown>>
  /** The actions that do something, in their order. */
  readonly names: readonly string[]
}

/**
 * Reads a text of an issue, or of one that is about to be created.
 * @param issue undefined while it is created
 * @param given what the request makes of the issue besides
 */
export async function interpretQuickActions(
  ctx: Context,
  project: ProjectWithRole,
  issue: IssueRow | undefined,
  written: string,
  given: IssueChanges = {},
): Promise<Interpretation> {
  const { text, actions: found } = parseQuickActions(written, name => actions.has(name))
  let changes = given
  const after: NonNullable<Effect['after']>[] = []
  const names: string[] = []
  const ends: string[] = []
  let told: Record<string, unknown> = {}
  for (const { name, argument } of found) {
    const action = actions.get(name)!
    const target: Target = { ctx, project, issue, sofar: changes }
    const effect = action.may(target) ? await action.do(target, argument) : undefined
    if (!effect) continue
    names.push(name)
    changes = combined(changes, effect.changes ?? {})
    told = together(told, effect.told ?? {})
    if (effect.after) after.push(effect.after)
    if (effect.text) ends.push(effect.text)
  }
  return { text: [text, ...ends].filter(part => part !== '').join('\n'), changes, after, told, names }
}

/** Labels add up; of everything else the last word counts. */
function combined(before: IssueChanges, { add_labels, remove_labels, ...rest }: IssueChanges): IssueChanges {
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
