/** Writes of links between issues. */

import { noteRelated, noteUnrelated } from '../../../collaboration/system_notes/relations.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../../platform/kernel/errors.ts'
import { findProject, projectSubject } from '../../../spaces/projects/scope.ts'
import { type IssueRow, issueById } from '../queries.ts'
import { findIssue } from '../scope.ts'
import type { Link } from './entity.ts'
import { type LinkRow, type LinkType, linkOf } from './queries.ts'

/** The other issue of a link. */
export interface Target {
  readonly target_project_id: string
  readonly target_issue_iid: number
  readonly link_type?: LinkType | undefined
}

/** Links two issues that the caller may change. 409 if they are linked already, 400 for a link to itself. */
export async function linkIssues(
  ctx: Context,
  issue: IssueRow,
  { target_project_id, target_issue_iid, link_type = 'relates_to' }: Target,
): Promise<Link> {
  const { db, actor, now } = ctx
  const project = await findProject(db, actor, target_project_id)
  const verdict = allows(actor, 'admin_issue', projectSubject(project))
  if (verdict === 'hidden') throw notFound('Issue')
  const target = await findIssue(ctx, project, target_issue_iid)
  if (verdict === 'no') throw forbidden()
  if (target.id === issue.id) throw invalid({ target_issue_iid: ['cannot be linked to itself'] })
  const [source_id, target_id] = link_type === 'is_blocked_by' ? [target.id, issue.id] : [issue.id, target.id]
  const made = await db
    .insertInto('issue_links')
    .values({ source_id, target_id, link_type: link_type === 'relates_to' ? 'relates_to' : 'blocks', created_at: now, updated_at: now })
    .onConflict(onConflict => onConflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw conflict('Issue(s) already assigned')
  await noteRelated(ctx, issue, target, link_type)
  return { source: issue, target: { ...target, asked_in: issue.asked_in }, link_type }
}

/** A link of an issue with both of its sides, and the project of the other one; 404 if the caller may not see the other issue. */
async function sidesOf(ctx: Context, issue: IssueRow, link: LinkRow) {
  const { db, actor } = ctx
  const other = await issueById(db, link.source_id === issue.id ? link.target_id : link.source_id, issue.asked_in)
  if (!other) throw notFound('Issue Link')
  const project = await findProject(db, actor, String(other.project_id))
  const target = await findIssue(ctx, project, other.iid)
  const link_type: LinkType = link.link_type === 'blocks' && link.target_id === issue.id ? 'is_blocked_by' : link.link_type
  return { project, seen: { source: issue, target: { ...target, asked_in: issue.asked_in }, link_type } satisfies Link }
}

/** A link as it is seen from one of its issues; 404 if the caller may not see the other issue. */
export const linkSeenFrom = async (ctx: Context, issue: IssueRow, link: LinkRow): Promise<Link> => (await sidesOf(ctx, issue, link)).seen

/** Deletes a link of an issue and returns it; 404 if the caller may not see the other issue. */
export async function unlinkIssues(ctx: Context, issue: IssueRow, link: LinkRow): Promise<Link> {
  const { project, seen } = await sidesOf(ctx, issue, link)
  if (allows(ctx.actor, 'admin_issue', projectSubject(project)) !== 'yes') throw forbidden()
  await ctx.db.deleteFrom('issue_links').where('id', '=', link.id).returning('id').executeTakeFirstOrThrow()
  await noteUnrelated(ctx, issue, seen.target)
  return seen
}

/** A link of an issue, or 404. */
export async function findLink({ db }: Context, issue: IssueRow, id: number): Promise<LinkRow> {
  const link = await linkOf(db, issue.id, id)
  if (!link) throw notFound('Issue Link')
  return link
}

/** Copies the links of an issue to the issue that it was moved to. */
export async function copyLinks(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  await db.updateTable('issue_links').set({ source_id: toIssueId }).where('source_id', '=', fromIssueId).execute()
  await db.updateTable('issue_links').set({ target_id: toIssueId }).where('target_id', '=', fromIssueId).execute()
}
