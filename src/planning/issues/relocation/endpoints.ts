/** Moving and copying issues to other projects (issues API at 14.0). */

import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { IssueDetails } from '../entity.ts'
import { inIssue } from '../scope.ts'
import * as commands from './commands.ts'

const to_project_id = text('ID or full path of the other project', { minLength: 1, examples: ['1'] })

export const moveIssue = endpoint({
  route: 'POST /projects/:id/issues/:issue_iid/move',
  summary: 'Move an issue to another project',
  scope: inIssue,
  can: 'update_issue',
  params: { to_project_id },
  answers: one(IssueDetails),
  run: ctx => commands.moveIssue(ctx, ctx.project, ctx.issue, ctx.params.to_project_id),
})

export const cloneIssue = endpoint({
  route: 'POST /projects/:id/issues/:issue_iid/clone',
  summary: 'Copy an issue to a project',
  scope: inIssue,
  can: 'admin_issue',
  params: { to_project_id, with_notes: optional(flag('Copy the comments too')) },
  answers: one(IssueDetails),
  run: ctx => commands.cloneIssue(ctx, ctx.project, ctx.issue, ctx.params.to_project_id, ctx.params.with_notes),
})
