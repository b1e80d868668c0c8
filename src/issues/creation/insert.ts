/**
 * The statement that makes an issue: it takes the number, writes the issue with what the request said of its sender, counts it,
 * records that it was made and queues what follows. One, for everybody who makes an issue in the project waits from here until the
 * transaction ends.
 */
import { type InsertObject, sql } from 'kysely'
import { compiledPer } from '../../db/compiled.ts'
import type { Db } from '../../db/connection.ts'
import { uniqueViolation } from '../../db/errors.ts'
import type { DB } from '../../db/schema.ts'
import { endingEarly } from '../../db/transact.ts'
import { recordingParts } from '../../events/events.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { noteChosenIid, takingIid } from '../../planning/iids.ts'
import { countingNewIssue } from '../../projects/issue_counts.ts'

/** The columns of a new issue. */
export type Columns = Omit<InsertObject<DB, 'issues'>, 'iid'> & { readonly project_id: number; readonly confidential: boolean }

/** Who makes an issue, and what the request said of that. */
interface Sender {
  readonly actorId: number | undefined
  readonly userAgent: string
  readonly ip: string
}

/** How the transaction goes on: others of its statements follow, or it ends with this one (`transactAtOnce`). */
export type Ending = 'later' | 'at_once'

/** Writes an issue in the transaction `db`, or where it ends at once, as a transaction of its own. 409 for a number that is taken. */
export async function insertIssue({ db, actor, request }: Context, iid: number | undefined, columns: Columns, ending: Ending = 'later') {
  const { project_id } = columns
  if (iid !== undefined) await noteChosenIid(db, { project_id }, 'issue', iid)
  const sender: Sender = { actorId: actor.user?.id, userAgent: request.userAgent, ip: request.ip }
  const [row] = await inserted(db, sender, iid, columns, ending).catch(error => {
    throw uniqueViolation(error) === 'issues_iid_key' ? conflict('Duplicated issue') : error
  })
  const { queued: _queued, ended: _ended, ...issue } = row!
  return issue
}

/** Runs the statement; as one that is known where somebody makes an issue as most are, without a number or an epic of their choice. */
function inserted(db: Db, sender: Sender, iid: number | undefined, columns: Columns, ending: Ending) {
  const { actorId, userAgent, ip } = sender
  if (actorId === undefined || iid !== undefined || columns.epic_position !== undefined)
    return insertingIssue(db, sender, iid, columns.confidential, columns, ending).execute()
  const shape = [ending, columns.confidential ? 'confidential' : 'open', ...Object.keys(columns)].join(' ')
  return insertedAsMost(db, shape, actorId, userAgent, ip, ...Object.values(columns))
}

const insertedAsMost = compiledPer((shape: string) => {
  const [ending, secrecy, ...names] = shape.split(' ')
  return (db, actorId: number, userAgent: string, ip: string, ...values: readonly unknown[]) => {
    const columns = Object.fromEntries(names.map((name, index) => [name, values[index]])) as unknown as Columns
    return insertingIssue(db, { actorId, userAgent, ip }, undefined, secrecy === 'confidential', columns, ending as Ending)
  }
})

function insertingIssue(
  db: Db,
  { actorId, userAgent, ip }: Sender,
  iid: number | undefined,
  isConfidential: boolean,
  columns: Columns,
  ending: Ending,
) {
  const { project_id } = columns
  const { told, happened, queued } = recordingParts({ kind: 'issue.created', actorId, projectId: project_id }, 'issue_id', 'issue')
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
    .select([queued.as('queued'), ending === 'at_once' ? endingEarly.as('ended') : sql<null>`null`.as('ended')])
}
