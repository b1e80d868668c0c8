/** What of CI is a person's own, which abilities that name `own` ask for (`platform/access/rules`). */
import { roles } from '../platform/access/abilities.ts'
import type { Actor } from '../platform/access/actor.ts'
import type { ProjectWithRole } from '../spaces/projects/scope.ts'

/** Does a pipeline or schedule run for the caller, who may still run pipelines? @param userId the person in whose name it runs */
export const isOwnRun = (actor: Actor, { role }: Pick<ProjectWithRole, 'role'>, userId: number | null): boolean =>
  userId !== null && userId === actor.user?.id && role >= roles.developer

/** Does a job run for the caller, on an unprotected branch? */
export const isOwnJob = (
  actor: Actor,
  project: Pick<ProjectWithRole, 'role'>,
  job: { readonly user_id: number | null; readonly protected: boolean },
): boolean => isOwnRun(actor, project, job.user_id) && !job.protected
