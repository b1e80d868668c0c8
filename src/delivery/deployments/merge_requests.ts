/** Links merge requests to deployments: those merged between the last deployment to the environment and this one. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Events } from '../../platform/events/catalog.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { listCommitIds, resolveCommits } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { environmentsById } from '../environments/queries.ts'
import { folderOf } from '../environments/slugs.ts'
import { type DeploymentRow, deploymentBefore, deployments } from './queries.ts'

/** Commits between two deployments that are examined, newest first: a longer range is an import rather than merges. */
const MOST_COMMITS = 50_000

/**
 * Records the merge requests of a successful deployment. Idempotent: each is linked to an environment once.
 * Contract: not for review apps and the like: environments in a folder that are neither for production nor for
 * staging (public behaviour).
 */
export async function noteMergeRequests(deps: Deps, { deployment_id, status }: Events['deployment.updated']): Promise<void> {
  if (status !== 'success') return
  const { db } = deps.database
  const deployment = await deployments(db).where('deployments.id', '=', deployment_id).executeTakeFirst()
  const environment = deployment && (await environmentsById(db, [deployment.environment_id])).get(deployment.environment_id)
  if (!environment || deployment.status !== 'success') return
  if (folderOf(environment.name) !== undefined && environment.tier !== 'production' && environment.tier !== 'staging') return
  const ids = await mergedSince(deps, deployment, await deploymentBefore(db, deployment))
  if (ids.length === 0) return
  await transact(db, async tx => {
    const noted = await tx
      .insertInto('deployment_merge_requests')
      .values(ids.map(merge_request_id => ({ deployment_id, merge_request_id, environment_id: environment.id })))
      .onConflict(conflict => conflict.doNothing())
      .returning('merge_request_id')
      .execute()
    if (noted.length === 0) return
    await recordEvent(tx, {
      kind: 'deployment.brought',
      payload: {
        deployment_id,
        tier: environment.tier,
        merge_request_ids: noted.map(row => row.merge_request_id),
        at: deployment.finished_at as string,
      },
      projectId: deployment.project_id,
    })
  })
}

/** The ids of the merge requests that are merged into the deployed commit and not into the one deployed before. */
async function mergedSince(deps: Deps, deployment: DeploymentRow, before: DeploymentRow | undefined): Promise<number[]> {
  const { db } = deps.database
  // Contract: the first deployment to an environment links everything that was merged into the branch (public behaviour).
  if (!before)
    return idsOf(
      // Merges after that belong to the next deployment.
      merged(db, deployment).where('target_branch', '=', deployment.ref).where('merged_at', '<=', deployment.finished_at),
    )
  const project = (await projectsById(db, [deployment.project_id])).get(deployment.project_id)
  const repository = project && (await findRepository(deps.storages, project))
  if (!repository) return []
  const [from, to] = await resolveCommits(repository, [before.sha, deployment.sha])
  if (to === undefined) return []
  const commits = await listCommitIds(repository, { from: [to], ...(from && { except: [from] }), limit: MOST_COMMITS })
  return idsOf(
    merged(db, deployment).where(({ or, eb }) =>
      or((['merge_commit_sha', 'squash_commit_sha', 'merged_commit_sha'] as const).map(column => eb(column, '=', anyOf(commits)))),
    ),
  )
}

const merged = (db: Db, { project_id }: DeploymentRow) =>
  db.selectFrom('merge_requests').select('id').where('project_id', '=', project_id).where('state', '=', 'merged')

const idsOf = async (query: ReturnType<typeof merged>): Promise<number[]> => (await query.orderBy('id').execute()).map(row => row.id)
