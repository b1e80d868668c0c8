/** Where an answer to a notification goes: an address with a key that says who answers what, signed by the instance. */
import { columnOf, type ItemKey, itemColumns } from '../../collaboration/item_kinds/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { addressFor } from '../../platform/mail/incoming/addresses.ts'

/** What an answer by mail would be written to, and by whom. */
export interface Answerable {
  readonly item: ItemKey
  /** The recipient of the notification: nobody else answers by this address. */
  readonly userId: number
  /** The note that the notification is about; undefined for the item itself. */
  readonly noteId: number | undefined
}

const PURPOSE = 'reply_address'

const textOf = ({ item, userId, noteId = 0 }: Answerable): string => {
  const [column, id] = columnOf(item)
  return ['r', itemColumns.indexOf(column), ...[id, userId, noteId].map(number => number.toString(36))].join('-')
}

/**
 * The address of `Reply-To`; undefined where the instance takes no mail. Pure: it is called once for each recipient, so it must not cost a statement.
 */
export function replyAddress({ deps: { config, secrets } }: Pick<Context, 'deps'>, to: Answerable): string | undefined {
  const text = textOf(to)
  return config.incomingMail && addressFor(config.incomingMail, `${text}-${secrets.signShort(text, PURPOSE)}`)
}

/** What a key is about; undefined for one that this instance did not make. */
export function readReplyKey({ secrets }: Pick<Context['deps'], 'secrets'>, key: string): Answerable | undefined {
  const [, kind, id = '', userId = '', noteId = '', signature = ''] =
    /^r-(\d)-([0-9a-z]{1,10})-([0-9a-z]{1,10})-([0-9a-z]{1,10})-([0-9a-z]{21})$/.exec(key) ?? []
  const column = kind === undefined ? undefined : itemColumns[Number(kind)]
  if (column === undefined) return undefined
  const [item, user, note] = [id, userId, noteId].map(text => Number.parseInt(text, 36)) as [number, number, number]
  const about: Answerable = { item: { [column]: item } as unknown as ItemKey, userId: user, noteId: note === 0 ? undefined : note }
  return secrets.verifyShort(textOf(about), PURPOSE, signature) ? about : undefined
}
