/** Making and deleting issues, and what people keep of them for themselves. Changing them: update.ts. */

import { type InsertObject, sql } from 'kysely'
import { compiledPer } from '../db/compiled.ts'
import type { Db } from '../db/connection.ts'
import { uniqueViolation } from '../db/errors.ts'
import type { DB } from '../db/schema.ts'
import { queueDeliveries, recordEvent, recordingParts } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { conflict, forbidden, invalid, notModified } from '../kernel/errors.ts'
import { noticeMentions } from '../mentions/notice.ts'
import { labelIdsFor, milestoneFor } from '../planning/attributes.ts'
import { noteChosenIid, takingIid } from '../planning/iids.ts'
import { taskCounts } from '../planning/task_lists.ts'
import { countIssue, countingNewIssue } from '../projects/issue_counts.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { recordFacts } from '../resource_events/write.ts'
import { setSubscription } from '../subscriptions/commands.ts'
import { type AdminAttributes, assigneesAmong, epicFor, iterationFor, lastInEpic, type OwnAttributes } from './attributes.ts'
import { assignTodos } from './changed.ts'
import type { IssueRow } from './queries.ts'
import { subscribedIssues } from './subscribed.ts'
import { setAssignees, setLabels } from './update.ts'

export interface NewIssue extends OwnAttributes, AdminAttributes {
  readonly title: string
  /** A number that was chosen; the next one unless given. */
  readonly iid?: number | undefined
  readonly created_at?: string | undefined
  /** Who wrote it, where that is not the actor: an issue that moves keeps its author. */
  readonly author_id?: number | undefined
}

/**
 * Creates an issue. Its number is taken in the transaction, so that none is left out or given twice. 409 for a chosen
 * number that is taken; 400 for a blank title or a milestone of another place.
 */
export async function createIssue(ctx: Context, project: ProjectRow, given: NewIssue): Promise<IssueRow> {
  const { db, actor, now } = ctx
  const authorId = given.author_id ?? actor.user?.id
  if (authorId === undefined) throw forbidden()
  const title = given.title.trim()
  if (title === '') throw invalid({ title: ["can't be blank"] })
  const labelIds = given.labels?.length ? await labelIdsFor(ctx, project, given.labels) : []
  const assigneeIds = given.assignee_ids?.length ? await assigneesAmong(ctx, project, given.assignee_ids) : []
  const tasks = taskCounts(given.description ?? null)
  const epic_id = await epicFor(ctx, project, given.epic_id ?? null)
  const columns = {
    project_id: project.id,
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
    created_at: given.created_at ?? now,
    updated_at: given.created_at ?? now,
  } as const
  const { recorded, ...columnsKept } = await insertIssue(ctx, given.iid, {
    ...columns,
    ...(epic_id !== null && { epic_position: lastInEpic(epic_id) }),
  })
  const { id } = columnsKept
  if (labelIds.length > 0) await setLabels(db, id, labelIds)
  if (assigneeIds.length > 0) await setAssignees(db, id, assigneeIds)
  await queueDeliveries(db, [recorded])
  const { full_path } = project
  const issue = {
    ...columnsKept,
    project_path: full_path,
    asked_in: full_path,
    label_ids: labelIds,
    assignee_ids: assigneeIds.toSorted(byNumber),
  }
  if (labelIds.length > 0)
    await recordFacts(db, { issue_id: id, user_id: authorId, created_at: now, state: 'opened' }, { labels: { from: [], to: labelIds } })
  if (assigneeIds.length > 0) await assignTodos(ctx, issue, assigneeIds)
  await noticeMentions(ctx, { project, issue }, issue.description)
  return issue
}

const byNumber = (a: number, b: number) => a - b

/**
 * Writes an issue, with what the request said of its sender, counts it and records that it was made: one statement, for
 * everybody who makes an issue in the project waits from here until the transaction ends.
 */
async function insertIssue({ db, actor, request }: Context, iid: number | undefined, columns: Columns) {
  const { project_id } = columns
  if (iid !== undefined) await noteChosenIid(db, { project_id }, 'issue', iid)
  const sender: Sender = { actorId: actor.user?.id, userAgent: request.userAgent, ip: request.ip }
  const [row] = await inserted(db, sender, iid, columns).catch(error => {
    throw uniqueViolation(error) === 'issues_iid_key' ? conflict('Duplicated issue') : error
  })
  const { event_id, event_kind, event_followed, ...issue } = row!
  return { ...issue, recorded: { id: event_id, kind: event_kind, followed: event_followed } }
}

type Columns = Omit<InsertObject<DB, 'issues'>, 'iid'> & { readonly project_id: number; readonly confidential: boolean }

/** Who makes an issue, and what the request said of that. */
interface Sender {
  readonly actorId: number | undefined
  readonly userAgent: string
  readonly ip: string
}

/** Runs the statement; as one that is known where somebody makes an issue as most are, without a number or an epic of their choice. */
function inserted(db: Db, sender: Sender, iid: number | undefined, columns: Columns) {
  const { actorId, userAgent, ip } = sender
  if (actorId === undefined || iid !== undefined || columns.epic_position !== undefined)
    return insertingIssue(db, sender, iid, columns.confidential, columns).execute()
  const shape = [columns.confidential ? 'confidential' : 'open', ...Object.keys(columns)].join(' ')
  return insertedAsMost(db, shape, actorId, userAgent, ip, ...Object.values(columns))
}

const insertedAsMost = compiledPer((shape: string) => {
  const [secrecy, ...names] = shape.split(' ')
  return (db, actorId: number, userAgent: string, ip: string, ...values: readonly unknown[]) => {
    const columns = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    return insertingIssue(db, { actorId, userAgent, ip }, undefined, secrecy === 'confidential', columns as unknown as Columns)
  }
})

function insertingIssue(db: Db, { actorId, userAgent, ip }: Sender, iid: number | undefined, isConfidential: boolean, columns: Columns) {
  const { project_id } = columns
  const { told, happened } = recordingParts({ kind: 'issue.created', actorId, projectId: project_id }, 'issue_id', 'issue')
  return db
    .with('number', () =>
      iid === undefined ? takingIid(db, { project_id }, 'issue') : db.selectNoFrom(sql<number>`${iid}::bigint`.as('value')),
    )
    .with('counted', () => countingNewIssue(db, project_id, isConfidential))
    .with('issue', queries =>
      queries
        .insertInto('issues')
        .values(({ selectFrom }) => ({ ...columns, iid: selectFrom('number').select('value') }))
        .returningAll(),
    )
    .with('sender', queries =>
      queries
        .insertInto('issue_user_agents')
        .columns(['issue_id', 'user_agent', 'ip_address'])
        .expression(({ selectFrom }) =>
          selectFrom('issue')
            .select(['id', sql<string>`${userAgent}::text`.as('user_agent'), sql<string>`${ip}::text`.as('ip_address')])
            .where(sql<boolean>`${ip}::text <> ''`),
        ),
    )
    .with('told', () => told)
    .with('happened', () => happened)
    .selectFrom(['issue', 'happened'])
    .selectAll('issue')
    .select(['happened.id as event_id', 'happened.kind as event_kind', 'happened.followed as event_followed'])
}

/** Deletes an issue with all that hangs on it. Its number is not given again. */
export async function removeIssue({ db, actor }: Context, issue: Pick<IssueRow, 'id' | 'iid' | 'project_id'>): Promise<void> {
  const gone = await db.deleteFrom('issues').where('id', '=', issue.id).returning(['state', 'confidential']).executeTakeFirst()
  // Somebody else was faster.
  if (!gone) return
  await recordEvent(db, {
    kind: 'issue.deleted',
    payload: { issue_id: issue.id, iid: issue.iid },
    actorId: actor.user?.id,
    projectId: issue.project_id,
  })
  await countIssue(db, issue.project_id, gone, undefined)
}

/** Subscribes the caller to an issue, or ends that; a 304 where it is so already. */
export async function subscribeToIssue({ db, actor, now }: Context, issue: IssueRow, subscribed: boolean): Promise<IssueRow> {
  const userId = actor.user?.id
  if (userId === undefined) throw forbidden()
  if ((await subscribedIssues(db, userId, [issue])).has(issue.id) === subscribed) throw notModified()
  await setSubscription(db, userId, { issue_id: issue.id }, subscribed, now)
  return issue
}
