/** Lists of packages, which are counted before their rows are read so that long ones stay fast. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { customPlan } from '../../platform/db/statements/prepared.ts'
import type { Slices } from '../../platform/kernel/answer/page.ts'
import { type PackageRow, packages, readableIn } from './queries.ts'
import { displayable, type PackageStatus, type PackageType } from './types.ts'

export const packageOrders = ['created_at', 'name', 'version', 'type'] as const

/** Filters and order of a list of packages. */
export interface PackageFilters {
  readonly order_by: (typeof packageOrders)[number] | 'project_path'
  readonly sort: 'asc' | 'desc'
  readonly package_type?: PackageType | undefined
  /** Part of the name. */
  readonly package_name?: string | undefined
  /** Those without a version too. */
  readonly include_versionless?: boolean | undefined
  readonly status?: PackageStatus | undefined
}

/** Up to this number, packages are read and sorted; beyond, they are read in order. */
const FEW = 2_000

const columns = { created_at: 'created_at', name: 'name', version: 'version', type: 'package_type' } as const

/** Less has no trigram. */
const TRIGRAM = 3

/** Names with this part, by the index of trigrams; those of one or two letters by that of names in lower case, where `like` takes a quarter of the time. */
const nameContains = (part: string): RawBuilder<boolean> =>
  part.length < TRIGRAM ? sql`lower(packages.name) like lower(${containing(part)})` : sql`packages.name ilike ${containing(part)}`

/** The packages that the filters select. States are written out, by which the planner knows the indexes that have some of them alone. */
function conditionOf({ package_type, package_name = '', include_versionless, status }: PackageFilters): RawBuilder<boolean> {
  const states = status === undefined ? displayable : [status]
  const conditions = [sql`packages.status in (${sql.join(states.map(state => sql.lit(state)))})`]
  if (!include_versionless) conditions.push(sql`packages.version is not null`)
  if (package_type !== undefined) conditions.push(sql`packages.package_type = ${package_type}`)
  if (package_name !== '') conditions.push(nameContains(package_name))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Where packages are listed. */
interface Place {
  /** A condition on the packages that can be there. */
  readonly where: RawBuilder<boolean>
  /** The ids of a page of those that meet a condition, read along the order. */
  walk(condition: RawBuilder<boolean>, offset: number, limit: number): RawBuilder<number>
}

/** `order` is that of rows of packages, with the paths of their projects. */
function listIn(db: Db, place: Place, filters: PackageFilters, order: RawBuilder<unknown>): Slices<PackageRow> {
  const condition = conditionOf(filters)
  // Those found while counting, in the order of the list, if they are few.
  let found: readonly number[] | null = null
  return {
    async count(limit) {
      const { rows } = await sql<{ total: number; ids: number[] | null }>`${customPlan}
        with found as materialized (select packages.id from packages where ${place.where} and ${condition} limit ${limit})
        select total, case when total <= ${sql.lit(FEW)} then array(
                 select packages.id from packages left join routes on routes.project_id = packages.project_id
                  where packages.id = any(array(select id from found)) order by ${order}) end as ids
          from (select count(*)::int as total from found) as counted`.execute(db)
      found = rows[0]?.ids ?? null
      return rows[0]?.total ?? 0
    },
    async slice(offset, limit, total) {
      await total
      const ids = found ? anyOf(found.slice(offset, offset + limit)) : sql<number>`any(array(${place.walk(condition, offset, limit)}))`
      return packages(db).modifyFront(customPlan).where('packages.id', '=', ids).orderBy(order).execute()
    },
  }
}

/** The packages of a project. */
export function packagesOf(
  db: Db,
  projectId: number,
  filters: PackageFilters & { readonly order_by: (typeof packageOrders)[number] },
): Slices<PackageRow> {
  const direction = sql.raw(filters.sort)
  const order = sql`${sql.ref(`packages.${columns[filters.order_by]}`)} ${direction}, packages.id ${direction}`
  const where = sql<boolean>`packages.project_id = ${projectId}`
  const walk: Place['walk'] = (condition, offset, limit) =>
    sql`select packages.id from packages where ${where} and ${condition} order by ${order} limit ${limit} offset ${offset}`
  return listIn(db, { where, walk }, filters, order)
}

/** The packages of the projects in a group that the actor may read. */
export function packagesOfGroup(db: Db, actor: Actor, groupId: number, below: boolean, filters: PackageFilters): Slices<PackageRow> {
  const { order_by, sort } = filters
  const direction = sql.raw(sort)
  const readable = readableIn(actor, groupId, below)
  const isByProject = order_by === 'project_path'
  const id = sql`packages.id`
  const own = isByProject ? [id] : [sql.ref(`packages.${columns[order_by]}`), id]
  const inOrder = (terms: readonly RawBuilder<unknown>[]) => sql.join(terms.map(term => sql`${term} ${direction}`))
  const order = inOrder(isByProject ? [sql.ref('routes.path'), id] : own)
  // The first ones of each project are read along an index, and merged: no index has the packages of several projects in order.
  const walk: Place['walk'] = (condition, offset, limit) => sql`
    select packages.id from (${readable}) as readable (id) left join routes on routes.project_id = readable.id
      cross join lateral (
        select ${sql.join(own)} from packages where packages.project_id = readable.id and ${condition}
         order by ${inOrder(own)} limit ${offset + limit}) as packages
     order by ${order} limit ${limit} offset ${offset}`
  return listIn(db, { where: sql<boolean>`packages.project_id in (${readable})`, walk }, filters, order)
}
