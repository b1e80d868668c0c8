/** Reads of commits that are commented on. */
import { type RawBuilder, sql } from 'kysely'
import type { NoteableTables } from '../../collaboration/item_kinds/kinds.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { KnownMemberships } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

export const commitTables = { table: 'commented_commits', key: 'commented_commit_id' } as const satisfies NoteableTables

/** Commits that are commented on, with the path of their project. */
const commentedCommits = (db: Db) =>
  db
    .selectFrom('commented_commits')
    .innerJoin('routes', 'routes.project_id', 'commented_commits.project_id')
    .selectAll('commented_commits')
    .select(({ ref }) => ref('routes.path').as('project_path'))

export type CommentedCommitRow = Awaited<ReturnType<ReturnType<typeof commentedCommits>['executeTakeFirstOrThrow']>>

/** The row of a commit; undefined until the first comment on it. */
export const commentedCommit = (db: Db, projectId: number, sha: string) =>
  commentedCommits(db).where('commented_commits.project_id', '=', projectId).where('sha', '=', sha).executeTakeFirst()

/** The row with this id. */
export const commentedCommitById = (db: Db, id: number) => commentedCommits(db).where('commented_commits.id', '=', id).executeTakeFirst()

/** The commits whose code the actor may read: a condition on `commented_commits`. */
export const commentedCommitVisibleTo = (
  actor: Actor,
  inProject: RawBuilder<boolean> = sql<boolean>`projects.id = commented_commits.project_id`,
  known?: KnownMemberships,
): RawBuilder<boolean> => sql<boolean>`commented_commits.project_id in (${projectsAllowing(actor, 'read_code', inProject, known)})`

/** Rows by id, as far as the actor may see them. */
export async function visibleCommentedCommits(db: Db, actor: Actor, ids: readonly number[]): Promise<CommentedCommitRow[]> {
  if (ids.length === 0) return []
  return commentedCommits(db).where('commented_commits.id', '=', anyOf(ids)).where(commentedCommitVisibleTo(actor)).execute()
}
