/** Lists of all projects that a user may see. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import {
  compilableUser,
  oneProjectVisibleTo,
  type PersonKind,
  personKind,
  personOfKind,
  projectRole,
} from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { countingOf, type Rows } from '../../platform/kernel/answer/page.ts'
import { fromProjects, inOrder, type ProjectFilters, type ProjectRow, projects, projectsMatching } from './queries.ts'

/** What does not narrow a list, among its parameters. */
const unnarrowing: ReadonlySet<string> = new Set([
  'order_by',
  'sort',
  'simple',
  'statistics',
  'license',
  'with_custom_attributes',
  'page',
  'per_page',
  'pagination',
])

/** A list of all projects that a user may see: the kind of user, and the order. */
type ListShape = `${PersonKind} ${NonNullable<ProjectFilters['order_by']>} ${'asc' | 'desc'} ${number}`

const listOf = (shape: ListShape) => {
  const [kind, order_by, sort, limit] = shape.split(' ') as [PersonKind, ProjectFilters['order_by'], 'asc' | 'desc', string]
  return { kind, filters: { order_by, sort }, rows: Number(limit), limit: sql.lit(Number(limit)) }
}

/** Statements are kept for first pages that read so many rows: one more than 20, 50 and 100. */
const keptLimits: ReadonlySet<number> = new Set([21, 51, 101])

/** The first rows of a list, which the database finds along the index of the order for any user. */
const firstRows = compiledPer((shape: ListShape) => {
  const { kind, filters, limit } = listOf(shape)
  return (db, userId: number) => projectsMatching(db, personOfKind(kind, userId), filters).modifyFront(genericPlan).limit(limit)
})

/** The same of the first projects there are, twice as many and a few more: whether the user may see one is looked at for each, and for few. */
const amongFirst = compiledPer((shape: ListShape) => {
  const { kind, filters, rows, limit } = listOf(shape)
  return (db, userId: number) => {
    const actor = personOfKind(kind, userId)
    const all = (from = fromProjects(db)) => from.selectAll() as unknown as ReturnType<typeof projects>
    const named = (rows: ReturnType<typeof projects>) => db.selectFrom(rows.as('projects')) as unknown as ReturnType<typeof fromProjects>
    const first = inOrder(all(), actor, filters).limit(sql.lit(rows * 2 + 22))
    const role = sql<number>`(select ${projectRole(actor)} from namespaces where namespaces.id = projects.namespace_id)`
    const visible = all(named(first)).where(oneProjectVisibleTo(actor, role) as RawBuilder<boolean>)
    const from = named(inOrder(visible, actor, filters).limit(limit))
    return inOrder(projects(db, from), actor, filters).modifyFront(genericPlan)
  }
})

const counted = compiledPer((shape: `${PersonKind} ${number}`) => {
  const [kind, limit] = shape.split(' ') as [PersonKind, string]
  return (db, userId: number) =>
    countingOf(projectsMatching(db, personOfKind(kind, userId), {}).modifyFront(genericPlan), sql.lit(Number(limit)))
})

/**
 * Whether the first projects of a list are worth looking at one by one. Where few are open to those who ask they are not, and it is tried ever more
 * seldom. Only the way depends on it, never what is found.
 */
class Attempts {
  #pause = 1
  #skipped = 0

  isWorthwhile(): boolean {
    this.#skipped++
    return this.#skipped >= this.#pause
  }

  record(succeeded: boolean): void {
    this.#skipped = 0
    this.#pause = succeeded ? 1 : Math.min(this.#pause * 2, 64)
  }
}

const attempts = new Attempts()

/** Projects that the actor may see, as a list: `projectsMatching`, with statements that are built once where nothing narrows it. */
export function projectList(db: Db, actor: Actor, filters: ProjectFilters): Rows<ProjectRow> {
  const matching = () => projectsMatching(db, actor, filters)
  const user = compilableUser(actor)
  const isNarrowed = Object.entries(filters).some(([name, value]) => value !== undefined && !unnarrowing.has(name))
  if (!user || isNarrowed) return matching()
  const { order_by = 'created_at', sort = 'desc' } = filters
  const kind = personKind(user)
  return {
    get query() {
      return matching()
    },
    async count(limit) {
      const [row] = await counted(db, `${kind} ${limit}`, user.id)
      return row?.total ?? 0
    },
    async slice(offset, limit, total) {
      if (offset > 0 || !keptLimits.has(limit)) return matching().limit(limit).offset(offset).execute()
      const shape: ListShape = `${kind} ${order_by} ${sort} ${limit}`
      if (kind !== 'admin' && attempts.isWorthwhile()) {
        const found = await amongFirst(db, shape, user.id)
        const succeeded = found.length === limit || found.length >= (await total)
        attempts.record(succeeded)
        if (succeeded) return found
      }
      return firstRows(db, shape, user.id)
    },
  }
}
