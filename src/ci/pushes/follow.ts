/** The pipeline of a branch or tag that was pushed. */
import type { Static } from 'typebox'
import { findActingUser } from '../../access/credentials.ts'
import type { payloads } from '../../events/worker.ts'
import { readCommit, readRefs, resolveCommit } from '../../git/objects/objects.ts'
import { type Deps, outsideRequest } from '../../kernel/context.ts'
import { visibleProject } from '../../projects/queries.ts'
import { findRepository } from '../../repository/store.ts'
import { skipsCi } from '../config/skip.ts'
import { grantPipeline, skipPipeline } from '../pipelines/creation/create.ts'
import type { PipelineWish } from '../pipelines/creation/wish.ts'
import { pushWishesOf } from './options.ts'

/**
 * Makes the pipeline that a push asks for, as the one who pushed; none where nothing is to run, and a skipped one where that is wished. Run
 * twice, it makes one.
 */
export async function startPipeline(
  deps: Deps,
  { project_id, actor_id, move, options, request_key: requestKey }: Static<(typeof payloads)['start_pipeline']>,
): Promise<void> {
  const { db } = deps.database
  const user = await findActingUser(db, String(actor_id))
  const ctx = outsideRequest(deps, db, { user, credential: undefined, sudoBy: undefined })
  const project = user && (await visibleProject(db, ctx.actor, String(project_id)))
  const repository = project && (await findRepository(deps.storages, project))
  if (!project || !repository) return
  const sha = await resolveCommit(repository, move.new)
  const commit = sha === undefined ? undefined : await readCommit(repository, sha)
  const [present] = await readRefs(repository, [move.ref])
  // Removed again meanwhile.
  if (!commit || present === undefined) return
  const { skips, variables } = pushWishesOf(options)
  const wish: PipelineWish = { source: 'push', ref: move.ref, sha: commit.id, before_sha: move.old, variables, requestKey, quietly: true }
  if (skips || skipsCi(commit.message)) return skipPipeline(ctx, project, wish, commit)
  const granted = await grantPipeline(ctx, project, wish)
  if (granted.kind === 'refused')
    deps.log.debug({ project: project_id, ref: move.ref, errors: granted.errors }, 'a push has not made a pipeline')
}
