/** Creating and changing merge requests by texts that may have quick actions in them. */
import type { Context } from '../kernel/context.ts'
import type { Ends } from '../merge_requests/branches.ts'
import { createMergeRequest, type NewMergeRequest } from '../merge_requests/create.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import { type MergeRequestChanges, updateMergeRequest } from '../merge_requests/update.ts'
import { type TalkedMergeRequest, talkedMergeRequest } from '../notes/noteable.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { finishQuickActions, type Interpretation, interpretQuickActions, labelsOfNew } from './interpret.ts'

const finish = async (ctx: Context, talked: TalkedMergeRequest, { after }: Interpretation<'merge_request'>): Promise<MergeRequestRow> =>
  (await finishQuickActions<'merge_request'>(ctx, talked, after)).mergeRequest

/**
 * Creates a merge request and does what the quick actions of its description say, in the same transaction; not to be called inside
 * one. @throws what createMergeRequest and the actions refuse
 */
export async function createMergeRequestAsWritten(
  ctx: Context,
  ends: Ends<ProjectWithRole>,
  given: NewMergeRequest,
): Promise<MergeRequestRow> {
  if (!given.description) return createMergeRequest(ctx, ends, given)
  const project = ends.target
  const target = { ctx, project, noun: 'merge_request' as const, talked: undefined, sofar: given }
  const interpretation = await interpretQuickActions(target, given.description)
  const { text: description, changes } = interpretation
  const { add_labels: _added, remove_labels: _removed, state_event: _none, ...wanted } = changes
  return createMergeRequest(ctx, ends, { ...given, ...wanted, labels: labelsOfNew(changes), description }, (tx, row) =>
    finish(tx, talkedMergeRequest(tx, project, row), interpretation),
  )
}

/**
 * Changes a merge request and does what the quick actions of its new description say.
 * @throws what updateMergeRequest and the actions refuse
 */
export async function updateMergeRequestAsWritten(
  ctx: Context,
  project: ProjectWithRole,
  mergeRequest: MergeRequestRow,
  given: MergeRequestChanges,
): Promise<MergeRequestRow> {
  if (!given.description) return updateMergeRequest(ctx, project, mergeRequest, given)
  const talked = talkedMergeRequest(ctx, project, mergeRequest)
  const interpretation = await interpretQuickActions({ ctx, project, noun: 'merge_request', talked, sofar: given }, given.description)
  const { text: description, changes } = interpretation
  const changed = await updateMergeRequest(ctx, project, mergeRequest, { ...changes, description })
  return finish(ctx, talkedMergeRequest(ctx, project, changed), interpretation)
}

/** Reads a note about a merge request; `act` does what its quick actions say. @throws (from `act`) what they refuse */
export async function mergeRequestNote(ctx: Context, talked: TalkedMergeRequest, body: string) {
  const { project, mergeRequest } = talked
  const interpretation = await interpretQuickActions({ ctx, project, noun: 'merge_request', talked, sofar: {} }, body)
  const { changes } = interpretation
  const act = async () => {
    const row = Object.keys(changes).length > 0 ? await updateMergeRequest(ctx, project, mergeRequest, changes) : mergeRequest
    await finish(ctx, talkedMergeRequest(ctx, project, row), interpretation)
  }
  return { ...interpretation, act }
}
