/** Which protocols the instance serves git by (`enabled_git_access_protocol`). */
import type { Actor } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { Refusal } from '../../platform/kernel/errors.ts'

/**
 * Refuses git by a protocol that the instance does not serve. Jobs fetch by HTTP whatever the setting.
 * @throws Refusal 403 with the line to show
 */
export async function assertProtocol({ db, actor }: { readonly db: Db; readonly actor: Actor }, by: 'ssh' | 'http'): Promise<void> {
  if (actor.credential?.kind === 'job_token') return
  const { enabled_git_access_protocol: only } = await applicationSettings(db)
  if (only && only !== by) throw new Refusal('forbidden', { message: `Git access over ${by.toUpperCase()} is not allowed` })
}
