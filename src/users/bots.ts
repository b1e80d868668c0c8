/** Bots: accounts that are not people's. A project's bot holds one of its access tokens and signs in by that alone. */
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { freeUsername } from './usernames.ts'

/** Makes a bot for a project, `project_<id>_bot` or the first such name that is free, and returns its id. */
export async function createProjectBot(ctx: Context, projectId: number, name: string): Promise<number> {
  const { db } = ctx
  const username = await freeUsername(db, `project_${projectId}_bot`)
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      name,
      // `.invalid` is nobody's domain for good (RFC 2606).
      email: `${username}@noreply.invalid`,
      kind: 'project_bot',
      projects_limit: 0,
      can_create_group: false,
      confirmed_at: ctx.now,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('project_bots').values({ user_id: id, project_id: projectId }).execute()
  await recordEvent(db, { kind: 'user.created', payload: { user_id: id }, actorId: ctx.actor.user?.id })
  return id
}

/** Deletes a bot with its tokens and its membership. */
export async function removeBot({ db, actor }: Context, userId: number): Promise<void> {
  const bot = await db.deleteFrom('users').where('id', '=', userId).returning('username').executeTakeFirst()
  if (bot)
    await recordEvent(db, {
      kind: 'user.deleted',
      payload: { user_id: userId, username: bot.username },
      actorId: actorIdUnless(userId, actor),
    })
}

/** A bot that revokes its own last token cannot be named as the one who did it: it is gone. */
const actorIdUnless = (gone: number, actor: Context['actor']): number | undefined => (actor.user?.id === gone ? undefined : actor.user?.id)
