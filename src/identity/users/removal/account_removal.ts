/** The port for what other wings do when an account is removed. */
import type { Context } from '../../../platform/kernel/context.ts'
import { Port } from '../../../platform/kernel/declaration/port.ts'

/** The steps in order; each runs in the transaction of the removal, before the row of the account is deleted. */
export interface AccountRemoval {
  /**
   * Removes the projects of the personal namespace and, with `hardDelete`, the groups of which the user is the only owner.
   * @throws Refusal 409 if the user is the only owner of a group and `hardDelete` is false
   */
  removeSpaces(ctx: Context, user: { readonly id: number; readonly namespace_id: number | null }, hardDelete: boolean): Promise<void>
  /**
   * Cancels work in the name of the account: automatic merges, schedules and jobs. It runs before the account is deleted, because no row
   * refers to its owner afterwards; and before its notes are reassigned or removed, because it writes notes in its name.
   */
  stopWork(ctx: Context, userId: number): Promise<void>
  /** Keeps closed what would open to others without the rights that the account has by name, which are deleted with it. */
  endRights(ctx: Context, userId: number): Promise<void>
  /** Reassigns everything that the user wrote to another account. */
  reassignAuthored(ctx: Context, userId: number, toId: number): Promise<void>
  /** Removes everything that the user wrote. */
  removeAuthored(ctx: Context, userId: number): Promise<void>
}

export const accountRemoval = new Port<AccountRemoval>('accountRemoval')
