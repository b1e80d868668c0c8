/** The pages of environments follow them and what is deployed there. */
import { sql } from 'kysely'
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a project's environments and their deployments. */
export const environmentsTopicOf = ({ id }: { readonly id: number }): Topic => `environments:${id}`

/** Has the job of a deployment that has not begun moved since? It may now be started by hand. */
const jobHasMoved: NonNullable<TopicKind['hasChanged']> = async ({ db }, id, since) => {
  const { rows } = await sql<{ moved: boolean }>`
    select exists (
      select from environments
        join deployments on deployments.environment_id = environments.id and deployments.status = 'created'
        join jobs on jobs.id = deployments.job_id
       where environments.project_id = ${id} and jobs.updated_at >= ${since}) as moved`.execute(db)
  return rows[0]?.moved === true
}

const moved = [changedIn('environments', 'project_id'), changedIn('deployments', 'project_id'), jobHasMoved] as const

/** `environments:<project id>` */
export const environmentsTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_environment', id => ({ id: String(id) })),
  async hasChanged(ctx, id, since) {
    for (const has of moved) if (await has(ctx, id, since)) return true
    return false
  },
}
