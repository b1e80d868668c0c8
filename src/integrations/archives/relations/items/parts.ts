/** What issues, merge requests and epics have alike: notes, labels, reactions, spent time, and the events of their labels, milestones and states. */
import { sql } from 'kysely'
import { taskCounts } from '../../../../planning/shared/task_lists.ts'
import type { Place } from '../../../../platform/access/places.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { insertRows } from '../../../../platform/db/statements/insert_rows.ts'
import { type Import, timesOf } from '../../importing/import.ts'
import type { Row } from '../../reading/row.ts'
import { exportedLabels, labelIdsOf } from '../labels.ts'
import { exportedMilestones, milestoneIdOf } from '../milestones.ts'
import { byId } from '../read.ts'
import { awardRows, exportedAwards, thumbsIn } from './awards.ts'
import { exportedNotes, importNotes } from './notes.ts'

/** The column of a table that says which item a row belongs to. */
type Column = 'issue_id' | 'merge_request_id' | 'epic_id'

const labelTables = { issue_id: 'issue_labels', merge_request_id: 'merge_request_labels', epic_id: 'epic_labels' } as const

const nouns = { issue_id: 'Issue', merge_request_id: 'MergeRequest', epic_id: 'Epic' } as const

const timesSpent = (db: Db, column: 'issue_id' | 'merge_request_id', ids: readonly number[]) =>
  db.selectFrom('timelogs').selectAll().where(column, '=', anyOf(ids)).orderBy('id').execute()

/** The parts of these items as archives write them. A fixed number of statements, however many they are. */
export async function exportedParts(
  db: Db,
  place: Place,
  column: Column,
  items: readonly { readonly id: number; readonly milestone_id?: number | null }[],
): Promise<(id: number) => object> {
  const ids = items.map(({ id }) => id)
  const notes = await exportedNotes(db, place, column, ids)
  const awards = await exportedAwards(db, column, ids)
  const times = column === 'epic_id' ? () => [] : byId(await timesSpent(db, column, ids), column)
  const events = byId(await db.selectFrom('resource_events').selectAll().where(column, '=', anyOf(ids)).orderBy('id').execute(), column)
  const { rows: bonds } = await sql<{ readonly item: number; readonly label_id: number }>`
    select ${sql.ref(column)} as item, label_id from ${sql.table(labelTables[column])} where ${sql.ref(column)} = any(${ids}::bigint[]) order by label_id`.execute(
    db,
  )
  const all = ids.flatMap(events)
  const labels = await exportedLabels(db, place, [...new Set([...bonds, ...all].flatMap(({ label_id }) => label_id ?? []))])
  const milestones = await exportedMilestones(db, [...new Set([...items, ...all].flatMap(({ milestone_id }) => milestone_id ?? []))])
  const bondsOf = byId(bonds, 'item')
  const milestoneOf = new Map(items.map(({ id, milestone_id }) => [id, milestone_id]))
  const eventsByKind = Map.groupBy(all, event => `${event[column]} ${event.kind}`)
  const target_type = nouns[column]
  return id => {
    const milestone_id = milestoneOf.get(id)
    const eventsOf = (kind: string) => eventsByKind.get(`${id} ${kind}`) ?? []
    return {
      notes: notes.get(id) ?? [],
      award_emoji: awards.get(id) ?? [],
      label_links: bondsOf(id).map(({ label_id }) => ({ label_id, target_id: id, target_type, label: labels.get(label_id) })),
      ...(milestone_id != null && { milestone: milestones.get(milestone_id) }),
      timelogs: times(id).map(({ time_spent, user_id, spent_at, summary, created_at }) => ({
        time_spent,
        user_id,
        spent_at,
        summary,
        created_at,
        updated_at: created_at,
      })),
      resource_label_events: eventsOf('label').map(({ action, user_id, created_at, label_id }) => ({
        action,
        user_id,
        created_at,
        label: labels.get(label_id as number),
      })),
      resource_milestone_events: eventsOf('milestone').map(({ action, state, user_id, created_at, milestone_id }) => ({
        action,
        state,
        user_id,
        created_at,
        milestone: milestones.get(milestone_id as number),
      })),
      resource_state_events: eventsOf('state').map(({ state, user_id, created_at }) => ({ state, user_id, created_at })),
      resource_weight_events: eventsOf('weight').map(({ weight, user_id, created_at }) => ({ weight, user_id, created_at })),
      events: [],
    }
  }
}

const LONGEST_TIME = 2_147_483_647

/** The columns of an item that follow from its parts. */
export async function countsIn(state: Import, column: Column, row: Row) {
  const description = row.maybeText('description') ?? null
  const tasks = await taskCounts(description)
  const awards = awardRows(state, column, { id: 0, row })
  const spent = row.rows('timelogs').reduce((sum, log) => sum + log.integer('time_spent', { min: -LONGEST_TIME }), 0)
  return {
    description,
    tasks_count: tasks.count,
    tasks_completed_count: tasks.completed,
    ...thumbsIn(awards),
    user_notes_count: row.rows('notes').filter(note => !note.flag('system')).length,
    total_time_spent: Math.min(Math.max(spent, 0), LONGEST_TIME),
    time_estimate: row.maybeInteger('time_estimate') ?? 0,
  }
}

/** Writes the parts of items that are here already. */
export async function importParts(
  state: Import,
  column: Column,
  items: readonly { readonly id: number; readonly row: Row }[],
): Promise<void> {
  const { db, people } = state
  const links = items.flatMap(({ id, row }) => row.rows('label_links').flatMap(link => ({ id, label: link.row('label') })))
  const known = links.flatMap(({ id, label }) => (label ? [{ id, label }] : []))
  const labelIds = await labelIdsOf(
    state,
    known.map(({ label }) => label),
  )
  const bonds = new Map(known.map(({ id }, at) => [`${id} ${labelIds[at]}`, { [column]: id, label_id: labelIds[at] as number }]))
  await insertRows(db, labelTables[column], [...bonds.values()] as never)
  await insertRows(
    db,
    'award_emoji',
    items.flatMap(item => awardRows(state, column, item)),
  )
  // Time is spent on issues and merge requests.
  const timed = column === 'epic_id' ? [] : items
  await insertRows(
    db,
    'timelogs',
    timed.flatMap(({ id, row }) =>
      row.rows('timelogs').map(log => {
        const { created_at } = timesOf(state, log)
        return {
          [column]: id,
          user_id: people.maybeIdOf(log.maybeId('user_id')),
          time_spent: log.integer('time_spent', { min: -LONGEST_TIME }),
          spent_at: log.maybeInstant('spent_at') ?? created_at,
          summary: log.maybeText('summary', 255) ?? null,
          created_at,
        }
      }),
    ),
  )
  await importNotes(state, column, items)
  await importEvents(state, column, items)
}

const actions = ['add', 'remove'] as const

async function importEvents(state: Import, column: Column, items: readonly { readonly id: number; readonly row: Row }[]): Promise<void> {
  const { db, people } = state
  const events: { readonly created_at: string; readonly [name: string]: unknown }[] = []
  for (const { id, row } of items) {
    const common = (event: Row) => ({
      [column]: id,
      user_id: people.maybeIdOf(event.maybeId('user_id')),
      created_at: timesOf(state, event).created_at,
    })
    for (const event of row.rows('resource_label_events')) {
      const label = event.row('label')
      if (!label) continue
      const [label_id] = await labelIdsOf(state, [label])
      events.push({ ...common(event), kind: 'label', action: event.oneOf('action', actions), label_id })
    }
    // An epic has neither a milestone nor a weight.
    for (const event of column === 'epic_id' ? [] : row.rows('resource_milestone_events')) {
      const milestone_id = await milestoneIdOf(state, event.row('milestone'))
      if (milestone_id === null) continue
      const states = ['opened', 'closed', 'merged', 'locked'] as const
      events.push({
        ...common(event),
        kind: 'milestone',
        action: event.oneOf('action', actions),
        milestone_id,
        state: event.oneOf('state', states),
      })
    }
    for (const event of row.rows('resource_state_events'))
      events.push({ ...common(event), kind: 'state', state: event.oneOf('state', ['opened', 'closed', 'reopened', 'merged', 'locked']) })
    for (const event of column === 'epic_id' ? [] : row.rows('resource_weight_events'))
      events.push({ ...common(event), kind: 'weight', weight: event.maybeInteger('weight') ?? null })
  }
  events.sort((one, other) => (one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0))
  await insertRows(db, 'resource_events', events as never)
}
