/** A topic as JSON (topics API). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Nullable } from '../../platform/kernel/types.ts'
import type { TopicRow } from './queries.ts'

export const Topic = entity({
  name: 'Topic',
  schema: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    total_projects_count: Type.Integer(),
  }),
  present: ({ id, name, title, description, total_projects_count }: TopicRow) => ({
    id,
    name,
    // Contract: the name replaces a missing title (topics API).
    title: title ?? name,
    description,
    total_projects_count,
  }),
})
