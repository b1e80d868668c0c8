/** Reads of topics. A trigger maintains the rows according to `projects.topics`. */
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'

const topics = (db: Db) => db.selectFrom('topics').select(['id', 'name', 'title', 'description', 'total_projects_count', 'avatar_url'])

export type TopicRow = Awaited<ReturnType<ReturnType<typeof topics>['executeTakeFirstOrThrow']>>

/**
 * Topics, those with the most projects first.
 * @param search a part of the name or title
 * @param withoutProjects only topics without projects
 */
export function topicsMatching(db: Db, search: string | undefined, withoutProjects: boolean | undefined) {
  let query = topics(db)
  if (search) {
    const like = containing(search)
    query = query.where(({ or, eb }) => or([eb('name', 'ilike', like), eb('title', 'ilike', like)]))
  }
  if (withoutProjects) query = query.where('total_projects_count', '=', 0)
  return query.orderBy('total_projects_count', 'desc').orderBy('id')
}

/** The topic with this id. */
export const topicById = (db: Db, id: number) => topics(db).where('id', '=', id).executeTakeFirst()

/** The topic with this exact name. */
export const topicByName = (db: Db, name: string) => topics(db).where('name', '=', name).executeTakeFirst()
