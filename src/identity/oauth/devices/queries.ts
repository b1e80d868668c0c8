/** Reads of requests of devices. */
import type { ApplicationScope } from '../../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { userCodeDigest } from './codes.ts'

/** A request that waits for an answer. */
export interface DeviceRequest {
  readonly id: number
  readonly application_name: string
  readonly scopes: readonly ApplicationScope[]
}

/** The request of the code that a user typed; undefined where there is none, or it was answered, or its time is over. */
export async function deviceRequestByCode({ db, deps, now }: Context, typed: string): Promise<DeviceRequest | undefined> {
  const row = await db
    .selectFrom('oauth_device_grants as g')
    .innerJoin('oauth_applications as a', 'a.id', 'g.application_id')
    .select(['g.id', 'g.scopes', 'a.name as application_name'])
    .where('g.user_code_digest', '=', userCodeDigest(deps.secrets, typed))
    .where('g.decision', 'is', null)
    .where('g.expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return row && { ...row, scopes: row.scopes as ApplicationScope[] }
}
