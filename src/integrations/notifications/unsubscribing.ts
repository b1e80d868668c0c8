/** Links in mails with which their recipient unsubscribes from an item without signing in. They do nothing else, for nobody else. */
import { columnOf, type NoteableKey, noteableColumns } from '../../collaboration/item_kinds/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'

const PURPOSE = 'unsubscribe'

/** The path of the page, before the token. */
export const SENT_NOTIFICATIONS = '/-/sent_notifications'

/** What a link is about. */
export interface Unsubscribing {
  readonly key: NoteableKey
  readonly userId: number
}

const textOf = ({ key, userId }: Unsubscribing): string => {
  const [column, id] = columnOf(key)
  return [noteableColumns.indexOf(column), id, userId].join('-')
}

/** The token of a link: what it is about, signed by the instance. */
export const unsubscribeToken = ({ secrets }: Pick<Context['deps'], 'secrets'>, about: Unsubscribing): string =>
  `${textOf(about)}-${secrets.sign(textOf(about), PURPOSE)}`

/** The address of the page on which a recipient unsubscribes. */
export const unsubscribeUrl = ({ deps, url }: Pick<Context, 'deps' | 'url'>, about: Unsubscribing): string =>
  `${url}${SENT_NOTIFICATIONS}/${unsubscribeToken(deps, about)}/unsubscribe`

/** What a token is about; undefined for one that this instance did not make. */
export function readToken({ secrets }: Pick<Context['deps'], 'secrets'>, token: string): Unsubscribing | undefined {
  const [, kind, id, userId, signature = ''] = /^(\d)-(\d{1,15})-(\d{1,15})-([\w-]+)$/.exec(token) ?? []
  const column = kind === undefined ? undefined : noteableColumns[Number(kind)]
  if (column === undefined) return undefined
  const about = { key: { [column]: Number(id) } as unknown as NoteableKey, userId: Number(userId) }
  return secrets.verify(textOf(about), PURPOSE, signature) ? about : undefined
}
