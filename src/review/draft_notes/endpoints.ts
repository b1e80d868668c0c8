/** Draft notes: notes of a review that only their author sees until they are published (draft notes API). */
import Type from 'typebox'
import { positionParam } from '../../collaboration/discussions/params.ts'
import { Body, internalParams } from '../../collaboration/notes/params.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { mergeRequestApi } from '../merge_requests/item_kind/noteable.ts'
import * as commands from './commands.ts'
import { DraftNote } from './entity.ts'
import { draftsOf } from './queries.ts'
import { inDraftNote } from './scope.ts'

const path = '/projects/:id/merge_requests/:merge_request_iid/draft_notes' as const
const inThing = { scope: mergeRequestApi.scope, can: 'create_merge_request_note' } as const
const inOne = { scope: inDraftNote, can: 'create_merge_request_note' } as const

export const listDrafts = endpoint({
  ...inThing,
  route: `GET ${path}`,
  summary: 'List one’s drafts for a merge request',
  answers: pageOf(DraftNote),
  run: ({ db, actor, mergeRequest }) => draftsOf(db, mergeRequest.id, actor.user?.id),
})

export const getDraft = endpoint({
  ...inOne,
  route: `GET ${path}/:draft_note_id`,
  summary: 'Get one’s draft',
  answers: one(DraftNote),
  run: ({ draft }) => draft,
})

export const createDraft = endpoint({
  ...inThing,
  route: `POST ${path}`,
  summary: 'Draft a note about a merge request',
  params: {
    note: Body,
    commit_id: optional(text('The commit that it is about', { maxLength: 64 })),
    in_reply_to_discussion_id: optional(text('The thread that it replies to', { maxLength: 64 })),
    resolve_discussion: optional(flag('Whether publishing it resolves the thread')),
    position: positionParam,
    ...internalParams,
  },
  answers: one(DraftNote),
  // Finding the position compares files: no transaction waits for that.
  cost: 'walk',
  writes: 'own',
  run: ctx => commands.createDraft(ctx, ctx.noteable, ctx.params),
})

export const updateDraft = endpoint({
  ...inOne,
  route: `PUT ${path}/:draft_note_id`,
  summary: 'Change one’s draft',
  params: { note: Type.Optional(Body), position: positionParam, ...internalParams },
  rules: [atLeastOne('note', 'position')],
  answers: one(DraftNote),
  // One statement; positions as above.
  cost: 'walk',
  writes: 'own',
  run: ctx => commands.updateDraft(ctx, ctx.noteable, ctx.draft, ctx.params),
})

export const deleteDraft = endpoint({
  ...inOne,
  route: `DELETE ${path}/:draft_note_id`,
  summary: 'Delete one’s draft',
  answers: nothing,
  run: ctx => commands.removeDraft(ctx, ctx.draft),
})

export const publishDraft = endpoint({
  ...inOne,
  route: `PUT ${path}/:draft_note_id/publish`,
  summary: 'Publish one’s draft',
  // Contract: 204 without a body (draft notes API).
  answers: nothing,
  run: ctx => commands.publishDrafts(ctx, ctx.noteable, ctx.draft),
})

export const publishAllDrafts = endpoint({
  ...inThing,
  route: `POST ${path}/bulk_publish`,
  summary: 'Publish all of one’s drafts for a merge request',
  params: {
    note: optional(text('A comment on the whole, published with them', { maxLength: 1_048_576 })),
    approve: optional(flag('Whether the caller approves the merge request')),
    sha: optional(text('With `approve`: the commit that was reviewed; 409 when the source branch has moved on')),
    approval_password: optional(text('Password of the caller, where the project requires it for approvals', { writeOnly: true })),
  },
  answers: nothing,
  errors: ['conflict'],
  run: ctx => commands.submitReview(ctx, ctx.noteable, ctx.params),
})
