/** Issues. */

import { orderIssues } from '../../../../planning/issues/changes/reorder.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../../platform/db/statements/insert_rows.ts'
import { recordChosenIid } from '../../../../spaces/places/iids.ts'
import { countIssues } from '../../../../spaces/projects/facts/issue_counts.ts'
import { groupsOf, relationOf, timesOf } from '../../../archives/importing/import.ts'
import { ArchiveRefused } from '../../../archives/reading/refused.ts'
import type { Row } from '../../../archives/reading/row.ts'
import { assertFew } from '../../../archives/relations/items/notes.ts'
import { countsIn, exportedParts, importParts } from '../../../archives/relations/items/parts.ts'
import { milestoneIdOf } from '../../../archives/relations/milestones.ts'
import { byId, nextItems } from '../../../archives/relations/read.ts'
import type { ProjectImport } from '../../importing/state.ts'

/** Issues that are read and written together. */
const PAGE = 100

/** Most people that an item is assigned to. */
export const MOST_ASSIGNEES = 200

/** What lies between two issues of a board in an archive. */
const STEP = 512

/** `issues.ndjson`. */
export async function* exportIssues(db: Db, projectId: number): AsyncGenerator<object> {
  const ordered = await db
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('relative_position')
    .orderBy('id')
    .execute()
  const places = new Map(ordered.map(({ id }, at) => [id, (at + 1) * STEP]))
  for (let last = 0; ; ) {
    const ids = await nextItems(db, 'issues', projectId, { after: last, most: PAGE })
    if (ids.length === 0) return
    last = ids.at(-1) as number
    const page = await db.selectFrom('issues').selectAll().where('id', '=', anyOf(ids)).orderBy('id').execute()
    const parts = await exportedParts(db, { project_id: projectId }, 'issue_id', page)
    const assignees = byId(
      await db.selectFrom('issue_assignees').selectAll().where('issue_id', '=', anyOf(ids)).orderBy('user_id').execute(),
      'issue_id',
    )
    for (const issue of page)
      yield {
        id: issue.id,
        title: issue.title,
        author_id: issue.author_id,
        project_id: projectId,
        created_at: issue.created_at,
        updated_at: issue.updated_at,
        description: issue.description,
        state: issue.state,
        iid: issue.iid,
        updated_by_id: issue.last_edited_by_id,
        confidential: issue.confidential,
        closed_at: issue.closed_at,
        closed_by_id: issue.closed_by_id,
        due_date: issue.due_date,
        lock_version: 0,
        time_estimate: issue.time_estimate,
        relative_position: places.get(issue.id) ?? null,
        last_edited_at: issue.last_edited_at,
        last_edited_by_id: issue.last_edited_by_id,
        discussion_locked: issue.discussion_locked,
        weight: issue.weight,
        health_status: issue.health_status,
        issue_type: issue.issue_type,
        issue_assignees: assignees(issue.id).map(({ user_id }) => ({ user_id, issue_id: issue.id })),
        ...parts(issue.id),
      }
  }
}

const issueTypes = ['issue', 'incident', 'test_case'] as const

/** An iid of the archive, which it may give once. */
export function takeIid(taken: ReadonlyMap<number, number>, row: Row): number {
  const iid = row.iid()
  if (taken.has(iid)) throw new ArchiveRefused(`${row.relation}: the number ${iid} is there twice`, row.relation)
  return iid
}

/** The people of an item, each once. */
export const peopleIn = ({ people }: ProjectImport, rows: readonly Row[]): number[] => [
  ...new Set(rows.map(row => people.idOf(row.maybeId('user_id')))),
]

/** Reads `issues.ndjson`. */
export async function importIssues(state: ProjectImport): Promise<void> {
  const { db, project, people, issues } = state
  const places: { readonly id: number; readonly place: number }[] = []
  const counts = { opened: 0, closed: 0, confidentialOpened: 0, confidentialClosed: 0 }
  for await (const rows of groupsOf(relationOf(state, 'issues'), PAGE)) {
    const columns = []
    for (const row of rows) {
      const iid = takeIid(issues, row)
      issues.set(iid, 0)
      const times = timesOf(state, row)
      const isClosed = row.oneOf('state', ['opened', 'closed']) === 'closed'
      const confidential = row.flag('confidential')
      counts[isClosed ? 'closed' : 'opened']++
      if (confidential) counts[isClosed ? 'confidentialClosed' : 'confidentialOpened']++
      assertFew(row.rows('issue_assignees'), MOST_ASSIGNEES, 'issues', 'assignees')
      columns.push({
        project_id: project.id,
        iid,
        author_id: people.idOf(row.maybeId('author_id')),
        title: row.text('title', 255),
        ...(await countsIn(state, 'issue_id', row)),
        state: isClosed ? ('closed' as const) : ('opened' as const),
        issue_type: row.oneOf('issue_type', issueTypes),
        confidential,
        discussion_locked: row.flag('discussion_locked'),
        due_date: row.maybeDay('due_date') ?? null,
        weight: row.maybeInteger('weight') ?? null,
        health_status: healthIn(row),
        milestone_id: await milestoneIdOf(state, row.row('milestone')),
        closed_at: isClosed ? (row.maybeInstant('closed_at') ?? times.updated_at) : null,
        closed_by_id: isClosed ? people.maybeIdOf(row.maybeId('closed_by_id')) : null,
        last_edited_at: row.maybeInstant('last_edited_at') ?? null,
        last_edited_by_id: people.maybeIdOf(row.maybeId('last_edited_by_id')),
        ...times,
      })
    }
    const ids = await insertRowsWithIds(db, 'issues', columns)
    const items = rows.map((row, at) => ({ row, id: ids[at] as number }))
    for (const [at, { iid }] of columns.entries()) issues.set(iid, ids[at] as number)
    for (const { id, row } of items) places.push({ id, place: row.maybeInteger('relative_position', { min: -LARGEST }) ?? LARGEST })
    await insertRows(
      db,
      'issue_assignees',
      items.flatMap(({ id, row }) => peopleIn(state, row.rows('issue_assignees')).map(user_id => ({ issue_id: id, user_id }))),
    )
    await importParts(state, 'issue_id', items)
  }
  if (issues.size === 0) return
  await recordChosenIid(
    db,
    { project_id: project.id },
    'issue',
    [...issues.keys()].reduce((one, other) => Math.max(one, other)),
  )
  // New issues come in the order in which they are written, and each place that changes is written in all indexes once more.
  if (places.some(({ place }, at) => place < (places[at - 1]?.place ?? place))) {
    const ordered = places.sort((one, other) => one.place - other.place || one.id - other.id)
    await orderIssues(
      db,
      ordered.map(({ id }) => id),
    )
  }
  await countIssues(db, project.id, {
    open_issues_count: counts.opened,
    closed_issues_count: counts.closed,
    confidential_open_issues_count: counts.confidentialOpened,
    confidential_closed_issues_count: counts.confidentialClosed,
  })
}

const LARGEST = 2_147_483_647

const healths = ['on_track', 'needs_attention', 'at_risk'] as const

function healthIn(row: Row): (typeof healths)[number] | null {
  const given = row.raw('health_status')
  return healths.find(health => health === given) ?? null
}
