/** Milestones and iterations embedded in other responses (document 3 "Issue", `milestone`). */
import Type from 'typebox'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'

export const EmbeddedMilestone = Type.Object({
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  project_id: optional(integer('ID of the project')),
  group_id: optional(integer('ID of the group')),
  title: text('Title'),
  description: Nullable(text('Description; null or empty where there is none')),
  state: text('State: of milestones `active` or `closed`; of iterations 1 (upcoming), 2 (current) or 3 (closed)'),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  due_date: Nullable(Day('Last day; null where none is set')),
  start_date: Nullable(Day('First day; null where none is set')),
  expired: flag('Whether its last day has passed'),
  web_url: text('Address of the page for people'),
})

export const EmbeddedIteration = Type.Object({
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  group_id: integer('ID of the group'),
  title: text('Title'),
  description: Nullable(text('Description; null or empty where there is none')),
  state: integer('State: of milestones `active` or `closed`; of iterations 1 (upcoming), 2 (current) or 3 (closed)'),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  start_date: Day('First day; null where none is set'),
  due_date: Day('Last day; null where none is set'),
  web_url: text('Address of the page for people'),
})

/** Milestones by id with the path of their project or group: one statement for a page, none for no milestones. */
export async function embeddedMilestones(db: Db, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await milestonesOfIds(db, ids)
  return new Map(rows.map(row => [row.id, row]))
}

const milestonesOfIds = compiled((db, ids: readonly number[]) => milestonesWithPaths(db).where('milestones.id', '=', anyOf(ids)))

const milestonesWithPaths = (db: Db) =>
  db
    .selectFrom('milestones')
    .leftJoin('routes as project_routes', 'project_routes.project_id', 'milestones.project_id')
    .leftJoin('routes as group_routes', 'group_routes.namespace_id', 'milestones.namespace_id')
    .selectAll('milestones')
    .select(({ fn }) => fn.coalesce('project_routes.path', 'group_routes.path').$castTo<string>().as('place_path'))

type MilestoneRow = Awaited<ReturnType<ReturnType<typeof milestonesWithPaths>['executeTakeFirstOrThrow']>>

export const presentMilestone = (row: MilestoneRow, { url, now }: Facts) => ({
  id: row.id,
  iid: row.iid,
  // Either the project or the group is given.
  ...(row.project_id === null ? { group_id: row.namespace_id as number } : { project_id: row.project_id }),
  title: row.title,
  description: row.description,
  state: row.state,
  created_at: row.created_at,
  updated_at: row.updated_at,
  due_date: row.due_date,
  start_date: row.start_date,
  expired: row.due_date !== null && row.due_date < now.toISOString().slice(0, 10),
  web_url: `${url}/${row.project_id === null ? 'groups/' : ''}${row.place_path}/-/milestones/${row.iid}`,
})

/** Iterations by id with the path of their group: one statement for a page. */
export async function embeddedIterations(db: Db, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await iterationsWithPaths(db).where('iterations.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

const iterationsWithPaths = (db: Db) =>
  db
    .selectFrom('iterations')
    .innerJoin('routes', 'routes.namespace_id', 'iterations.namespace_id')
    .selectAll('iterations')
    .select('routes.path as group_path')

type IterationRow = Awaited<ReturnType<ReturnType<typeof iterationsWithPaths>['executeTakeFirstOrThrow']>>

/** The numeric states of iterations in the public API. */
const iterationStates = { upcoming: 1, current: 2, closed: 3 } as const

/** The state of an iteration is derived from its dates, which are inclusive. */
function iterationState({ start_date, due_date }: IterationRow, now: Date): number {
  const today = now.toISOString().slice(0, 10)
  return iterationStates[due_date < today ? 'closed' : start_date > today ? 'upcoming' : 'current']
}

export const presentIteration = (row: IterationRow, { url, now }: Facts) => ({
  id: row.id,
  iid: row.iid,
  group_id: row.namespace_id,
  title: row.title,
  description: row.description,
  state: iterationState(row, now),
  created_at: row.created_at,
  updated_at: row.updated_at,
  start_date: row.start_date,
  due_date: row.due_date,
  web_url: `${url}/groups/${row.group_path}/-/iterations/${row.id}`,
})
