/** Creating and changing issues by texts that may have quick actions in them. */
import { createIssue, type NewIssue } from '../issues/creation/create.ts'
import type { IssueRow } from '../issues/queries.ts'
import { type IssueChanges, updateIssue } from '../issues/update.ts'
import type { Context } from '../kernel/context.ts'
import { type TalkedIssue, talkedIssue } from '../notes/noteable.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { finishQuickActions, type Interpretation, interpretQuickActions, labelsOfNew } from './interpret.ts'

const finish = async (ctx: Context, talked: TalkedIssue, { after }: Interpretation<'issue'>): Promise<IssueRow> =>
  (await finishQuickActions<'issue'>(ctx, talked, after)).issue

/** Creates an issue and does what the quick actions of its description say. @throws what createIssue and the actions refuse */
export async function createIssueAsWritten(ctx: Context, project: ProjectWithRole, given: NewIssue): Promise<IssueRow> {
  if (!given.description) return createIssue(ctx, project, given)
  const target = { ctx, project, noun: 'issue' as const, talked: undefined, sofar: given }
  const interpretation = await interpretQuickActions(target, given.description)
  const { text: description, changes } = interpretation
  const { add_labels: _added, remove_labels: _removed, state_event: _none, ...wanted } = changes
  const issue = await createIssue(ctx, project, { ...given, ...wanted, labels: labelsOfNew(changes), description })
  return finish(ctx, talkedIssue(ctx, project, issue), interpretation)
}

/** Changes an issue and does what the quick actions of its new description say. @throws what updateIssue and the actions refuse */
export async function updateIssueAsWritten(
  ctx: Context,
  project: ProjectWithRole,
  issue: IssueRow,
  given: IssueChanges,
): Promise<IssueRow> {
  if (!given.description) return updateIssue(ctx, project, issue, given)
  const talked = talkedIssue(ctx, project, issue)
  const interpretation = await interpretQuickActions({ ctx, project, noun: 'issue', talked, sofar: given }, given.description)
  const { text: description, changes } = interpretation
  const changed = await updateIssue(ctx, project, issue, { ...changes, description })
  return finish(ctx, talkedIssue(ctx, project, changed), interpretation)
}

/** Reads a note about an issue; `act` does what its quick actions say. @throws (from `act`) what updateIssue and the actions refuse */
export async function issueNote(ctx: Context, talked: TalkedIssue, body: string) {
  const { project, issue } = talked
  const interpretation = await interpretQuickActions({ ctx, project, noun: 'issue', talked, sofar: {} }, body)
  const { changes } = interpretation
  const act = async () => {
    const row = Object.keys(changes).length > 0 ? await updateIssue(ctx, project, issue, changes) : issue
    await finish(ctx, talkedIssue(ctx, project, row), interpretation)
  }
  return { ...interpretation, act }
}
