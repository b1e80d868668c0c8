/** The number of one's to-do items in the global bar, and their page, follow them. */
import { COUNTERS_ID, globalCounters } from '../../platform/pages/frame/frame.ts'
import { frameParts } from '../../platform/pages/frame/parts.ts'
import { html } from '../../platform/pages/html.ts'
import type { Topic, TopicKind } from '../../platform/pages/live/topics.ts'

/** The topic of a user's to-do items. */
export const todosOf = (userId: number): Topic => `todos:${userId}`

/** `todos:<user id>`: for that user alone. */
export const todosTopic: TopicKind = {
  isOpen: async ({ actor }, id) => actor.user?.id === id,
  async hasChanged({ db }, id, since) {
    const found = await db
      .selectFrom('todos')
      .select('id')
      .where('user_id', '=', id)
      .where('state', '=', 'pending')
      .where('updated_at', '>=', since.toISOString())
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  },
  streams: async ctx =>
    html`<turbo-stream action="replace" method="morph" target="${COUNTERS_ID}"><template>${globalCounters((await frameParts.value.changing(ctx)).counters)}</template></turbo-stream>`,
}
