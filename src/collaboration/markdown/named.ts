/** The things that texts name, as far as their reader may know of them. */
import { sql } from 'kysely'
import { issueVisibleTo } from '../../planning/issues/visible.ts'
import { epicVisibleTo } from '../../planning/shared/epics.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { mergeRequestVisibleTo } from '../../review/merge_requests/visible.ts'

/** How a text names a thing: the full path of its project or group in lower case, and its number. */
export interface ThingName {
  readonly path: string
  readonly iid: number
}

type Reader = Pick<Context, 'db' | 'actor'>

const pathsOf = (names: readonly ThingName[]) => names.map(({ path }) => path)
const iidsOf = (names: readonly ThingName[]) => names.map(({ iid }) => iid)

/** The projects that are named, for conditions of visibility: without it every project would be looked at. */
const inNamedProjects = (names: readonly ThingName[]) =>
  sql<boolean>`projects.id in (select project_id from routes where lower(path) = any(${pathsOf(names)}))`

/** Issues by name, in one statement. */
export async function issuesNamed({ db, actor }: Reader, names: readonly ThingName[]) {
  if (names.length === 0) return []
  return db
    .selectFrom('issues')
    .innerJoin('routes', 'routes.project_id', 'issues.project_id')
    .select(['issues.id', 'issues.iid', 'issues.project_id', 'issues.title', 'issues.state', 'routes.path'])
    .where(sql<boolean>`(lower(routes.path), issues.iid) in (select * from unnest(${pathsOf(names)}::text[], ${iidsOf(names)}::bigint[]))`)
    .where(issueVisibleTo(actor, inNamedProjects(names)))
    .execute()
}

/** Merge requests by name, in one statement. */
export async function mergeRequestsNamed({ db, actor }: Reader, names: readonly ThingName[]) {
  if (names.length === 0) return []
  return db
    .selectFrom('merge_requests')
    .innerJoin('routes', 'routes.project_id', 'merge_requests.project_id')
    .select(['merge_requests.id', 'merge_requests.iid', 'merge_requests.project_id', 'merge_requests.title', 'routes.path'])
    .where(
      sql<boolean>`(lower(routes.path), merge_requests.iid) in
        (select * from unnest(${pathsOf(names)}::text[], ${iidsOf(names)}::bigint[]))`,
    )
    .where(mergeRequestVisibleTo(actor, inNamedProjects(names)))
    .execute()
}

/** Epics by name, in one statement. */
export async function epicsNamed({ db, actor }: Reader, names: readonly ThingName[]) {
  if (names.length === 0) return []
  return db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
    .innerJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .select(['epics.id', 'epics.iid', 'epics.title', 'routes.path'])
    .where(sql<boolean>`(lower(routes.path), epics.iid) in (select * from unnest(${pathsOf(names)}::text[], ${iidsOf(names)}::bigint[]))`)
    .where(epicVisibleTo(actor))
    .execute()
}
