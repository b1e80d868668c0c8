import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { mergeRequestApi } from '../merge_requests/item_kind/noteable.ts'
import { draftsOf } from './queries.ts'

/** `:draft_note_id` is resolved to a draft of the caller, or 404. */
export const inDraftNote = within(mergeRequestApi.scope, {
  name: 'inDraftNote',
  path: { draft_note_id: integer('ID of a draft note') },
  async load({ db, actor, mergeRequest }, { draft_note_id }) {
    const draft = await draftsOf(db, mergeRequest.id, actor.user?.id).where('id', '=', draft_note_id).executeTakeFirst()
    if (!draft) throw notFound('Draft Note')
    return { draft }
  },
  modifiedAt: ({ draft }) => draft.updated_at,
})
