/** The pages of broadcast messages: what administrators do with them, and hiding one as a reader. */

import type { Context } from '../../platform/kernel/context.ts'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { adminPlace } from '../admin/place.ts'
import { administered, inAdministration } from '../admin/scope.ts'
import { colorSheet } from './colors.ts'
import { createBroadcastMessage, deleteBroadcastMessage, updateBroadcastMessage } from './endpoints.ts'
import { isActive } from './entity.ts'
import { type BroadcastMessageRow, broadcastMessages } from './queries.ts'
import { inBroadcastMessage } from './scope.ts'
import { COLORS_PATH, hiddenCookie, messageView } from './shown.ts'

const LIST = '/admin/broadcast_messages'

export const showBroadcastMessages = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the broadcast messages',
  scope: inAdministration,
  can: 'admin_instance',
  params: listParams,
  async run(ctx) {
    const found = await listPage(ctx, broadcastMessages(ctx.db), ctx.params)
    const newMessage = html`<a class="btn btn-primary" href="${LIST}/new">New message</a>`
    return page(ctx, {
      title: 'Messages',
      place: adminPlace('messages', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>Messages</h1>${found.rows.length > 0 && newMessage}</div>
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(message => messageItem(ctx, message))}</ul>` : empty({ icon: 'megaphone', title: 'No messages', says: 'A message tells all who look at a page what they should know: a restart, a new rule, a celebration.', action: newMessage })}${found.links}`,
    })
  },
})

function messageItem(ctx: Context, message: BroadcastMessageRow): Html {
  const { id, starts_at, ends_at, target_path, broadcast_type, dismissable } = message
  const state = isActive(message, ctx.now)
    ? chip('Shown now', 'success')
    : Date.parse(starts_at) > ctx.now.getTime()
      ? chip('Later', 'accent')
      : chip('Over')
  return html`<li><div class="main">${messageView(message, undefined)}<div class="facts">${state}<span>${broadcast_type === 'banner' ? 'Banner' : 'Notification'}</span><span>Begins: ${time(starts_at)}</span><span>Ends: ${time(ends_at)}</span>${target_path === null ? html`<span>on all pages</span>` : html`<span>on <code>${target_path}</code></span>`}${dismissable && html`<span>readers may hide it</span>`}</div></div>
<div class="row"><a class="btn btn-sm" href="${LIST}/${id}/edit">Edit<span class="sr-only"> message ${id}</span></a>${actionButton(ctx, { to: `${LIST}/${id}/delete`, face: 'Delete', look: 'danger', label: `Delete message ${id}`, asks: 'Delete this message?' })}</div></li>`
}

/** The fields of a message. On one that exists no time may be left out. */
const fields = (exists: boolean): readonly FieldSpec[] => [
  {
    name: 'message',
    control: 'textarea',
    hint: 'Markdown: emphasis, links, code, lists and line breaks.',
    ...(exists ? { required: true } : { autofocus: true }),
  },
  {
    name: 'broadcast_type',
    label: 'Kind',
    control: 'radio',
    hint: '',
    choices: [
      ['banner', 'Banner', 'Across the page, below the global bar'],
      ['notification', 'Notification', 'In the corner below, over the page'],
    ],
  },
  { name: 'starts_at', label: 'From (UTC)', hint: exists ? '' : 'Empty: from now on.', ...(exists ? { required: true } : {}) },
  { name: 'ends_at', label: 'To (UTC)', hint: exists ? '' : 'Empty: for an hour.', ...(exists ? { required: true } : {}) },
  {
    name: 'target_path',
    label: 'On the pages',
    placeholder: '*/-/merge_requests/*',
    hint: 'The path that their addresses have, * for any characters. Empty: all pages.',
  },
  { name: 'color', label: 'Background', control: 'color', hint: '' },
  { name: 'font', label: 'Text', control: 'color', hint: 'Where it could not be read on the background, the text is black or white.' },
  { name: 'dismissable', label: 'Readers may hide it', hint: '' },
]

const newMessage = form({
  path: `${LIST}/new`,
  summary: 'Show a message on the pages of the instance',
  scope: inAdministration,
  of: createBroadcastMessage,
  fields: () => fields(false),
  values: () => ({ broadcast_type: 'banner', color: '#E75E40', font: '#FFFFFF' }),
  next: () => LIST,
  notice: 'The message was saved.',
  button: 'Save message',
  cancel: () => LIST,
  frame: ctx => ({ title: 'New message', place: adminPlace('messages', ctx) }),
})
export const showNewMessage = newMessage.show
export const submitNewMessage = newMessage.submit

const editMessage = form({
  path: `${LIST}/:id/edit`,
  summary: 'Change a broadcast message',
  scope: administered(inBroadcastMessage),
  of: updateBroadcastMessage,
  fields: () => fields(true),
  values: ({ broadcast }) => ({ ...broadcast }),
  next: () => LIST,
  notice: 'The message was changed.',
  button: 'Save message',
  cancel: () => LIST,
  frame: ctx => ({ title: `Edit message ${ctx.broadcast.id}`, place: adminPlace('messages', ctx) }),
})
export const showEditMessage = editMessage.show
export const submitEditMessage = editMessage.submit

export const deleteMessage = action({
  route: `POST ${LIST}/:id/delete`,
  of: deleteBroadcastMessage,
  scope: administered(inBroadcastMessage),
  next: () => LIST,
  notice: 'The message was deleted.',
})

// Nothing is written: the browser of the reader remembers it, with an account or without.
export const dismissMessage = formEndpoint({
  route: 'POST /-/broadcast_messages/:id/dismiss',
  summary: 'Hide a message in this browser',
  scope: inBroadcastMessage,
  can: 'read_instance',
  anonymous: true,
  params: { redirect: optional(text('Path of this server to go to afterwards', { maxLength: 65_536 })) },
  run({ broadcast, params, request }) {
    const back = localPath(params.redirect)
    return broadcast.dismissable ? redirect(back, { 'set-cookie': hiddenCookie(request.headers.cookie, broadcast.id) }) : redirect(back)
  },
})

export const getMessageColors = endpoint({
  route: `GET ${COLORS_PATH}/:colors`,
  summary: 'Get the style sheet of two colours',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  params: { colors: text('Background and text as hexadecimal digits', { maxLength: 20, examples: ['e75e40-000000.css'] }) },
  answers: bytes('text/css; charset=utf-8'),
  run({ params }) {
    const sheet = colorSheet(params.colors)
    if (sheet === undefined) throw notFound('File')
    return { body: sheet, headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' } }
  },
})
