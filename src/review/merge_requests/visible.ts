/** Who may know of a merge request, as SQL: whoever may see the code and the merge requests of its project. */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { KnownMemberships } from '../../platform/access/visible.ts'

/** A condition on `merge_requests`. */
export type Condition = RawBuilder<boolean>

/**
 * The ids of the projects, among those that meet `inProject` (a condition on `projects`), whose merge requests the actor may know
 * of: the guests of a private project, who may not see its code, do not.
 * @param known the actor's memberships, where they were found before
 */
export function projectsWithMergeRequests(
  actor: Actor,
  inProject: Condition = sql<boolean>`true`,
  known?: KnownMemberships,
): RawBuilder<number> {
  return projectsAllowing(actor, 'read_merge_request', inProject, known)
}

/** The merge requests of all projects, or those that meet `inProject`, that the actor may know of. */
export const mergeRequestVisibleTo = (actor: Actor, inProject?: Condition, known?: KnownMemberships): Condition =>
  sql<boolean>`merge_requests.project_id in (${projectsWithMergeRequests(actor, inProject, known)})`
