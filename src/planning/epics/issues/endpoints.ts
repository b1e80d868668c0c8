/** The issues of epics (epic issues API at 14.0). */

import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { neighbourParams } from '../order.ts'
import { issuesOfEpic } from '../queries.ts'
import { inEpic } from '../scope.ts'
import { assignIssue, removeIssue, reorderIssue } from './commands.ts'
import { EpicIssueLink, IssueOfEpic } from './entity.ts'
import { inEpicIssue } from './scope.ts'

export const listEpicIssues = endpoint({
  route: 'GET /groups/:id/epics/:epic_iid/issues',
  summary: 'List the issues of an epic',
  tier: 'premium',
  scope: inEpic,
  can: 'read_epic',
  answers: pageOf(IssueOfEpic),
  run: ({ db, actor, epic }) => issuesOfEpic(db, actor, epic),
})

export const assignEpicIssue = endpoint({
  route: 'POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id',
  summary: 'Add an issue to an epic',
  tier: 'premium',
  scope: inEpic,
  can: 'admin_epic',
  // Named as in the other routes of the path; here, too, it is the id of the issue itself.
  params: { epic_issue_id: integer('ID of an issue (not its `iid`)', { examples: [1] }) },
  answers: one(EpicIssueLink),
  run: ctx => assignIssue(ctx, ctx.epic, ctx.params.epic_issue_id),
})

export const removeEpicIssue = endpoint({
  route: 'DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id',
  summary: 'Remove an issue from an epic',
  tier: 'premium',
  scope: inEpicIssue,
  can: 'admin_epic',
  answers: one(EpicIssueLink),
  run: ctx => removeIssue(ctx, ctx.epic, ctx.issue),
})

export const reorderEpicIssue = endpoint({
  route: 'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id',
  summary: 'Reorder an issue of an epic',
  tier: 'premium',
  scope: inEpicIssue,
  can: 'admin_epic',
  params: neighbourParams('association of an issue'),
  answers: pageOf(IssueOfEpic),
  async run(ctx) {
    await reorderIssue(ctx, ctx.epic, ctx.issue, ctx.params)
    return issuesOfEpic(ctx.db, ctx.actor, ctx.epic)
  },
})
