/** Writes of topics, by administrators. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, invalid, notFound } from '../../platform/kernel/errors.ts'
import { dropTopic, replaceTopic } from '../projects/topics.ts'
import { type TopicRow, topicById, topicByName } from './queries.ts'

/** What can be set; what is undefined stays. */
export interface TopicAttributes {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** 400: the name is taken (decision 13). */
const taken = () => invalid({ name: ['has already been taken'] })

/** Makes a topic that no project has yet. */
export async function createTopic({ db, now }: Context, attributes: TopicAttributes & { readonly name: string }): Promise<TopicRow> {
  const { id } = await db
    .insertInto('topics')
    .values({ ...attributes, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) ? taken() : error
    })
  return (await topicById(db, id)) as TopicRow
}

/** Changes a topic; a new name is that of all its projects too. */
export async function updateTopic({ db, now }: Context, topic: TopicRow, { name, ...attributes }: TopicAttributes): Promise<TopicRow> {
  const isRenamed = name !== undefined && name !== topic.name
  if (isRenamed) {
    if (await topicByName(db, name)) throw taken()
    await replaceTopic(db, topic.name, name)
    // The projects have made a topic of the new name; this one, with its id, takes its place.
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
  return (await topicById(db, topic.id)) as TopicRow
}

/** Deletes a topic, in its projects too. */
export async function removeTopic({ db }: Context, topic: TopicRow): Promise<void> {
  await dropTopic(db, topic.name)
  await db.deleteFrom('topics').where('id', '=', topic.id).execute()
}

/** Gives the projects of one topic another one, and deletes the first. 404 where one is not there, 400 for one and the same. */
export async function mergeTopics(ctx: Context, sourceId: number, targetId: number): Promise<TopicRow> {
  const [source, target] = [await topicById(ctx.db, sourceId), await topicById(ctx.db, targetId)]
  if (!source || !target) throw notFound('Topic')
  if (source.id === target.id) throw badRequest('The source topic and the target topic are identical.')
  await replaceTopic(ctx.db, source.name, target.name)
  await removeTopic(ctx, source)
  return (await topicById(ctx.db, target.id)) as TopicRow
}
