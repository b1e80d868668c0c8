/**
 * Stops environments automatically, as the user who deletes their branch, or merges or closes their merge request (public documentation,
 * "Stop an environment"). Only those with a stop job: nothing else can take the deployment down.
 */

import { sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Events } from '../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { shortNameOf, zeroId } from '../../platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { headPipelinesOf } from '../../review/merge_request_pipelines/queries.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { environmentById } from '../environments/queries.ts'
import { stopJobOf, stopWithAction } from './stop.ts'

/** Stops the last deployments of deleted branches. Idempotent. */
export async function stopAfterBranches(
  deps: Deps,
  { moves }: Events['repository.updated'],
  { actor_id, project_id }: Pick<RecordedEvent, 'actor_id' | 'project_id'>,
): Promise<void> {
  for (const move of moves) {
    const name = move.new === zeroId ? shortNameOf(move.ref) : undefined
    if (name?.kind !== 'branch' || project_id === null) continue
    const { rows } = await sql<{ id: number }>`
      ${genericPlan} select environments.id from environments
       where state = 'available'
         and id in (select environment_id from deployments
                     where project_id = ${project_id} and ref = ${name.name} and not tag and status = 'success')
         and (select last.ref = ${name.name} and not last.tag from deployments last
               where last.environment_id = environments.id and last.status = 'success' order by last.id desc limit 1)
       order by id`.execute(deps.database.db)
    await stopAll(deps, { actorId: actor_id, projectId: project_id, environmentIds: rows.map(({ id }) => id) })
  }
}

/** Stops the deployments of a merge request's last pipeline. Idempotent. */
export async function stopAfterMerge(
  deps: Deps,
  { merge_request_id }: Events['merge_request.merged'],
  { actor_id }: Pick<RecordedEvent, 'actor_id'>,
): Promise<void> {
  const { db } = deps.database
  const pipeline = (await headPipelinesOf(db, [{ id: merge_request_id }])).get(merge_request_id)
  // Contract: deployments of a branch's own pipeline stay until that branch is deleted (public behaviour at 14.0).
  if (pipeline?.source !== 'merge_request_event') return
  const { rows } = await sql<{ id: number }>`
    select distinct deployments.environment_id as id from deployments join jobs on jobs.id = deployments.job_id
     where jobs.pipeline_id = ${pipeline.id} and deployments.status = 'success' order by 1`.execute(db)
  await stopAll(deps, { actorId: actor_id, projectId: pipeline.project_id, environmentIds: rows.map(({ id }) => id) })
}

/** The same for a closed merge request. */
export async function stopAfterClosing(
  deps: Deps,
  { merge_request_id, changes }: Events['merge_request.updated'],
  event: Pick<RecordedEvent, 'actor_id'>,
): Promise<void> {
  if (changes.state?.to === 'closed') await stopAfterMerge(deps, { merge_request_id }, event)
}

interface ToStop {
  readonly actorId: number | null
  readonly projectId: number
  readonly environmentIds: readonly number[]
}

async function stopAll(deps: Deps, { actorId, projectId, environmentIds }: ToStop): Promise<void> {
  const { db } = deps.database
  if (environmentIds.length === 0) return
  const actor = await actingAs(db, actorId)
  if (!actor) return
  const ctx = systemContext(deps, db, actor)
  const project = await visibleProject(db, actor, String(projectId))
  if (!project || allows(ctx.actor, 'admin_environment', projectSubject(project)) !== 'yes') return
  for (const id of environmentIds)
    await transact(db, tx => stopOne({ ...ctx, db: tx }, project, id)).catch(error => {
      if (!(error instanceof Refusal)) throw error
      // A protection forbids it to that user: the environment stays available, without an error.
      deps.log.info({ environment: id, project: projectId }, 'an environment was not stopped with its branch or merge request')
    })
}

async function stopOne(ctx: Context, project: ProjectWithRole, id: number): Promise<void> {
  await lock(ctx.db, id)
  const environment = await environmentById(ctx.db, project.id, id)
  if (environment?.state === 'available' && (await stopJobOf(ctx.db, environment))) await stopWithAction(ctx, project, environment)
}

/** Locks the environment until the transaction ends, so that of two concurrent stops one starts the job. */
const lock = (db: Db, id: number) => db.selectFrom('environments').select('id').where('id', '=', id).forNoKeyUpdate().execute()
