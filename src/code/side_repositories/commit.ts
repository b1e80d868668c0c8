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

/** Commits that other processes may make meanwhile before a caller is asked to try again. */
const ATTEMPTS = 10

/** Commits of this process to a repository that wait for one another, and how many may. */
const waiting = new Map<string, { last: Promise<unknown>; count: number }>()
const MOST_WAITING = 200

/** Does work on a repository when all that was asked for before is over. @throws Refusal 409 where too much waits */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const line = waiting.get(path) ?? { last: Promise.resolve(), count: 0 }
  if (line.count >= MOST_WAITING) throw overrun()
  line.count += 1
  waiting.set(path, line)
  const own = line.last.then(work)
  line.last = own.catch(() => {})
  try {
    return await own
  } finally {
    line.count -= 1
    if (line.count === 0) waiting.delete(path)
  }
}

const overrun = () => conflict('The repository is being changed by others. Try again.')

/**
 * Commits to HEAD's branch, and does what follows. `change` is asked for the actions on top of a commit, again if another commit came first, so
 * that it sees every conflict. Commits of this process come one after the other. Without actions nothing is committed, and the commit that is there is answered. Not to be called inside a transaction (`writes: 'own'`).
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
  return inTurn(repository.path, () => commitTo(ctx, side, { repository, ref }, change))
}

async function commitTo(
  ctx: Context,
  side: SideRepository,
  { repository, ref }: { readonly repository: Repository; readonly ref: string },
  change: (repository: Repository, tip: ObjectId | undefined) => Promise<SideCommit>,
): Promise<ObjectId | undefined> {
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
      if (attempt === ATTEMPTS) throw overrun()
    }
  }
}
