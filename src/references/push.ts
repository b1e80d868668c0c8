/** Pushes, by whatever transport: judged, recorded as an intent before git moves anything, and settled. */
import { type Actor, authorIdOf } from '../access/actor.ts'
import type { RefMove } from '../git/refs/update.ts'
import { type Push, receivePack } from '../git/transport/receive-pack.ts'
import { type Context, outsideRequest } from '../kernel/context.ts'
import { answerPush } from '../merge_requests/merging/pushed/push_options.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { ensureRepository } from '../repository/store.ts'
import { recordIntent, settleIntent } from './intents.ts'
import { type PushRights, pushRights, refusalOf, rewriteRefusalOf } from './push_rules.ts'
import { spellingRefusals } from './spelling.ts'

/**
 * Receives a push to a project: each command is judged, what is allowed is recorded as an intent before git starts, and
 * what follows is recorded before the client hears of it. It goes on when the client goes away: the push may have been
 * received whole. Not to be called inside a transaction. Whether the actor may push at all is asked before.
 */
export async function receivePush(
  ctx: Pick<Context, 'db' | 'deps'> & { readonly actor: Actor },
  project: ProjectWithRole,
  channel: Pick<Push, 'request' | 'response' | 'requestEnds'>,
): Promise<void> {
  const { deps, actor } = ctx
  const repository = await ensureRepository(deps.storages, project)
  // Asked when the commands are there: a client may take its time between its first byte and them.
  let rights: PushRights | undefined
  let intentId: number | undefined
  let options: readonly string[] = []
  await receivePack(repository, {
    ...channel,
    authorize: async (moves, push) => {
      options = push.options
      const known = await pushRights(ctx, project)
      rights = known
      const clashes = await spellingRefusals(repository, moves)
      return moves.map((move, index) => refusalOf(move, known, project.default_branch) ?? clashes[index])
    },
    rewriteRefusal: ref => rewriteRefusalOf(ref, rights as PushRights),
    async record(moves) {
      intentId = await recordIntent(deps.database.db, project.id, authorIdOf(actor), moves, { options })
    },
    async settled(results) {
      const made = results.filter(({ refusal }) => refusal === undefined)
      await settleIntent(deps, project.id, intentId as number, made, true)
      return answerOf(ctx, project, made, options)
    },
  })
}

/** What the client is told of merge requests. The push has been received, whatever becomes of that. */
async function answerOf(
  ctx: Pick<Context, 'db' | 'deps'> & { readonly actor: Actor },
  project: ProjectWithRole,
  made: readonly RefMove[],
  options: readonly string[],
): Promise<readonly string[]> {
  const { deps, actor } = ctx
  if (!actor.user) return []
  try {
    return await answerPush({ ...outsideRequest(deps, deps.database.db, actor), ...ctx }, project, made, options)
  } catch (error) {
    deps.log.error({ err: error, project: project.id }, 'what a push asks of merge requests failed')
    return []
  }
}
