import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { visibleIssuesById } from '../../issues/queries.ts'
import { inEpic } from '../scope.ts'

/**
 * `:epic_issue_id` is resolved to an issue of the epic that the actor may see, or 404. Contract: an issue has at most one epic, so that
 * the id of the association is that of the issue (epic issues API).
 */
export const inEpicIssue = within(inEpic, {
  name: 'inEpicIssue',
  path: { epic_issue_id: integer('ID of the association of an issue with the epic') },
  async load({ db, actor, group, epic }, { epic_issue_id }) {
    const issue = (await visibleIssuesById(db, actor, [epic_issue_id], group.full_path)).get(epic_issue_id)
    if (issue?.epic_id !== epic.id) throw notFound('Issue')
    return { issue }
  },
})
