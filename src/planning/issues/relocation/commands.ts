/** Moving and copying issues to other projects. */

import { copyAwards } from '../../../collaboration/award_emoji/commands.ts'
import { copyNotes } from '../../../collaboration/notes/writing/copy.ts'
import { copySubscriptions } from '../../../collaboration/subscriptions/commands.ts'
import { noteMovedFrom } from '../../../collaboration/system_notes/relations.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { countCreation } from '../../../platform/application_settings/creation_limits.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest } from '../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { labelsByName } from '../../labels/queries.ts'
import { createIssue } from '../changes/creation/create.ts'
import { lockIssueAndParts, updateIssue } from '../changes/update.ts'
import { copyAwardsCount, copyNotesCount } from '../item_kind/counts.ts'
import { copyTimes } from '../item_kind/times.ts'
import { copyLinks } from '../links/commands.ts'
import { type IssueRow, issueById } from '../queries.ts'
import { relocateNotes, relocateText } from './texts.ts'

/**
 * The attributes of an issue's copy in another project: labels and milestone that exist there by name, and people who may see the copy
 * there.
 */
async function attributesIn(ctx: Context, issue: IssueRow, way: { readonly from: ProjectWithRole; readonly to: ProjectWithRole }) {
  const { db } = ctx
  const labels = await db.selectFrom('labels').select('name').where('id', '=', anyOf(issue.label_ids)).execute()
  const serving = await labelsByName(
    db,
    planningPlaceOf(way.to),
    labels.map(label => label.name),
  )
  const { key, above } = planningPlaceOf(way.to)
  const milestone =
    issue.milestone_id === null
      ? undefined
      : await db
          .selectFrom('milestones')
          .innerJoin('milestones as own', 'own.title', 'milestones.title')
          .select('milestones.id')
          .where('own.id', '=', issue.milestone_id)
          .where(({ or, eb }) => or([eb('milestones.project_id', '=', key.project_id), eb('milestones.namespace_id', '=', anyOf(above))]))
          .orderBy('milestones.project_id')
          .executeTakeFirst()
  return {
    title: issue.title,
    description: await relocateText(ctx, way, issue.description),
    issue_type: issue.issue_type,
    confidential: issue.confidential,
    due_date: issue.due_date,
    weight: issue.weight,
    labels: [...serving.keys()],
    assignee_ids: issue.assignee_ids,
    milestone_id: milestone?.id ?? null,
  }
}

/**
 * Moves an issue: creates a copy with its author, notes, files, reactions, subscriptions, links and times in the other project, and closes
 * the original with a reference to the copy. 404 for a project that the caller may not see; 400 for the same project, without the
 * required role in both, and for an issue that was moved already.
 */
export async function moveIssue(ctx: Context, from: ProjectWithRole, { id }: IssueRow, toProjectId: string): Promise<IssueRow> {
  const to = await findProject(ctx.db, ctx.actor, toProjectId)
  if (to.id === from.id) throw badRequest('Cannot move issue to project it originates from!')
  const mayMove = [from, to].every(project => allows(ctx.actor, 'admin_issue', projectSubject(project)) === 'yes')
  // A concurrent move waits here, and then finds the issue moved; what was changed or added meanwhile moves with it.
  await lockIssueAndParts(ctx.db, id)
  const issue = (await issueById(ctx.db, id, from.full_path)) as IssueRow
  if (!mayMove || issue.moved_to_id !== null) throw badRequest('Cannot move issue due to insufficient permissions!')
  const given = await attributesIn(ctx, issue, { from, to })
  const moved = await createIssue(ctx, to, { ...given, author_id: issue.author_id, created_at: issue.created_at })
  await copyNotes(ctx.db, issue.id, moved.id)
  await copyNotesCount(ctx.db, issue.id, moved.id)
  await relocateNotes(ctx, { from, to }, moved.id)
  await copyAwards(ctx.db, issue.id, moved.id)
  await copyAwardsCount(ctx.db, issue.id, moved.id)
  await copySubscriptions(ctx.db, issue.id, moved.id, ctx.now)
  await copyLinks(ctx.db, issue.id, moved.id)
  await copyTimes(ctx, issue.id, moved.id)
  await noteMovedFrom(ctx, moved, issue)
  await updateIssue(ctx, from, issue, { state_event: 'close', moved_to_id: moved.id })
  return (await issueById(ctx.db, moved.id, to.full_path)) as IssueRow
}

/**
 * Copies an issue to the same or another project, with the caller as author, and with its notes on request. 404 for a project that the
 * caller may not see; 400 without the right to create issues there; 429 where `issues_create_limit` or, for all the comments that are copied,
 * `notes_create_limit` says so.
 */
export async function cloneIssue(
  ctx: Context,
  from: ProjectWithRole,
  issue: IssueRow,
  toProjectId: string,
  withNotes = false,
): Promise<IssueRow> {
  const to = await findProject(ctx.db, ctx.actor, toProjectId)
  if (allows(ctx.actor, 'admin_issue', projectSubject(to)) !== 'yes')
    throw badRequest('Cannot clone issue due to insufficient permissions!')
  await countCreation(ctx, 'issues_create_limit')
  if (withNotes) await countCreation(ctx, 'notes_create_limit', issue.user_notes_count)
  const copy = await createIssue(ctx, to, await attributesIn(ctx, issue, { from, to }))
  if (!withNotes) return copy
  await copyNotes(ctx.db, issue.id, copy.id)
  await copyNotesCount(ctx.db, issue.id, copy.id)
  await relocateNotes(ctx, { from, to }, copy.id)
  return (await issueById(ctx.db, copy.id, to.full_path)) as IssueRow
}
