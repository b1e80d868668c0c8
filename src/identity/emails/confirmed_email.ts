/** The callback of other wings for a confirmed email address. */
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'

/** Runs in the transaction that confirms the address. */
type ConfirmedEmail = (ctx: Context, userId: number, email: string) => Promise<void>

export const confirmedEmail = new Port<ConfirmedEmail>('confirmedEmail')
