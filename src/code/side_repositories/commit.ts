/** Commits of the API to a side repository. */
import {
  ActionRefused,
  commitActions,
  defaultBranchOf,
  type ObjectId,
  RefConflict,
  type Repository,
  readRefs,
  updateRefs,
  zeroId,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { withRoomForCommit } from '../../spaces/storage_limits/limits.ts'
import { personOf } from '../repository/commits/person.ts'
import { settleChange } from './push.ts'
import { ensureSide, type SideCommit, type SideRepository } from './side_repository.ts'

/** Minimum bytes of the names and trees of a change, besides its content. */
const OBJECT = 256

/** Commits that others may make meanwhile before a caller is asked to try again. */
const ATTEMPTS = 10

/**
 * Commits to HEAD's branch, and does what follows. `change` is asked for the actions on top of a commit, again if another commit came first, so
 * that it sees every conflict. Without actions nothing is committed, and the commit that is there is answered. Not to be called inside a transaction (`writes: 'own'`).
 * @throws Refusal what `change` throws; 400 where there is no room
 * @throws ActionRefused an action cannot be applied to the files that are there
 */
export async function commitToSide(
  ctx: Context,
  side: SideRepository,
  change: (repository: Repository, tip: ObjectId | undefined) => Promise<SideCommit>,
): Promise<ObjectId | undefined> {
  const repository = await ensureSide(ctx.db, ctx.deps.storages, side)
  const branch = (await defaultBranchOf(repository)) ?? 'main'
  const ref = `refs/heads/${branch}`
  const person = personOf(ctx.actor)
  for (let attempt = 1; ; attempt += 1) {
    const [tip] = await readRefs(repository, [ref])
    const commit = await change(repository, tip)
    const { message, actions } = commit
    if (actions.length === 0) return tip
    const bytes = actions.reduce(
      (sum, action) => sum + OBJECT + ('content' in action ? (action.content?.length ?? 0) : 0),
      OBJECT + Buffer.byteLength(message),
    )
    try {
      return await withRoomForCommit(ctx.deps, side.project, bytes, async () => {
        const id = await commitActions(repository, {
          parent: tip ?? null,
          actions,
          author: person,
          committer: person,
          message,
          now: ctx.now,
        })
        const move = { ref, old: tip ?? zeroId, new: id }
        await updateRefs(repository, [move])
        await settleChange(ctx, repository, side, [move], commit)
        return id
      })
    } catch (error) {
      const isOvertaken = error instanceof RefConflict || (error instanceof ActionRefused && (await readRefs(repository, [ref]))[0] !== tip)
      if (!isOvertaken) throw error
      if (attempt === ATTEMPTS) throw conflict('The repository is being changed by others. Try again.')
    }
  }
}
