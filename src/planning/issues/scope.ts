import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { type IssueRow, issueById, visibleIssue } from './queries.ts'

/** The issue with this number, if the caller may see it, or 404. */
export async function findIssue({ db, actor }: Context, project: ProjectWithRole, iid: number): Promise<IssueRow> {
  const issue = await visibleIssue(db, actor, project, iid)
  if (!issue) throw notFound('Issue')
  return issue
}

/** Did this user write the issue, or are they assigned to it? */
export const isOwnIssue = (issue: Pick<IssueRow, 'author_id' | 'assignee_ids'>, userId: number | undefined): boolean =>
  userId !== undefined && (issue.author_id === userId || issue.assignee_ids.includes(userId))

/** `:issue_iid` is resolved to an issue of the project that the actor may see, or 404 (decision 34). */
export const inIssue = within(inProject, {
  name: 'inIssue',
  path: { issue_iid: integer('Number of an issue within its project') },
  async load(ctx, { issue_iid }) {
    const issue = await findIssue(ctx, ctx.project, issue_iid)
    return { issue, isOwn: isOwnIssue(issue, ctx.actor.user?.id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  modifiedAt: ({ issue }) => issue.updated_at,
})

/** `:id` is resolved to any issue of the instance; administrators only. */
export const inAnyIssue = scope({
  name: 'inAnyIssue',
  path: { id: integer('ID of an issue') },
  async load({ db, actor }, { id }) {
    // Checked first, so that others cannot probe which ids exist.
    if (!isAdmin(actor)) throw forbidden()
    const issue = await issueById(db, id, null)
    if (!issue) throw notFound('Issue')
    return { issue }
  },
  subject: () => ({ on: 'instance' as const }),
})
