/** Reads of merge requests. */
import { sql } from 'kysely'
import type { ItemTables } from '../../collaboration/item_kinds/kinds.ts'
import { type ItemName, isNamed, type Reader, rolesAmongNamed } from '../../collaboration/item_kinds/names.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { QuerySource } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { mergeRequestVisibleTo } from './lists/visible.ts'

/** The tables joined for the conditions and orders of lists. */
export const mergeRequestTables = {
  table: 'merge_requests',
  labels: 'merge_request_labels',
  assignees: 'merge_request_assignees',
  key: 'merge_request_id',
} as const satisfies ItemTables

/**
 * Merge requests with the path of their project, the ids of their people and labels, and the commits of their latest version.
 * @param askedIn full path of the project or group of the request, for references; null for the whole instance
 */
export const mergeRequests = (db: QuerySource, askedIn: string | null) =>
  db
    .selectFrom('merge_requests')
    // Outer joins, which the planner can drop from counts.
    .leftJoin('routes', 'routes.project_id', 'merge_requests.project_id')
    .leftJoin('merge_request_versions as version', 'version.id', 'merge_requests.latest_version_id')
    .selectAll('merge_requests')
    .select(({ ref }) => [
      ref('routes.path').$notNull().as('project_path'),
      sql<string | null>`${askedIn}::text`.as('asked_in'),
      sql<
        number[]
      >`array(select a.user_id from merge_request_assignees a where a.merge_request_id = merge_requests.id order by a.user_id)`.as(
        'assignee_ids',
      ),
      sql<
        number[]
      >`array(select r.user_id from merge_request_reviewers r where r.merge_request_id = merge_requests.id order by r.user_id)`.as(
        'reviewer_ids',
      ),
      sql<number[]>`array(select l.label_id from merge_request_labels l where l.merge_request_id = merge_requests.id)`.as('label_ids'),
      'version.base_commit_sha',
      'version.start_commit_sha',
      'version.head_commit_sha',
      'version.real_size',
      'version.state as version_state',
    ])

export type MergeRequestRow = Awaited<ReturnType<ReturnType<typeof mergeRequests>['executeTakeFirstOrThrow']>>

/** The merge request with this number in a project that the actor may see. */
export const mergeRequestIn = async (
  db: Db,
  project: Pick<ProjectWithRole, 'id' | 'full_path'>,
  iid: number,
): Promise<MergeRequestRow | undefined> => (await numbered(db, project.id, iid, project.full_path))[0]

const numbered = compiled((db, projectId: number, iid: number, askedIn: string) =>
  mergeRequests(db, askedIn).where('merge_requests.project_id', '=', projectId).where('merge_requests.iid', '=', iid),
)

/** Any merge request, without a visibility check; for commands. */
export const mergeRequestById = async (db: Db, id: number, askedIn: string | null): Promise<MergeRequestRow | undefined> =>
  (await withId(db, id, askedIn))[0]

const withId = compiled((db, id: number, askedIn: string | null) => mergeRequests(db, askedIn).where('merge_requests.id', '=', id))

/** Merge requests by id that the actor may see, for other resources. */
export async function visibleMergeRequestsById(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  askedIn: string | null,
): Promise<Map<number, MergeRequestRow>> {
  if (ids.length === 0) return new Map()
  const rows = await mergeRequests(db, askedIn).where('merge_requests.id', '=', anyOf(ids)).where(mergeRequestVisibleTo(actor)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The merge requests that a text names and its reader may see. One statement. */
export async function mergeRequestsNamed({ db, actor }: Reader, names: readonly ItemName[]) {
  if (names.length === 0) return []
  const { beginIn, isOne, known } = rolesAmongNamed(actor, names)
  return beginIn(db)
    .selectFrom('merge_requests')
    .innerJoin('routes', 'routes.project_id', 'merge_requests.project_id')
    .select([
      'merge_requests.id',
      'merge_requests.iid',
      'merge_requests.project_id',
      'merge_requests.title',
      'merge_requests.state',
      'routes.path',
    ])
    .where(isNamed('merge_requests', names))
    .where(mergeRequestVisibleTo(actor, isOne, known))
    .execute()
}
