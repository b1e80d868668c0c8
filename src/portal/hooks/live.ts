/** The pages of a hook follow what is sent to it, and the answers. */
import { sql } from 'kysely'
import { hooks } from '../../integrations/hooks/queries.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a hook. */
export const hookTopicOf = ({ id }: { readonly id: number }): Topic => `hook:${id}`

const ofProject = openBy(inProject, 'admin_project', id => ({ id: String(id) }))
const ofGroup = openBy(inGroup, 'admin_group', id => ({ id: String(id) }))
const ofInstance = openBy(inInstance, 'admin_instance', () => ({}))

/** Deliveries that are looked at: as many as a page has at most. */
const LATEST = 100

/** `hook:<id>`: for those who manage it. */
export const hookTopic: TopicKind = {
  async isOpen(ctx, id) {
    const hook = await hooks(ctx.db).where('id', '=', id).executeTakeFirst()
    if (!hook) return false
    if (hook.project_id !== null) return ofProject(ctx, hook.project_id)
    return hook.namespace_id === null ? ofInstance(ctx, id) : ofGroup(ctx, hook.namespace_id)
  },
  async hasChanged({ db }, id, since) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (
        select from (select updated_at from hook_deliveries where hook_id = ${id} order by id desc limit ${sql.lit(LATEST)}) as latest
         where updated_at >= ${since}) as changed`.execute(db)
    return rows[0]?.changed === true
  },
}
