/** A topic as JSON (topics API). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { TopicRow } from './queries.ts'

export const Topic = entity({
  name: 'Topic',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name of the topic'),
    title: text('Title of the topic'),
    description: Nullable(text('Description; null or empty where there is none')),
    total_projects_count: integer('Number of projects'),
    avatar_url: Nullable(text('Address of the avatar; null where there is none')),
  }),
  present: ({ id, name, title, description, total_projects_count, avatar_url }: TopicRow, _loaded: undefined, { url }) => ({
    id,
    name,
    // Contract: the name replaces a missing title (topics API).
    title: title ?? name,
    description,
    total_projects_count,
    avatar_url: avatar_url && `${url}${avatar_url}`,
  }),
})
