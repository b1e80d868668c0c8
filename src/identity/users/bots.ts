/** Bots: accounts that are not people's. A bot of a project or group holds one of its access tokens and authenticates only by that. */
import { creatorOf } from '../../platform/access/actor.ts'
import type { Place, Places } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { userById } from './queries.ts'
import { deleteAccount } from './removal/deletion.ts'
import { internalAccountId } from './removal/ghost.ts'
import { freeUsername } from './usernames.ts'

/** Creates a bot for a place, `project_<id>_bot` or `group_<id>_bot` or the first free name of that form, and returns its id. */
export async function createBot(ctx: Context, place: Place, name: string): Promise<number> {
  const { db } = ctx
  const username = await freeUsername(db, 'project_id' in place ? `project_${place.project_id}_bot` : `group_${place.namespace_id}_bot`)
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      name,
      // `.invalid` is reserved and never resolves (RFC 2606).
      email: `${username}@noreply.invalid`,
      kind: 'project_bot',
      projects_limit: 0,
      can_create_group: false,
      // A bot sees no more internal projects than the user who created it.
      external: ctx.actor.user?.external ?? false,
      creator_id: creatorOf(ctx.actor),
      confirmed_at: ctx.now,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('bots')
    .values({ user_id: id, ...place })
    .execute()
  await recordEvent(ctx, { kind: 'user.created', payload: { user_id: id }, actorId: ctx.actor.user?.id })
  return id
}

/** The id of the support bot, which writes what people without an account send by mail and has no role anywhere; it is created on first use. */
export const supportBotId = (ctx: Pick<Context, 'db' | 'now'>): Promise<number> =>
  internalAccountId(ctx, { kind: 'support_bot', username: 'support-bot', name: 'Support Bot' })

/** The place of a bot; undefined for human users. */
export async function placeOfBot(db: Db, userId: number): Promise<Place | undefined> {
  const bot = await db.selectFrom('bots').select(['project_id', 'namespace_id']).where('user_id', '=', userId).executeTakeFirst()
  if (!bot) return undefined
  return bot.project_id === null ? { namespace_id: bot.namespace_id as number } : { project_id: bot.project_id }
}

/** Deletes the bots of these places and returns their ids. */
export async function removeBotsOf(ctx: Context, { namespaceIds, projectIds }: Places): Promise<number[]> {
  const bots = await ctx.db
    .selectFrom('bots')
    .select('user_id')
    .where(({ or, eb }) => or([eb('namespace_id', '=', anyOf(namespaceIds)), eb('project_id', '=', anyOf(projectIds))]))
    .execute()
  for (const bot of bots) await removeBot(ctx, bot.user_id)
  return bots.map(bot => bot.user_id)
}

/** Deletes a bot with its tokens and its membership; what it wrote is reassigned to the ghost user. */
export async function removeBot(ctx: Context, userId: number): Promise<void> {
  const bot = await userById(ctx.db, userId)
  if (bot) await deleteAccount(ctx, bot, { writings: 'kept' })
}
