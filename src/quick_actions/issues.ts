/** Creating and changing issues by texts that may have quick actions in them. */
import { createIssue, type NewIssue } from '../issues/commands.ts'
import { type IssueRow, issueById } from '../issues/queries.ts'
import { type IssueChanges, updateIssue } from '../issues/update.ts'
import type { Context } from '../kernel/context.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { type Interpretation, interpretQuickActions } from './interpret.ts'

/** Creates an issue and does what the quick actions of its description say. @throws what createIssue and the actions refuse */
export async function createIssueAsWritten(ctx: Context, project: ProjectWithRole, given: NewIssue): Promise<IssueRow> {
  if (!given.description) return createIssue(ctx, project, given)
  const interpretation = await interpretQuickActions(ctx, project, undefined, given.description, given)
  const { labels = [], add_labels = [], remove_labels = [], state_event: _none, ...changes } = interpretation.changes
  const wanted = [...new Set([...labels, ...add_labels])].filter(name => !remove_labels.includes(name))
  const issue = await createIssue(ctx, project, { ...given, ...changes, labels: wanted, description: interpretation.text })
  return finish(ctx, project, issue, interpretation)
}

/** Changes an issue and does what the quick actions of its new description say. @throws what updateIssue and the actions refuse */
export async function updateIssueAsWritten(
  ctx: Context,
  project: ProjectWithRole,
  issue: IssueRow,
  given: IssueChanges,
): Promise<IssueRow> {
  if (!given.description) return updateIssue(ctx, project, issue, given)
  const interpretation = await interpretQuickActions(ctx, project, issue, given.description, given)
  const changed = await updateIssue(ctx, project, issue, { ...interpretation.changes, description: interpretation.text })
  return finish(ctx, project, changed, interpretation)
}

/** Does what the quick actions of a note say. @throws what updateIssue and the actions refuse */
export async function applyQuickActions(
  ctx: Context,
  project: ProjectWithRole,
  issue: IssueRow,
  interpretation: Interpretation,
): Promise<IssueRow> {
  const isChanged = Object.keys(interpretation.changes).length > 0
  const changed = isChanged ? await updateIssue(ctx, project, issue, interpretation.changes) : issue
  return finish(ctx, project, changed, interpretation)
}

/** Does what follows the change, and returns the issue as it is in the end. */
async function finish(ctx: Context, project: ProjectWithRole, issue: IssueRow, { after }: Interpretation): Promise<IssueRow> {
  if (after.length === 0) return issue
  for (const act of after) await act(ctx, project, issue)
  return (await issueById(ctx.db, issue.id, project.full_path)) as IssueRow
}
