/** Where an answer to a notification goes. */
import type { ItemKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'

/** What an answer by mail would be written to, and by whom. */
export interface Answerable {
  readonly item: ItemKey
  /** The recipient of the notification: nobody else answers by this address. */
  readonly userId: number
  /** The thread that the notification is about; undefined for the item itself. */
  readonly discussionId: string | undefined
}

/**
 * The address of `Reply-To`; undefined where the instance takes no mail. Pure: it is called once for each recipient, so it must not cost a statement.
 */
export function replyAddress(_ctx: Pick<Context, 'deps' | 'now'>, _to: Answerable): string | undefined {
  return undefined
}
