/** The accounts that wait for an administrator: a server that sends no mail says it nowhere else. */
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { counted } from '../../platform/pages/components/numbers.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A line that leads to them; undefined for others than administrators, and where none waits. */
export async function accountsToApprove({ actor, db }: Context): Promise<Html | undefined> {
  if (!isAdmin(actor)) return undefined
  const { waiting } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('state', '=', 'blocked_pending_approval')
    .executeTakeFirstOrThrow()
  if (waiting === 0) return undefined
  return html`<p class="notice attention">${icon('people')}<span>${counted(waiting, 'account')} ${waiting === 1 ? 'waits' : 'wait'} for approval. <a href="/admin/users?filter=waiting">See who it is</a></span></p>`
}
