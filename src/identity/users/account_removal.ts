/** What other wings do when an account is removed. */
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'

/** The steps, in their order; each runs in the transaction of the removal, before the row of the account goes. */
export interface AccountRemoval {
  /**
   * Removes the projects of the personal namespace and, with `hardDelete`, the groups that the user alone owns.
   * @throws Refusal 409 where the user owns a group alone and `hardDelete` is false
   */
  removeSpaces(ctx: Context, user: { readonly id: number; readonly namespace_id: number | null }, hardDelete: boolean): Promise<void>
  /**
   * Ends what goes on in the name of the account: automatic merges, schedules and jobs. Before the account is deleted, for afterwards nothing
   * says whose they were; and before its notes are reassigned or removed, for notes are written in its name.
   */
  stopWork(ctx: Context, userId: number): Promise<void>
  /** Makes another account the author of all that the user wrote. */
  reassignAuthored(ctx: Context, userId: number, toId: number): Promise<void>
  /** Removes all that the user wrote. */
  removeAuthored(ctx: Context, userId: number): Promise<void>
}

export const accountRemoval = new Port<AccountRemoval>('accountRemoval')
