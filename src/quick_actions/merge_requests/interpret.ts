/** Notes about merge requests with quick actions in them: what is left of the text, and what the actions come to. */
import type { Context } from '../../kernel/context.ts'
import type { MergeRequestRow } from '../../merge_requests/queries.ts'
import { mergeRequestById } from '../../merge_requests/queries.ts'
import { type MergeRequestChanges, updateMergeRequest } from '../../merge_requests/update.ts'
import { type TalkedMergeRequest, talkedMergeRequest } from '../../notes/noteable.ts'
import { parseQuickActions } from '../parse.ts'
import { type Effect, mergeRequestActions } from './actions.ts'

/** A text understood. Nothing has been done yet. */
export interface Interpretation {
  readonly text: string
  readonly changes: MergeRequestChanges
  readonly after: readonly NonNullable<Effect['after']>[]
  readonly told: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
}

export async function interpretMergeRequestActions(ctx: Context, noteable: TalkedMergeRequest, written: string): Promise<Interpretation> {
  const { text, actions } = parseQuickActions(written, name => mergeRequestActions.has(name))
  let changes: MergeRequestChanges = {}
  const after: NonNullable<Effect['after']>[] = []
  const names: string[] = []
  const ends: string[] = []
  let told: Readonly<Record<string, unknown>> = {}
  for (const { name, argument } of actions) {
    const action = mergeRequestActions.get(name)!
    const target = { ctx, noteable, project: noteable.project, sofar: changes }
    const effect = (await action.may(target)) ? await action.do(target, argument) : undefined
    if (!effect) continue
    names.push(name)
    changes = combined(changes, effect.changes ?? {})
    told = { ...told, ...effect.told }
    if (effect.after) after.push(effect.after)
    if (effect.text) ends.push(effect.text)
  }
  return { text: [text, ...ends].filter(part => part !== '').join('\n'), changes, after, told, names }
}

/** Labels add up; of everything else the last word counts. */
function combined(before: MergeRequestChanges, { add_labels, remove_labels, ...rest }: MergeRequestChanges): MergeRequestChanges {
  const list = (name: 'add_labels' | 'remove_labels', more: readonly string[] | undefined) =>
    more && { [name]: more.length === 0 ? [] : [...(before[name] ?? []), ...more] }
  return { ...before, ...rest, ...list('add_labels', add_labels), ...list('remove_labels', remove_labels) }
}

/** Does what the quick actions say. @throws what updateMergeRequest and the actions refuse */
export async function applyMergeRequestActions(
  ctx: Context,
  { project, mergeRequest }: TalkedMergeRequest,
  { changes, after }: Interpretation,
): Promise<void> {
  if (Object.keys(changes).length > 0) await updateMergeRequest(ctx, project, mergeRequest, changes)
  for (const act of after) {
    const row = (await mergeRequestById(ctx.db, mergeRequest.id, project.full_path)) as MergeRequestRow
    await act(ctx, talkedMergeRequest(ctx, project, row))
  }
}
