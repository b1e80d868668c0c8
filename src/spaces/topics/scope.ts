import { scope } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
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
