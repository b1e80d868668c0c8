/**
 * The statement that creates issues: it allocates their numbers, inserts them with the sender details of their requests, updates
 * counters, records events and queues jobs. One statement, since concurrent creations in the project wait for its locks until the
 * transaction ends.
 */
import { randomBytes } from 'node:crypto'
import { type InsertObject, sql } from 'kysely'
import { dueDateSet } from '../../../../collaboration/system_notes/texts.ts'
import { insertTodosSql } from '../../../../collaboration/todos/write.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { uniqueViolation } from '../../../../platform/db/errors.ts'
import type { DB } from '../../../../platform/db/schema.ts'
import { batchedDurably } from '../../../../platform/db/statements/batching.ts'
import { compiledPer } from '../../../../platform/db/statements/compiled.ts'
import { asyncCommit } from '../../../../platform/db/transact.ts'
import { recordingParts } from '../../../../platform/events/events.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { conflict } from '../../../../platform/kernel/errors.ts'
import { allocatingIids, recordChosenIid } from '../../../../spaces/places/iids.ts'
import { countingNewIssues } from '../../../../spaces/projects/facts/issue_counts.ts'
import { chartingNewLabels, chartingNewPlans } from '../../../resource_events/write.ts'
import { lastInEpic } from '../attributes.ts'

/** The columns of a new issue, and their types. */
const columnTypes = {
  author_id: 'bigint',
  title: 'text',
  description: 'text',
  tasks_count: 'integer',
  tasks_completed_count: 'integer',
  issue_type: 'text',
  confidential: 'boolean',
  discussion_locked: 'boolean',
  due_date: 'date',
  weight: 'integer',
  health_status: 'text',
  milestone_id: 'bigint',
  iteration_id: 'bigint',
  epic_id: 'bigint',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
type Column = keyof typeof columnTypes
const columnNames = Object.keys(columnTypes) as Column[]

/** The columns of a new issue. */
export type Columns = Required<Pick<InsertObject<DB, 'issues'>, Column>> & { readonly confidential: boolean }

/** Ids of the labels and assignees of a new issue. */
export interface Bonds {
  readonly label_ids: readonly number[]
  readonly assignee_ids: readonly number[]
}

/** A new issue as input of the statement: with its author, time and sender details. */
type Row = Columns & Bonds & { readonly [Name in keyof typeof askedTypes]: unknown }

/** The request fields of a row; `place` is its index among all rows, from 1, and `due_note` the text of the note about its due date. */
const askedTypes = {
  actor_id: 'bigint',
  at: 'timestamptz',
  user_agent: 'text',
  ip_address: 'text',
  place: 'integer',
  due_note: 'text',
  due_thread: 'text',
} as const

const bondTypes = { label_ids: 'bigint[]', assignee_ids: 'bigint[]' } as const

const rowOf = ({ actor, now, request }: Context, columns: Columns, bonds: Bonds): Row => ({
  ...columns,
  ...bonds,
  actor_id: actor.user?.id ?? null,
  at: now,
  user_agent: request.userAgent,
  ip_address: request.ip,
  place: 1,
  due_note: typeof columns.due_date === 'string' ? dueDateSet(columns.due_date) : null,
  due_thread: typeof columns.due_date === 'string' ? randomBytes(20).toString('hex') : null,
})

/** Inserts an issue in the transaction `ctx.db`, with a given number or the next one. 409 for a number that is taken. */
export async function insertIssue(ctx: Context, projectId: number, iid: number | undefined, columns: Columns, bonds: Bonds) {
  const { db } = ctx
  if (iid !== undefined) await recordChosenIid(db, { project_id: projectId }, 'issue', iid)
  const [row] = await inserted(db, projectId, [rowOf(ctx, columns, bonds)], 'continues', iid).catch(error => {
    throw uniqueViolation(error) === 'issues_iid_key' ? conflict('Duplicated issue') : error
  })
  return row!
}

/** Inserts an issue in a transaction of its own, batched with concurrent creations in the project; `ctx.db` must not be a transaction. */
export const insertIssueBatched = (ctx: Context, projectId: number, columns: Columns, bonds: Bonds) =>
  insertBatched(ctx.db, projectId, rowOf(ctx, columns, bonds))

const insertBatched = batchedDurably((db, projectId, rows: readonly Row[]) => inserted(db, projectId, rows, 'ends'))

/** Whether the transaction continues with other statements, or ends with this one. */
type Ending = 'continues' | 'ends'

/** The form of the statement: parts that no row needs are left out. */
type Shape = `${'next' | 'chosen'} ${Ending} ${'labelled' | ''} ${'assigned' | ''} ${'planned' | ''}`

/** Inserts issues of a project in this order. `iid` is the number of the last one, if a caller has set it. */
async function inserted(db: Db, projectId: number, rows: readonly Row[], ending: Ending, iid?: number) {
  const json = JSON.stringify(rows.map((row, index) => ({ ...row, place: index + 1 })))
  const confidential = rows.filter(row => row.confidential).length
  const labelled = rows.some(row => row.label_ids.length > 0) ? 'labelled' : ''
  const assigned = rows.some(row => row.assignee_ids.length > 0) ? 'assigned' : ''
  const isPlanned = (row: Row) => row.milestone_id !== null || row.weight !== null || row.due_date !== null
  const planned = rows.some(isPlanned) ? 'planned' : ''
  const shape: Shape = `${iid === undefined ? 'next' : 'chosen'} ${ending} ${labelled} ${assigned} ${planned}`
  const made = await inserting(db, shape, projectId, json, rows.length, confidential, iid ?? 0)
  return made.map(({ queued: _queued, ended: _ended, ...issue }) => issue)
}

const inserting = compiledPer((shape: Shape) => {
  const [numbers, ending, labelled, assigned, planned] = shape.split(' ')
  return (db, projectId: number, json: string, count: number, confidential: number, iid: number) => {
    const { feedRows, eventRows, queued } = recordingParts({ kind: 'issue.created', projectId }, 'issue_id', 'made')
    return db
      .with('number', () =>
        numbers === 'next'
          ? allocatingIids(db, { project_id: projectId }, 'issue', count)
          : db.selectNoFrom(sql<number>`${iid}::bigint`.as('value')),
      )
      .with('given', () => givenIn(json, count))
      .with('counted', () => countingNewIssues(db, projectId, count, confidential))
      .with('issue', queries =>
        queries
          .insertInto('issues')
          .columns(['project_id', 'iid', 'epic_position', ...columnNames])
          .expression(({ selectFrom }) =>
            selectFrom('given')
              .select([
                sql<number>`${projectId}::bigint`.as('project_id'),
                'iid',
                sql<number>`case when epic_id is null then 0 else ${lastInEpic(sql.ref('given.epic_id'))} end`.as('epic_position'),
                ...columnNames,
              ])
              .orderBy('iid'),
          )
          .returningAll(),
      )
      .with('made', () => made)
      .with('sender', () => writingSenders)
      .with('labelled', () => (labelled ? writingLabels : nothing))
      .with('charted', () => (labelled ? chartingNewLabels('made') : nothing))
      .with('planned', () => (planned ? chartingNewPlans('made') : nothing))
      .with('due', () => (planned ? writingDueNotes : nothing))
      .with('assigned', () => (assigned ? writingAssignees : nothing))
      .with('to_do', () => (assigned ? insertTodosSql('made', 'assignee_ids', 'assigned') : nothing))
      .with('feed_rows', () => feedRows)
      .with('event_rows', () => eventRows)
      .selectFrom('issue')
      .selectAll('issue')
      .select([queued.as('queued'), ending === 'ends' ? asyncCommit.as('ended') : sql<null>`null`.as('ended')])
      .orderBy('issue.iid')
  }
})

/** The input rows with their numbers, which the CTE `number` allocates. */
const givenIn = (json: string, count: number) => {
  const types = Object.entries({ ...columnTypes, ...bondTypes, ...askedTypes })
  return sql<Columns & { iid: number }>`(
    select number.value - ${count}::bigint + rows.place as iid, rows.*
      from number, json_to_recordset(${json}::json) as rows (${sql.raw(types.map(type => type.join(' ')).join(', '))}))`
}

// The CTEs that insert labels, assignees and to-do items.

const made = sql<object>`(
  select issue.id as issue_id, issue.id, issue.project_id, issue.author_id, given.label_ids, given.assignee_ids, given.actor_id, given.at,
         given.user_agent, given.ip_address, given.milestone_id, given.weight, given.due_note, given.due_thread
    from issue join given using (iid) order by iid)`

const writingSenders = sql<object>`(
  insert into issue_user_agents (issue_id, user_agent, ip_address) select id, user_agent, ip_address from made where ip_address <> '')`

const writingLabels = sql<object>`(insert into issue_labels (issue_id, label_id) select id, unnest(label_ids) from made)`

const writingAssignees = sql<object>`(insert into issue_assignees (issue_id, user_id) select id, unnest(assignee_ids) from made)`

const writingDueNotes = sql<object>`(
  insert into notes (issue_id, author_id, discussion_id, action, body, created_at, updated_at)
  select id, author_id, due_thread, 'due_date', due_note, at, at from made where due_note is not null)`

const nothing = sql<object>`(select)`
