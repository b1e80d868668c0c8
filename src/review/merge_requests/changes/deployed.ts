/** The first deployment of merge requests to production (document 3 `first_deployed_to_production_at`). */

import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Events } from '../../../platform/events/catalog.ts'
import type { Deps } from '../../../platform/kernel/context.ts'

/** Records the time for the merge requests that a production deployment contains. Only the first time counts, so it is idempotent. */
export async function noteProduction({ database }: Deps, { tier, merge_request_ids, at }: Events['deployment.brought']): Promise<void> {
  if (tier !== 'production') return
  await database.db
    .updateTable('merge_requests')
    .set({ first_deployed_to_production_at: at })
    .where('id', '=', anyOf(merge_request_ids))
    .where('first_deployed_to_production_at', 'is', null)
    .execute()
}
