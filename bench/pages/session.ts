/** Sessions of those who look at pages. */
import type { Deps } from '../../src/platform/kernel/context.ts'
import { SESSION_COOKIE } from '../../src/platform/kernel/request/authenticate.ts'
import { digestOf, newToken } from '../../src/platform/kernel/secrets.ts'

/** The cookie of a new session of a user, `name=value`. */
export async function cookieOf({ database: { db } }: Pick<Deps, 'database'>, user_id: number): Promise<string> {
  const secret = newToken()
  await db
    .insertInto('sessions')
    .values({ digest: digestOf(secret), user_id, expires_at: '2999-01-01T00:00:00Z' })
    .execute()
  return `${SESSION_COOKIE}=${secret.reveal()}`
}
