/** What other wings do when an address is confirmed to be a user's. */
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'

/** Runs in the transaction that confirms the address. */
type ConfirmedEmail = (ctx: Context, userId: number, email: string) => Promise<void>

export const confirmedEmail = new Port<ConfirmedEmail>('confirmedEmail')
