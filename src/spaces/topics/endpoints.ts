/**
 * Topics of projects (topics API).
 * Contract: the list is public, including names that only private projects use (topics API).
 */
import Type, { type TProperties } from 'typebox'
import { avatarParam } from '../../identity/avatars/params.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import * as commands from './commands.ts'
import { Topic } from './entity.ts'
import { topicsMatching } from './queries.ts'
import { inTopic } from './scope.ts'

const name = text('As projects spell it', { minLength: 1, maxLength: 255, examples: ['gardening'] })
const attributes = {
  title: optional(text('Title of the topic', { minLength: 1, maxLength: 255 })),
  description: optional(text('Description', { maxLength: 1_024 })),
  ...avatarParam,
} satisfies TProperties

export const listTopics = endpoint({
  route: 'GET /topics',
  summary: 'List topics, those of most projects first',
  scope: inInstance,
  can: 'read_instance',
  params: {
    search: optional(text('Part of the name or title', { maxLength: 255 })),
    without_projects: optional(flag('Only topics that no project has')),
  },
  answers: pageOf(Topic),
  run: ({ db, params }) => topicsMatching(db, params.search, params.without_projects),
})

export const getTopic = endpoint({
  route: 'GET /topics/:id',
  summary: 'Get a topic',
  scope: inTopic,
  can: 'read_instance',
  answers: one(Topic),
  run: ({ topic }) => topic,
})

export const createTopic = endpoint({
  route: 'POST /topics',
  summary: 'Create a topic',
  scope: inInstance,
  can: 'admin_instance',
  params: { name, ...attributes },
  answers: one(Topic),
  run: ctx => commands.createTopic(ctx, ctx.params),
})

export const mergeTopics = endpoint({
  route: 'POST /topics/merge',
  summary: 'Give the projects of one topic another one, and delete the first',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    source_topic_id: integer('ID of the topic that is merged and removed', { examples: [1] }),
    target_topic_id: integer('ID of the topic that stays', { examples: [2] }),
  },
  answers: one(Topic),
  errors: ['not_found'],
  run: ctx => commands.mergeTopics(ctx, ctx.params.source_topic_id, ctx.params.target_topic_id),
})

export const updateTopic = endpoint({
  route: 'PUT /topics/:id',
  summary: 'Change a topic',
  scope: inTopic,
  can: 'admin_instance',
  params: { name: Type.Optional(name), ...attributes },
  answers: one(Topic),
  run: ctx => commands.updateTopic(ctx, ctx.topic, ctx.params),
})

export const deleteTopic = endpoint({
  route: 'DELETE /topics/:id',
  summary: 'Delete a topic, in its projects too',
  scope: inTopic,
  can: 'admin_instance',
  answers: nothing,
  run: ctx => commands.removeTopic(ctx, ctx.topic),
})
