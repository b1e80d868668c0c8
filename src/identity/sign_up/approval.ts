/** Administrators hear of people who wait for their approval: once the address is confirmed, where it has to be. */
import type { Context } from '../../platform/kernel/context.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { approvalAsked } from '../account_mails/texts.ts'
import { type UserRow, users } from '../users/queries.ts'

/** Administrators who get a mail. */
const MOST = 20

/** Mails the administrators, if the account waits for them. */
export async function askForApproval(ctx: Context, user: UserRow): Promise<void> {
  if (user.state !== 'blocked_pending_approval') return
  const { username, name, email } = user
  const text = approvalAsked({ username, name, email, link: `${ctx.url}/admin/users?filter=waiting` })
  const administrators = await users(ctx.db)
    .where('users.admin', '=', true)
    .where('users.state', '=', 'active')
    .where('users.confirmed_at', 'is not', null)
    .orderBy('users.id')
    .limit(MOST)
    .execute()
  for (const administrator of administrators) await mailOwner(ctx, administrator, text)
}
