import { scope } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { broadcastMessageById } from './queries.ts'

/** `:id` becomes a broadcast message, or 404. */
export const inBroadcastMessage = scope({
  name: 'inBroadcastMessage',
  path: { id: integer('ID of a broadcast message') },
  async load({ db }, { id }) {
    const broadcast = await broadcastMessageById(db, id)
    if (!broadcast) throw notFound('Broadcast Message')
    return { broadcast }
  },
  subject: () => ({ on: 'instance' as const }),
})
