/** Visibility of merge requests as SQL: users who may see the code and the merge requests of the project. */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { KnownMemberships } from '../../../platform/access/visible.ts'
import { forEachRow } from '../../../platform/db/statements/prepared.ts'

/** A condition on `merge_requests`. */
export type Condition = RawBuilder<boolean>

/**
 * The ids of the projects that meet `inProject` (a condition on `projects`) and whose merge requests the actor may see. Guests of a
 * private project may not see its code, and thus no merge requests.
 * @param known the actor's memberships, if they are loaded
 */
export function projectsWithMergeRequests(
  actor: Actor,
  inProject: Condition = sql<boolean>`true`,
  known?: KnownMemberships,
): RawBuilder<number> {
  return projectsAllowing(actor, 'read_merge_request', inProject, known)
}

/** The merge requests of all projects, or of those that meet `inProject`, that the actor may see. */
export const mergeRequestVisibleTo = (actor: Actor, inProject?: Condition, known?: KnownMemberships): Condition =>
  sql<boolean>`merge_requests.project_id in (${projectsWithMergeRequests(actor, inProject, known)})`

/** The same for a few merge requests that the rest of the statement finds: the project of each is looked at, and not all that the actor may see. */
export const fewMergeRequestsVisibleTo = (actor: Actor, known?: KnownMemberships): Condition => {
  const projects = projectsWithMergeRequests(actor, sql<boolean>`projects.id = merge_requests.project_id`, known)
  return sql<boolean>`merge_requests.project_id in (${forEachRow(projects)})`
}
