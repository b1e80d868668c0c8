/** The pages of a project's commits follow what is said about them. */
import { sql } from 'kysely'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of the comments on a project's commits. */
export const commitCommentsOf = ({ id }: { readonly id: number }): Topic => `commit_comments:${id}`

/** `commit_comments:<project id>` */
export const commitCommentsTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_code', id => ({ id: String(id) })),
  async hasChanged({ db }, id, since) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (select from commented_commits where project_id = ${id} and updated_at >= ${since}) as changed`.execute(db)
    return rows[0]?.changed === true
  },
}
