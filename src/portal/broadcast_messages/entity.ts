/** A broadcast message as JSON (broadcast messages API of the v4 level 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { BroadcastMessageRow } from './queries.ts'

/** How a message looks: across the top of the page, or in a corner below. */
export const broadcastTypes = ['banner', 'notification'] as const

export const BroadcastMessage = entity({
  name: 'BroadcastMessage',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    message: text('What is said, in Markdown'),
    starts_at: DateTime('When it is shown first'),
    ends_at: DateTime('When it is not shown any more'),
    color: text('Colour of the background'),
    font: text('Colour of the text'),
    target_path: Nullable(text('Path of the pages that show it, `*` for any characters; null: all pages')),
    broadcast_type: OneOf(broadcastTypes, { description: 'How it looks' }),
    dismissable: flag('Whether readers may hide it'),
    active: flag('Whether it is shown now'),
  }),
  present: (row: BroadcastMessageRow, _loaded, { now }) => ({
    id: row.id,
    message: row.message,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    color: row.color,
    font: row.font,
    target_path: row.target_path,
    broadcast_type: row.broadcast_type,
    dismissable: row.dismissable,
    active: isActive(row, now),
  }),
})

/** Is the message shown at this time? */
export const isActive = ({ starts_at, ends_at }: Pick<BroadcastMessageRow, 'starts_at' | 'ends_at'>, now: Date): boolean =>
  Date.parse(starts_at) <= now.getTime() && now.getTime() < Date.parse(ends_at)
