import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { mergeRequestApi, type NoteableMergeRequest } from '../merge_requests/item_kind/noteable.ts'
import { type DraftRow, draftsOf } from './queries.ts'

/** What a scope of merge requests gives that drafts can be in. */
interface InMergeRequest {
  readonly noteable: Pick<NoteableMergeRequest, 'item'>
}

/** `:draft_note_id` is resolved to a draft of the caller, or 404. */
// biome-ignore lint/suspicious/noExplicitAny: any scope of merge requests
export const draftNoteIn = <S extends InMergeRequest>(inMergeRequest: Scope<S, any>, name: string) =>
  within(inMergeRequest, {
    name,
    path: { draft_note_id: integer('ID of a draft note') },
    async load({ db, actor, noteable }: Context & S, { draft_note_id }): Promise<{ draft: DraftRow }> {
      const draft = await draftsOf(db, noteable.item.id, actor.user?.id).where('id', '=', draft_note_id).executeTakeFirst()
      if (!draft) throw notFound('Draft Note')
      return { draft }
    },
    modifiedAt: ({ draft }) => draft.updated_at,
  })

export const inDraftNote = draftNoteIn(mergeRequestApi.scope, 'inDraftNote')
