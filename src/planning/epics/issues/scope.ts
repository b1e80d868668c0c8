import Type from 'typebox'
import { notFound } from '../../../platform/kernel/errors.ts'
import { within } from '../../../platform/kernel/scope.ts'
import { visibleIssuesById } from '../../issues/queries.ts'
import { inEpic } from '../scope.ts'

/**
 * `:epic_issue_id` becomes an issue of the epic that this actor may know of, or 404. Contract: an issue is in one epic at
 * most, so that the id of their association is that of the issue (epic issues API).
 */
export const inEpicIssue = within(inEpic, {
  name: 'inEpicIssue',
  path: { epic_issue_id: Type.Integer({ description: 'ID of the association of an issue with the epic' }) },
  async load({ db, actor, group, epic }, { epic_issue_id }) {
    const issue = (await visibleIssuesById(db, actor, [epic_issue_id], group.full_path)).get(epic_issue_id)
    if (issue?.epic_id !== epic.id) throw notFound('Issue')
    return { issue }
  },
})
