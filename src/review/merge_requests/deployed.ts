/** When merge requests came to production first (document 3 `first_deployed_to_production_at`). */
import { anyOf } from '../../platform/db/any.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** Notes it for those that a deployment to production brought. The first time counts, so that this is safe to be repeated. */
export async function noteProduction({ database }: Deps, { tier, merge_request_ids, at }: Events['deployment.brought']): Promise<void> {
  if (tier !== 'production') return
  await database.db
    .updateTable('merge_requests')
    .set({ first_deployed_to_production_at: at })
    .where('id', '=', anyOf(merge_request_ids))
    .where('first_deployed_to_production_at', 'is', null)
    .execute()
}
