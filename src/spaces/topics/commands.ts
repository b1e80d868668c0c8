/** Writes of topics, by administrators. */
import { storeAvatar } from '../../identity/avatars/commands.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { badRequest, invalid, notFound } from '../../platform/kernel/errors.ts'
import { dropTopic, replaceTopic } from '../projects/attributes/topics.ts'
import { type TopicRow, topicById, topicByName } from './queries.ts'

/** The attributes that can be set; undefined ones stay. */
export interface TopicAttributes {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** `null` removes it. */
  readonly avatar?: Upload | null | undefined
}

/** 400: the name is taken (decision 13). */
const taken = () => invalid({ name: ['has already been taken'] })

/** Creates a topic without projects. */
export async function createTopic(ctx: Context, { avatar, ...attributes }: TopicAttributes & { readonly name: string }): Promise<TopicRow> {
  const { db, now } = ctx
  const { id } = await db
    .insertInto('topics')
    .values({ ...attributes, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) ? taken() : error
    })
  await setAvatar(ctx, id, avatar)
  return (await topicById(db, id)) as TopicRow
}

/** Updates a topic; a new name replaces the old one in all its projects. */
export async function updateTopic(ctx: Context, topic: TopicRow, { name, avatar, ...attributes }: TopicAttributes): Promise<TopicRow> {
  const { db, now } = ctx
  const isRenamed = name !== undefined && name !== topic.name
  if (isRenamed) {
    if (await topicByName(db, name)) throw taken()
    await replaceTopic(db, topic.name, name)
    // The trigger has created a topic of the new name for the projects; this one replaces it and keeps its id.
    const made = await db.deleteFrom('topics').where('name', '=', name).returning('total_projects_count').executeTakeFirst()
    await db
      .updateTable('topics')
      .set({ name, total_projects_count: made?.total_projects_count ?? 0 })
      .where('id', '=', topic.id)
      .execute()
  }
  await db
    .updateTable('topics')
    .set({ ...attributes, updated_at: now })
    .where('id', '=', topic.id)
    .execute()
  await setAvatar(ctx, topic.id, avatar)
  return (await topicById(db, topic.id)) as TopicRow
}

/** Stores a new picture of a topic, or removes the old one; nothing if none is given. */
async function setAvatar(ctx: Context, id: number, avatar: TopicAttributes['avatar']): Promise<void> {
  if (avatar === undefined) return
  const avatar_url = await storeAvatar(ctx, { topic_id: id }, avatar)
  await ctx.db.updateTable('topics').set({ avatar_url }).where('id', '=', id).execute()
}

/** Deletes a topic, in its projects too. */
export async function removeTopic({ db }: Context, topic: TopicRow): Promise<void> {
  await dropTopic(db, topic.name)
  await db.deleteFrom('topics').where('id', '=', topic.id).returning('id').executeTakeFirstOrThrow()
}

/** Replaces one topic by another in all projects, and deletes the first. 404 if one does not exist, 400 if both are the same. */
export async function mergeTopics(ctx: Context, sourceId: number, targetId: number): Promise<TopicRow> {
  const [source, target] = [await topicById(ctx.db, sourceId), await topicById(ctx.db, targetId)]
  if (!source || !target) throw notFound('Topic')
  if (source.id === target.id) throw badRequest('The source topic and the target topic are identical.')
  await replaceTopic(ctx.db, source.name, target.name)
  await removeTopic(ctx, source)
  return (await topicById(ctx.db, target.id)) as TopicRow
}
