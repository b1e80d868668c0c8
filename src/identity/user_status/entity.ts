/** A status as JSON (users API). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { StatusRow } from './queries.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] as string)

export const UserStatus = entity({
  name: 'UserStatus',
  schema: Type.Object({
    emoji: Nullable(Type.String()),
    message: Nullable(Type.String()),
    availability: Nullable(Type.String()),
    message_html: Nullable(Type.String()),
    clear_status_at: Nullable(DateTime()),
  }),
  present: (row: StatusRow) => ({
    emoji: row.emoji,
    message: row.message,
    availability: row.availability,
    message_html: row.message === null ? null : escapeHtml(row.message),
    clear_status_at: row.clear_status_at,
  }),
})
