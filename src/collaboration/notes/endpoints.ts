/** Endpoints of notes on items (document 3 "Issue operations"; notes API at 14.0). */
import Type from 'typebox'
import { UserSummary } from '../../identity/users/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { createNoteWithQuickActions, updateNoteWithQuickActions } from '../quick_actions/notes.ts'
import { removeNote } from './commands.ts'
import { changedStatus, createdStatus, Note, SaidNote } from './entity.ts'
import type { NoteableApi } from './items/noteable.ts'
import { participantsOf } from './items/participants.ts'
import { Body, commentOf, commentParams, flagOf, internalParams } from './params.ts'
import { notesOf } from './queries.ts'
import { inNote } from './scope.ts'

/** The note endpoints of items of one kind. */
export function noteEndpoints({ path, noun, scope, can, ...kind }: NoteableApi) {
  const inOne = inNote(scope)
  const list = endpoint({
    ...kind,
    route: `GET ${path}/notes`,
    summary: `List the notes on ${noun}`,
    scope,
    can: can.read,
    params: {
      sort: Type.Optional(OneOf(['asc', 'desc'], { description: 'default desc' })),
      order_by: Type.Optional(OneOf(['created_at', 'updated_at'], { description: 'default created_at' })),
      activity_filter: Type.Optional(
        OneOf(['all_notes', 'only_comments', 'only_activity'], {
          description: 'User notes, system notes, or both',
        }),
      ),
    },
    answers: pageOf(Note),
    run: ({ db, actor, noteable, params }) => notesOf(db, actor, noteable, params),
  })
  const get = endpoint({
    ...kind,
    route: `GET ${path}/notes/:note_id`,
    summary: `Get a note on ${noun}`,
    scope: inOne,
    can: can.read,
    answers: one(Note),
    run: ({ note }) => note,
  })
  const create = endpoint({
    ...kind,
    route: `POST ${path}/notes`,
    summary: `Add a note to ${noun}`,
    scope,
    can: can.say,
    params: commentParams,
    // Contract: 202 if the text had only quick actions (notes API).
    answers: one(SaidNote, createdStatus),
    run: ctx => createNoteWithQuickActions(ctx, ctx.noteable, commentOf(ctx, ctx.noteable, ctx.params), 'alone'),
  })
  const update = endpoint({
    ...kind,
    route: `PUT ${path}/notes/:note_id`,
    summary: `Change a note on ${noun}`,
    scope: inOne,
    can: can.change,
    params: { body: Type.Optional(Body), ...internalParams },
    rules: [atLeastOne('body', 'confidential', 'internal')],
    // Contract: 202 if the new text has only quick actions, which deletes the note (notes API).
    answers: one(SaidNote, changedStatus),
    run: ctx => updateNoteWithQuickActions(ctx, ctx.noteable, ctx.note, { body: ctx.params.body, confidential: flagOf(ctx.params) }),
  })
  const remove = endpoint({
    ...kind,
    route: `DELETE ${path}/notes/:note_id`,
    summary: `Delete a note on ${noun}`,
    scope: inOne,
    can: can.change,
    answers: nothing,
    run: ctx => removeNote(ctx, ctx.noteable, ctx.note),
  })
  return [list, get, create, update, remove]
}

/** The endpoint of those who take part in an item of one kind. */
export const participantsEndpoint = ({ path, noun, scope, can, ...kind }: NoteableApi) =>
  endpoint({
    ...kind,
    route: `GET ${path}/participants`,
    summary: `List the participants of ${noun}`,
    scope,
    can: can.read,
    answers: pageOf(UserSummary),
    run: ({ db, actor, noteable }) => participantsOf(db, actor, noteable),
  })
