import { notFound } from '../../platform/kernel/errors.ts'
import { scope } from '../../platform/kernel/scope.ts'
import { integer } from '../../platform/kernel/types.ts'
import { topicById } from './queries.ts'

/** `:id` becomes a topic, or 404. */
export const inTopic = scope({
  name: 'inTopic',
  path: { id: integer('ID of a topic') },
  async load({ db }, { id }) {
    const topic = await topicById(db, id)
    if (!topic) throw notFound('Topic')
    return { topic }
  },
  subject: () => ({ on: 'instance' as const }),
})
