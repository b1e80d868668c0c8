/** Mails about credentials that end soon: one for each owner. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { users } from '../users/queries.ts'
import { mailOwner } from './recipients.ts'
import { expiring } from './texts.ts'

/** Days before the end. */
const AHEAD = 7

/** A credential that ends soon. */
export interface Ending {
  readonly user_id: number
  readonly name: string
  /** Its last day. */
  readonly day: string
}

/** What ends soon, and where its owner makes others. */
export interface Credentials {
  readonly what: 'tokens' | 'keys'
  readonly path: string
  /** Marks those that end until this day as mailed, and answers them. */
  take(db: Db, until: string, today: string): Promise<readonly Ending[]>
}

/** Writes a mail to each owner of credentials that end within a week, once for each of them. */
export async function mailExpiring(deps: Deps, { what, path, take }: Credentials): Promise<void> {
  await transact(deps.database.db, async db => {
    const ctx = systemContext(deps, db)
    const day = (days: number) => new Date(ctx.now.getTime() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    const byOwner = Map.groupBy(await take(db, day(AHEAD), day(0)), ({ user_id }) => user_id)
    if (byOwner.size === 0) return
    const owners = await users(db)
      .where('users.id', '=', anyOf([...byOwner.keys()]))
      .execute()
    for (const owner of owners)
      await mailOwner(ctx, owner, expiring({ what, ends: byOwner.get(owner.id) ?? [], link: `${ctx.url}${path}` }))
  })
}
