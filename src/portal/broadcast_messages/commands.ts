/** Writes of broadcast messages, by administrators. */
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import type { BroadcastMessageRow } from './queries.ts'

/** The attributes that can be set; undefined ones stay. */
export interface BroadcastMessageAttributes {
  readonly message?: string | undefined
  readonly starts_at?: string | undefined
  readonly ends_at?: string | undefined
  readonly color?: string | undefined
  readonly font?: string | undefined
  /** Empty: all pages. */
  readonly target_path?: string | undefined
  readonly broadcast_type?: BroadcastMessageRow['broadcast_type'] | undefined
  readonly dismissable?: boolean | undefined
}

/** How long a message is shown for which no end is given, in milliseconds. */
const HOUR = 60 * 60 * 1000

/** The notation of colours: three or six hexadecimal digits. */
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Characters of a message that the audit log names it by. */
const NAMED = 80

const nameOf = ({ message }: Pick<BroadcastMessageRow, 'message'>): string =>
  message.length > NAMED ? `${message.slice(0, NAMED)}…` : message

/** 400 for what is no colour. */
function assertColors({ color, font }: BroadcastMessageAttributes): void {
  const failures: Failures = {}
  if (color !== undefined && !HEX.test(color)) failures.color = ['must be a valid color code']
  if (font !== undefined && !HEX.test(font)) failures.font = ['must be a valid color code']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** The attributes as they are stored. */
const stored = ({ target_path, ...attributes }: BroadcastMessageAttributes) => ({
  ...attributes,
  ...(target_path === undefined ? {} : { target_path: target_path || null }),
})

/** Says something to all; from now on and for an hour unless given. */
export async function createBroadcastMessage(
  ctx: Context,
  given: BroadcastMessageAttributes & { readonly message: string },
): Promise<BroadcastMessageRow> {
  assertColors(given)
  const { db, now } = ctx
  const made = await db
    .insertInto('broadcast_messages')
    .values({
      ...stored(given),
      message: given.message,
      starts_at: given.starts_at ?? now,
      ends_at: given.ends_at ?? new Date(now.getTime() + HOUR),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'broadcast_message.created', payload: { id: made.id, name: nameOf(made) } })
  return made
}

/** Changes a message. */
export async function updateBroadcastMessage(
  ctx: Context,
  message: BroadcastMessageRow,
  given: BroadcastMessageAttributes,
): Promise<BroadcastMessageRow> {
  assertColors(given)
  const changes = stored(given)
  const payload = { id: message.id, name: nameOf(message), changes: changesExcept(message, changes, []) }
  await recordEvent(ctx, { kind: 'broadcast_message.updated', payload })
  return ctx.db
    .updateTable('broadcast_messages')
    .set({ ...changes, updated_at: ctx.now })
    .where('id', '=', message.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a message. */
export async function removeBroadcastMessage(ctx: Context, message: BroadcastMessageRow): Promise<void> {
  await ctx.db.deleteFrom('broadcast_messages').where('id', '=', message.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'broadcast_message.deleted', payload: { id: message.id, name: nameOf(message) } })
}
