/** The page of a milestone follows it: its attributes, and the issues and merge requests that are in it. */
import { sql } from 'kysely'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a milestone. */
export const milestoneTopicOf = ({ id }: { readonly id: number }): Topic => `milestone:${id}`

const ofProject = openBy(inProject, 'read_milestone', id => ({ id: String(id) }))
const ofGroup = openBy(inGroup, 'read_group_milestone', id => ({ id: String(id) }))

/** `milestone:<id>` */
export const milestoneTopic: TopicKind = {
  async isOpen(ctx, id) {
    const row = await ctx.db.selectFrom('milestones').select(['project_id', 'namespace_id']).where('id', '=', id).executeTakeFirst()
    if (!row) return false
    return row.project_id === null ? ofGroup(ctx, row.namespace_id as number) : ofProject(ctx, row.project_id)
  },
  async hasChanged({ db }, id, since) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (select from milestones where id = ${id} and updated_at >= ${since})
          or exists (select from issues where milestone_id = ${id} and updated_at >= ${since})
          or exists (select from merge_requests where milestone_id = ${id} and updated_at >= ${since}) as changed`.execute(db)
    return rows[0]?.changed === true
  },
}
