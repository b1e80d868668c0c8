/** Creating an issue: its columns, the statement, and the side effects in the same transaction. */

import { sql } from 'kysely'
import { mayMention, processMentions, readMentions } from '../../../../collaboration/mentions/process.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { forbidden, invalid } from '../../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../../spaces/places/places.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { existingLabels } from '../../../labels/commands.ts'
import { labelIdsFor, milestoneFor } from '../../../shared/attributes.ts'
import { lockContents } from '../../../shared/epics.ts'
import { taskCounts } from '../../../shared/task_lists.ts'
import { issueTextPlace } from '../../item_kind/readers.ts'
import type { IssueRow } from '../../queries.ts'
import { type AdminAttributes, assigneesAmong, epicFor, iterationFor, type OwnAttributes } from '../attributes.ts'
import { type Columns, insertIssue, insertIssueBatched } from './insert.ts'

export interface NewIssue extends OwnAttributes, AdminAttributes {
  readonly title: string
  /** The number, if the caller sets it; default the next one. */
  readonly iid?: number | undefined
  readonly created_at?: string | undefined
  /** The author, if not the actor: an issue that moves keeps its author. */
  readonly author_id?: number | undefined
}

/**
 * Creates an issue. Its number is allocated in the transaction, so that no number is skipped or used twice. 409 for a given
 * number that is taken; 400 for a blank title or a milestone of another place.
 */
export async function createIssue(ctx: Context, project: ProjectRow, given: NewIssue): Promise<IssueRow> {
  await readMentions(given.description)
  const columns = await columnsOf(ctx, project, given)
  const label_ids = given.labels?.length ? await labelIdsFor(ctx, project, given.labels) : []
  const bonds = { label_ids, assignee_ids: await assigneesOf(ctx, project, given) }
  const row = await insertIssue(ctx, project.id, given.iid, columns, bonds)
  const issue = { ...row, ...placeOf(project), ...bonds }
  await processMentions(ctx, issueTextPlace(project, issue), issue.description)
  return issue
}

const assigneesOf = async (ctx: Context, project: ProjectRow, { assignee_ids }: NewIssue): Promise<number[]> =>
  assignee_ids?.length ? (await assigneesAmong(ctx, project, assignee_ids)).toSorted((a, b) => a - b) : []

/** The paths that an issue's row carries. */
const placeOf = ({ full_path }: ProjectRow) => ({ project_path: full_path, asked_in: full_path })

/**
 * Can the issue be created by a single statement, provided that no labels have to be created? Not in an epic, where its position follows
 * the existing issues, and not with a long text, whose insertion would delay the others of a batch.
 */
export const isSingleStatement = ({ iid, epic_id, epic_iid, description }: NewIssue): boolean =>
  iid === undefined && !epic_id && !epic_iid && !(description && (description.length > LONG || mayMention(description)))

/** Longer descriptions, in characters, take a transaction of their own: indexing a megabyte takes half a second. */
const LONG = 20_000

/**
 * Creates an issue for which `isSingleStatement` is true, in a transaction shared only with issues like it; `ctx.db` must not be a
 * transaction. Refuses what createIssue refuses. Undefined if labels have to be created, which takes a transaction. The returned row
 * has no explicit subscription, since the issue is new.
 */
export async function createIssueInOneStatement(ctx: Context, project: ProjectRow, given: NewIssue) {
  const columns = await columnsOf(ctx, project, given)
  const [label_ids, assignee_ids] = await Promise.all([
    given.labels?.length ? existingLabels(ctx, planningPlaceOf(project), given.labels) : [],
    assigneesOf(ctx, project, given),
  ])
  if (!label_ids) return undefined
  const bonds = { label_ids, assignee_ids }
  const row = await insertIssueBatched(ctx, project.id, columns, bonds)
  const { id: actorId } = ctx.actor.user ?? {}
  return { ...row, ...placeOf(project), ...bonds, subscribed: actorId === row.author_id || assignee_ids.some(id => id === actorId) }
}

/** The columns of a new issue. 400 for a blank title, or a milestone, an iteration or an epic of another place. */
async function columnsOf(ctx: Context, project: ProjectRow, given: NewIssue): Promise<Columns> {
  const authorId = given.author_id ?? ctx.actor.user?.id
  if (authorId === undefined) throw forbidden()
  const title = given.title.trim()
  if (title === '') throw invalid({ title: ["can't be blank"] })
  const tasks = await taskCounts(given.description ?? null)
  const epic_id = (await epicFor(ctx, project, given)) ?? null
  // Of two issues that are created in it at the same time the second comes after the first.
  if (epic_id !== null) await lockContents(ctx.db, sql`${epic_id}`)
  const created_at = given.created_at ?? ctx.now
  return {
    author_id: authorId,
    title,
    description: given.description ?? null,
    tasks_count: tasks.count,
    tasks_completed_count: tasks.completed,
    issue_type: given.issue_type ?? 'issue',
    confidential: given.confidential ?? false,
    discussion_locked: given.discussion_locked ?? false,
    due_date: given.due_date ?? null,
    weight: given.weight ?? null,
    health_status: given.health_status ?? null,
    milestone_id: await milestoneFor(ctx, project, given.milestone_id ?? null),
    iteration_id: await iterationFor(ctx, project, given.iteration_id ?? null),
    epic_id,
    created_at,
    updated_at: created_at,
  }
}
