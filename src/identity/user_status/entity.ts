/** A status as JSON (users API). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { StatusRow } from './queries.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] as string)

export const UserStatus = entity({
  name: 'UserStatus',
  schema: Type.Object({
    emoji: Nullable(text('Name of the emoji; null where no status is set')),
    message: Nullable(text('Text of the status; null where none is set')),
    availability: Nullable(text('`busy` or `not_set`; null where no status is set')),
    message_html: Nullable(text('Message as HTML; null where no status is set')),
    clear_status_at: Nullable(DateTime('When the status ends; null: never')),
  }),
  present: (row: StatusRow) => ({
    emoji: row.emoji,
    message: row.message,
    availability: row.availability,
    message_html: row.message === null ? null : escapeHtml(row.message),
    clear_status_at: row.clear_status_at,
  }),
})
