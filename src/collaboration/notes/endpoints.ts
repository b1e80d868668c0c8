/** What is said about items, one note after the other (document 3 "Issue operations"; notes API at 14.0). */
import Type from 'typebox'
import { UserSummary } from '../../identity/users/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/endpoint.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { OneOf } from '../../platform/kernel/types.ts'
import { createNoteWithQuickActions, updateNoteWithQuickActions } from '../quick_actions/notes.ts'
import { removeNote } from './commands.ts'
import { changedStatus, Note, SaidNote, saidStatus } from './entity.ts'
import type { NoteableApi } from './noteable.ts'
import { Body, commentOf, commentParams, flagOf, internalParams } from './params.ts'
import { participantsOf } from './participants.ts'
import { notesOf } from './queries.ts'
import { inNote } from './scope.ts'

/** The endpoints of the notes about items of one kind. */
export function noteEndpoints({ path, noun, scope, can, ...kind }: NoteableApi) {
  const inOne = inNote(scope)
  const list = endpoint({
    ...kind,
    route: `GET ${path}/notes`,
    summary: `List what was said about ${noun}`,
    scope,
    can: can.read,
    params: {
      sort: Type.Optional(OneOf(['asc', 'desc'], { description: 'desc unless given' })),
      order_by: Type.Optional(OneOf(['created_at', 'updated_at'], { description: 'created_at unless given' })),
      activity_filter: Type.Optional(
        OneOf(['all_notes', 'only_comments', 'only_activity'], {
          description: 'What people said, what the server told of changes, or both',
        }),
      ),
    },
    answers: pageOf(Note),
    run: ({ db, actor, noteable, params }) => notesOf(db, actor, noteable, params),
  })
  const get = endpoint({
    ...kind,
    route: `GET ${path}/notes/:note_id`,
    summary: `Get a note about ${noun}`,
    scope: inOne,
    can: can.read,
    answers: one(Note),
    run: ({ note }) => note,
  })
  const create = endpoint({
    ...kind,
    route: `POST ${path}/notes`,
    summary: `Say something about ${noun}`,
    scope,
    can: can.say,
    params: commentParams,
    // Contract: 202 where quick actions were all that was said (notes API).
    answers: one(SaidNote, saidStatus),
    run: ctx => createNoteWithQuickActions(ctx, ctx.noteable, commentOf(ctx, ctx.noteable, ctx.params), 'alone'),
  })
  const update = endpoint({
    ...kind,
    route: `PUT ${path}/notes/:note_id`,
    summary: `Change a note about ${noun}`,
    scope: inOne,
    can: can.change,
    params: { body: Type.Optional(Body), ...internalParams },
    rules: [atLeastOne('body', 'confidential', 'internal')],
    // Contract: 202 where quick actions are all that is left to say, and the note is gone (notes API).
    answers: one(SaidNote, changedStatus),
    run: ctx => updateNoteWithQuickActions(ctx, ctx.noteable, ctx.note, { body: ctx.params.body, confidential: flagOf(ctx.params) }),
  })
  const remove = endpoint({
    ...kind,
    route: `DELETE ${path}/notes/:note_id`,
    summary: `Delete a note about ${noun}`,
    scope: inOne,
    can: can.change,
    answers: nothing,
    run: ctx => removeNote(ctx, ctx.noteable, ctx.note),
  })
  const participants = endpoint({
    ...kind,
    route: `GET ${path}/participants`,
    summary: `List those who take part in ${noun}`,
    scope,
    can: can.read,
    answers: pageOf(UserSummary),
    run: ({ db, actor, noteable }) => participantsOf(db, actor, noteable),
  })
  return [list, get, create, update, remove, participants]
}
