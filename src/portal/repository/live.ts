/** Pages of a repository follow its branches and tags. */
import { sql } from 'kysely'
import { isObjectId } from '../../platform/git/index.ts'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a project's repository. */
export const repositoryOf = ({ id }: { readonly id: number }): Topic => `repository:${id}`

/** What the pages of a revision follow: those of a commit never change. */
export const topicsOfRevision = (project: { readonly id: number }, ref: string): readonly Topic[] =>
  isObjectId(ref) ? [] : [repositoryOf(project)]

/** Events of the project among which a push since the page was made is looked for: they are as many as a busy project has in seconds. */
const RECENT = 200

/** `repository:<project id>` */
export const repositoryTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_code', id => ({ id: String(id) })),
  async hasChanged({ db }, id, since) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (
        select from (select kind, created_at from events where project_id = ${id} order by id desc limit ${RECENT}) as recent
         where kind = 'repository.updated' and created_at >= ${since}) as changed`.execute(db)
    return rows[0]?.changed === true
  },
}
