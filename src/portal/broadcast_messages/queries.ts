/** Reads of broadcast messages. */
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { BroadcastMessages } from '../../platform/db/schema.ts'

/** A message as it is stored. */
export type BroadcastMessageRow = Selectable<BroadcastMessages>

/** All messages, the latest first. */
export const broadcastMessages = (db: Db) => db.selectFrom('broadcast_messages').selectAll().orderBy('id', 'desc')

/** The message with this id. */
export const broadcastMessageById = (db: Db, id: number) =>
  db.selectFrom('broadcast_messages').selectAll().where('id', '=', id).executeTakeFirst()
