/** What hooks may call although it is not public: what the configuration allows, and what administrators allow while the instance runs. */
import { applicationSettings } from '../application_settings/queries.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connection.ts'

/** Every address. */
const ALL = ['0.0.0.0/0', '::/0']

/**
 * Hosts, addresses and networks for `destinationOf`.
 * @param hook whether the hook is one of the instance, which administrators make
 */
export async function hookDestinations(
  db: Db,
  { outboundAllow }: Pick<Config, 'outboundAllow'>,
  hook: { readonly isOfInstance: boolean },
): Promise<readonly string[]> {
  const settings = await applicationSettings(db)
  const all = hook.isOfInstance
    ? settings.allow_local_requests_from_system_hooks
    : settings.allow_local_requests_from_web_hooks_and_services
  return [...outboundAllow, ...settings.outbound_local_requests_whitelist, ...(all ? ALL : [])]
}
