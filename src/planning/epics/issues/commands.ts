/** Issues of epics: adding, removing, ordering, and promoting an issue to an epic. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, forbidden, invalid, notFound } from '../../../platform/kernel/errors.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { lockIssueAndEpics, updateIssue } from '../../issues/changes/update.ts'
import { orderIssuesOfEpic } from '../../issues/item_kind/relabel.ts'
import { type IssueRow, visibleIssuesById } from '../../issues/queries.ts'
import { lockContentsOf } from '../../shared/epics.ts'
import { groupToPromoteTo } from '../../shared/promotion.ts'
import { createEpic } from '../commands.ts'
import { inNewOrder, type Neighbours } from '../order.ts'
import type { EpicRow } from '../queries.ts'

/** An issue with the epic that it was added to or removed from. */
export interface EpicIssue {
  readonly epic: EpicRow
  readonly issue: IssueRow
}

/** The project of an issue, if the caller may plan in it; 403 otherwise. */
async function projectToPlan({ db, actor }: Context, issue: IssueRow): Promise<ProjectWithRole> {
  const project = await findProject(db, actor, String(issue.project_id))
  if (allows(actor, 'admin_issue', projectSubject(project)) !== 'yes') throw forbidden()
  return project
}

/**
 * Adds an issue to the end of an epic, removing it from its previous epic. 404 for an issue that the caller may not see or whose project
 * is not in the epic's group or below; 403 without the right to plan in the project; 400 for a non-confidential issue in a
 * confidential epic.
 */
export async function assignIssue(ctx: Context, epic: EpicRow, issueId: number): Promise<EpicIssue> {
  const issue = (await visibleIssuesById(ctx.db, ctx.actor, [issueId], epic.asked_in)).get(issueId)
  if (!issue) throw notFound('Issue')
  const project = await projectToPlan(ctx, issue)
  if (!project.namespace_traversal_ids.includes(epic.namespace_id)) throw notFound('Issue')
  await lockIssueAndEpics(ctx.db, issue.id, epic.id)
  const { holder, held } = await confidentialityOf(ctx.db, epic, issue)
  if (holder && !held) throw invalid({ issue_id: ['is not confidential, and the epic is'] })
  return { epic, issue: await updateIssue(ctx, project, issue, { epic_id: epic.id }) }
}

/** Are the epic and the issue confidential, as they are behind their locks? */
const confidentialityOf = (db: Db, epic: EpicRow, issue: IssueRow) =>
  db
    .selectFrom('epics')
    .innerJoin('issues', join => join.on('issues.id', '=', issue.id))
    .select(['epics.confidential as holder', 'issues.confidential as held'])
    .where('epics.id', '=', epic.id)
    .executeTakeFirstOrThrow()

/** Removes an issue from its epic; from no other one that it came into meanwhile. */
export async function removeIssue(ctx: Context, epic: EpicRow, issue: IssueRow): Promise<EpicIssue> {
  const project = await projectToPlan(ctx, issue)
  await lockIssueAndEpics(ctx.db, issue.id, null)
  await ctx.db.selectFrom('issues').select('id').where('id', '=', issue.id).where('epic_id', '=', epic.id).executeTakeFirstOrThrow()
  return { epic, issue: await updateIssue(ctx, project, issue, { epic_id: null }) }
}

/** Moves an issue directly before or after another one of its epic; 400 for a neighbour outside of the epic, 404 for such an issue. */
export async function reorderIssue({ db }: Context, epic: EpicRow, issue: IssueRow, neighbours: Neighbours): Promise<void> {
  await lockContentsOf(db, epic.id)
  const rows = await db.selectFrom('issues').select('id').where('epic_id', '=', epic.id).orderBy('epic_position').orderBy('id').execute()
  const present = rows.map(row => row.id)
  // It may have been removed while the epic was waited for.
  if (!present.includes(issue.id)) throw notFound('Issue')
  const ids = inNewOrder(present, issue.id, neighbours)
  if (!ids) throw badRequest('the neighbour is not in the same epic')
  await orderIssuesOfEpic(db, ids)
}

/**
 * Promotes an issue to an epic (decision 38) of the project's group, with the issue's title, description, group labels and
 * confidentiality. The issue is closed and refers to the epic. 400 for a project outside a group and for an issue that was promoted
 * already, 403 without the right to create epics there.
 */
export async function promoteIssueToEpic(ctx: Context, project: ProjectRow, issue: IssueRow): Promise<EpicIssue> {
  const { db } = ctx
  const group = await groupToPromoteTo(ctx, project, 'create_epic')
  // Contract: a project outside a group is refused with 400 (decision 38).
  if (!group) throw badRequest('an issue of a project outside a group cannot become an epic')
  await lockIssueAndEpics(db, issue.id, null)
  const { promoted_to_epic_id } = await db
    .selectFrom('issues')
    .select('promoted_to_epic_id')
    .where('id', '=', issue.id)
    .executeTakeFirstOrThrow()
  if (promoted_to_epic_id !== null) throw badRequest('Issue already promoted to epic.')
  const labels = await db
    .selectFrom('labels')
    .select('name')
    .where('id', '=', anyOf(issue.label_ids))
    .where('namespace_id', 'is not', null)
    .execute()
  const epic = await createEpic(ctx, group, {
    title: issue.title,
    description: issue.description,
    confidential: issue.confidential,
    labels: labels.map(label => label.name),
  })
  return { epic, issue: await updateIssue(ctx, project, issue, { epic_id: epic.id, promoted_to_epic_id: epic.id, state_event: 'close' }) }
}
