/** Issues as noteables: items that notes can be written on. */
import { type Noteable, type NoteableApi, noteableInProject } from '../../../collaboration/notes/items/noteable.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type IssueRow, visibleIssue } from '../queries.ts'
import { inIssue } from '../scope.ts'

export interface NoteableIssue extends Noteable<IssueRow> {
  readonly project: ProjectWithRole
}

export const noteableIssue = (ctx: Pick<Context, 'actor'>, project: ProjectWithRole, issue: IssueRow): NoteableIssue => ({
  noun: 'issue',
  key: { issue_id: issue.id },
  ...noteableInProject(ctx, project, issue),
})

/** The issue with this number as a noteable, if the caller may see it. */
export async function findNoteableIssue(ctx: Context, project: ProjectWithRole, iid: number): Promise<NoteableIssue | undefined> {
  const issue = await visibleIssue(ctx.db, ctx.actor, project, iid)
  return issue && noteableIssue(ctx, project, issue)
}

/** Declaration of the note endpoints of issues. */
export const issueApi: NoteableApi = {
  path: '/projects/:id/issues/:issue_iid',
  noun: 'an issue',
  scope: within(inIssue, {
    name: 'inIssue',
    path: {},
    load: async ctx => ({ noteable: noteableIssue(ctx, ctx.project, ctx.issue) }),
  }),
  can: { read: 'read_issue', say: 'create_note', change: 'admin_note', award: 'award_emoji', mark: 'mark_todo' },
}
