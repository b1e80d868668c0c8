/** The address of who wrote an issue by mail, without an account. */
import type { Db } from '../../../platform/db/connection.ts'

/** Sets the address, of a new issue. */
export async function setReplyTo(db: Db, issueId: number, address: string): Promise<void> {
  await db.updateTable('issues').set({ service_desk_reply_to: address }).where('id', '=', issueId).execute()
}
