/**
 * What administrators say to all who look at a page (broadcast messages API).
 * Contract: the messages are public, those that are not shown too (broadcast messages API).
 */
import type { TProperties } from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import * as commands from './commands.ts'
import { BroadcastMessage, broadcastTypes } from './entity.ts'
import { broadcastMessages } from './queries.ts'
import { inBroadcastMessage } from './scope.ts'

const message = text('What to say, in Markdown: emphasis, links, code and line breaks', {
  minLength: 1,
  maxLength: 5_000,
  examples: ['The server restarts at noon.'],
})
const attributes = {
  starts_at: optional(DateTime('When it is shown first; default: now')),
  ends_at: optional(DateTime('When it is not shown any more; default: in an hour')),
  color: optional(text('Colour of the background, `#E75E40`', { maxLength: 20 })),
  font: optional(text('Colour of the text, `#FFFFFF`; black or white where it could not be read', { maxLength: 20 })),
  target_path: optional(text('Path of the pages that show it, `*` for any characters; all pages where it is empty', { maxLength: 255 })),
  broadcast_type: optional(OneOf(broadcastTypes, { description: 'How it looks; default: `banner`' })),
  dismissable: optional(flag('Whether readers may hide it')),
} satisfies TProperties

export const listBroadcastMessages = endpoint({
  route: 'GET /broadcast_messages',
  summary: 'List the broadcast messages, the latest first',
  scope: inInstance,
  can: 'read_instance',
  answers: pageOf(BroadcastMessage),
  run: ({ db }) => broadcastMessages(db),
})

export const getBroadcastMessage = endpoint({
  route: 'GET /broadcast_messages/:id',
  summary: 'Get a broadcast message',
  scope: inBroadcastMessage,
  can: 'read_instance',
  answers: one(BroadcastMessage),
  run: ({ broadcast }) => broadcast,
})

export const createBroadcastMessage = endpoint({
  route: 'POST /broadcast_messages',
  summary: 'Show a message on the pages of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: { message, ...attributes },
  answers: one(BroadcastMessage),
  run: ctx => commands.createBroadcastMessage(ctx, ctx.params),
})

export const updateBroadcastMessage = endpoint({
  route: 'PUT /broadcast_messages/:id',
  summary: 'Change a broadcast message',
  scope: inBroadcastMessage,
  can: 'admin_instance',
  params: { message: optional(message), ...attributes },
  answers: one(BroadcastMessage),
  run: ctx => commands.updateBroadcastMessage(ctx, ctx.broadcast, ctx.params),
})

export const deleteBroadcastMessage = endpoint({
  route: 'DELETE /broadcast_messages/:id',
  summary: 'Delete a broadcast message',
  scope: inBroadcastMessage,
  can: 'admin_instance',
  answers: nothing,
  run: ctx => commands.removeBroadcastMessage(ctx, ctx.broadcast),
})
