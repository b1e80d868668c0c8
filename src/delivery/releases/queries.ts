/** Reads of releases. */
import { type RawBuilder, sql } from 'kysely'
import { embeddedMilestones } from '../../planning/shared/embedded.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

export const releases = (db: Db) => db.selectFrom('releases').selectAll('releases')

export type ReleaseRow = Awaited<ReturnType<ReturnType<typeof releases>['executeTakeFirstOrThrow']>>

export const releaseOrders = ['released_at', 'created_at'] as const

/** The order of a list of releases. */
export interface ReleaseOrder {
  readonly order_by: (typeof releaseOrders)[number]
  readonly sort: 'asc' | 'desc'
}

/** The releases of a project. */
export const releasesOf = (db: Db, projectId: number, { order_by, sort }: ReleaseOrder) =>
  releases(db).where('releases.project_id', '=', projectId).orderBy(`releases.${order_by}`, sort).orderBy('releases.id', sort)

/** The releases of the projects in a group and below that the actor may read. */
export function releasesOfGroup(db: Db, actor: Actor, groupId: number, sort: 'asc' | 'desc') {
  const inside = sql<boolean>`projects.namespace_id in (select id from namespaces where traversal_ids @> ${[groupId]})`
  return releases(db)
    .where(sql<boolean>`releases.project_id in (${projectsAllowing(actor, 'read_release', inside) as RawBuilder<number>})`)
    .orderBy('releases.released_at', sort)
    .orderBy('releases.id', sort)
}

/** The release of a project for this tag. */
export const releaseOfTag = (db: Db, projectId: number, tag: string) =>
  releases(db).where('project_id', '=', projectId).where('tag', '=', tag).executeTakeFirst()

/** The release with this id, of any project. */
export const releaseById = (db: Db, id: number) => releases(db).where('id', '=', id).executeTakeFirst()

/** The newest release of a project with a date until `now`. */
export const latestReleaseOf = (db: Db, projectId: number, now: Date) =>
  releasesOf(db, projectId, { order_by: 'released_at', sort: 'desc' })
    .where('released_at', '<=', now.toISOString())
    .limit(1)
    .executeTakeFirst()

/** The releases for these tags of a project, by tag: one statement. */
export async function releasesByTag(db: Db, projectId: number, tags: readonly string[]): Promise<Map<string, ReleaseRow>> {
  if (tags.length === 0) return new Map()
  const rows = await releases(db).where('project_id', '=', projectId).where('tag', '=', anyOf(tags)).execute()
  return new Map(rows.map(row => [row.tag, row]))
}

/** The milestones of releases, by release, sorted by date and title. Two statements. */
export async function milestonesOfReleases(db: Db, releaseIds: readonly number[]) {
  const pairs = await db.selectFrom('release_milestones').selectAll().where('release_id', '=', anyOf(releaseIds)).execute()
  const byId =
    pairs.length === 0 ? new Map<number, never>() : await embeddedMilestones(db, [...new Set(pairs.map(pair => pair.milestone_id))])
  const rows = pairs.flatMap(({ release_id, milestone_id }) => {
    const milestone = byId.get(milestone_id)
    return milestone ? [{ release_id, milestone }] : []
  })
  const keyOf = ({ milestone }: (typeof rows)[number]) => `${milestone.due_date ?? '9999'} ${milestone.title}`
  return Map.groupBy(
    rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    row => row.release_id,
  )
}
