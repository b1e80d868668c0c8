/** A comment that is added now, or as a draft to the review: by which button was pressed. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import type { SecondButton } from '../../../platform/pages/forms/form.ts'
import { createDraft } from '../../../review/draft_notes/endpoints.ts'
import { draftElement } from './draft_view.ts'
import { threadElement } from './thread_view.ts'

/** The parameter that the second button of a comment's form sends. */
export const draftParam = optional(flag('Whether it is kept as a draft of a review'))

export const addToReview: SecondButton = { name: 'draft', value: 'true', label: 'Add to review' }

/** The declaration of a comment, which makes a draft where `draft` is sent. */
export const orDraft = (comment: Endpoint): Endpoint => ({
  ...comment,
  params: { ...comment.params, draft: draftParam },
  run(ctx: Context & { readonly params: Readonly<Record<string, unknown>>; readonly discussion?: { readonly id: string } }) {
    const { draft, body, position, resolve, ...params } = ctx.params
    if (draft !== true) {
      const given = { ...params, body, ...(position !== undefined && { position }), ...(resolve !== undefined && { resolve }) }
      return comment.run({ ...ctx, params: given })
    }
    const reply = ctx.discussion && { in_reply_to_discussion_id: ctx.discussion.id, resolve_discussion: resolve === true }
    return createDraft.run({ ...ctx, params: { note: body, position, ...reply } })
  },
})

/** The element of what was made: threads have texts as ids, drafts numbers. */
export const elementOf = (id: string | number): string => (typeof id === 'number' ? draftElement(id) : threadElement(id))
