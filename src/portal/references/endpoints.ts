/** What references in texts show when one points at them. */
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, part } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { cardAt } from './cards.ts'

export const showCard = pageEndpoint({
  route: 'GET /-/card',
  summary: 'Show what a reference names: an item, a milestone, a commit, a user or a group',
  scope: inInstance,
  can: 'read_instance',
  params: { address: text('Path of its page', { minLength: 1, maxLength: 1_000, examples: ['/root'] }) },
  errors: ['not_found'],
  async run(ctx) {
    const path = ctx.params.address.replace(/^\/+/, '')
    const card = await cardAt(ctx, path)
    if (!card) throw notFound('Page')
    if (ctx.request.headers['x-part'] !== undefined) return part(card)
    return page(ctx, {
      title: 'Preview',
      body: html`<div class="panel"><div class="body">${card}</div></div><p><a href="/${path}">Go there</a></p>`,
    })
  },
})
