/** Endpoints of threads on items (discussions API at 14.0). Threads of merge requests can be resolved. */
import Type from 'typebox'
import { allows } from '../../platform/access/abilities.ts'
import { transact } from '../../platform/db/transact.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { atLeastOne, exclusive } from '../../platform/kernel/request/params.ts'
import { removeNote } from '../notes/commands.ts'
import { changedStatus, createdStatus, Note, SaidNote } from '../notes/entity.ts'
import { type NoteableApi, subjectOf } from '../notes/items/noteable.ts'
import { Body, commentOf, commentParams, flagOf, internalParams } from '../notes/params.ts'
import { type NoteRow, noteById } from '../notes/queries.ts'
import { createNoteWithQuickActions, updateNoteWithQuickActions } from '../quick_actions/notes.ts'
import { BegunDiscussion, Discussion } from './entity.ts'
import { positionParam } from './params.ts'
import { type DiscussionRow, discussionsOf, visibleDiscussion } from './queries.ts'
import { resolveThread } from './resolution.ts'
import { placeInDiff } from './resolve_position.ts'
import { inDiscussion, inDiscussionNote } from './scope.ts'

/** Endpoints that threads of all kinds have. */
export function threadEndpoints({ path, noun, scope, can, ...kind }: NoteableApi) {
  const inOne = inDiscussion(scope)
  const inOneNote = inDiscussionNote(scope)
  const threads = `${path}/discussions` as const
  const list = endpoint({
    ...kind,
    route: `GET ${threads}`,
    summary: `List the threads on ${noun}`,
    scope,
    can: can.read,
    answers: pageOf(Discussion),
    run: ({ db, actor, noteable }) => discussionsOf(db, actor, noteable),
  })
  const get = endpoint({
    ...kind,
    route: `GET ${threads}/:discussion_id`,
    summary: `Get a thread on ${noun}`,
    scope: inOne,
    can: can.read,
    answers: one(Discussion),
    run: ({ discussion }) => discussion,
  })
  const listNotes = endpoint({
    ...kind,
    route: `GET ${threads}/:discussion_id/notes`,
    summary: `List the notes of a thread on ${noun}`,
    scope: inOne,
    can: can.read,
    answers: pageOf(Note),
    run: ({ discussion }) => slicesOf(discussion.notes),
  })
  const answer = endpoint({
    ...kind,
    route: `POST ${threads}/:discussion_id/notes`,
    summary: `Reply to a thread on ${noun}`,
    scope: inOne,
    can: can.say,
    // Contract: a reply is internal if its thread is; 400 if the caller says otherwise (discussions API).
    params: commentParams,
    answers: one(SaidNote, createdStatus),
    run: ctx =>
      createNoteWithQuickActions(ctx, ctx.noteable, commentOf(ctx, ctx.noteable, ctx.params), {
        answering: ctx.discussion.notes[0] as NoteRow,
      }),
  })
  const getNote = endpoint({
    ...kind,
    route: `GET ${threads}/:discussion_id/notes/:note_id`,
    summary: `Get a note of a thread on ${noun}`,
    scope: inOneNote,
    can: can.read,
    answers: one(Note),
    run: ({ note }) => note,
  })
  const remove = endpoint({
    ...kind,
    route: `DELETE ${threads}/:discussion_id/notes/:note_id`,
    summary: `Delete a note of a thread on ${noun}`,
    scope: inOneNote,
    can: can.change,
    answers: nothing,
    run: ctx => removeNote(ctx, ctx.noteable, ctx.note),
  })
  return [list, get, listNotes, answer, getNote, remove]
}

/** Changing the text of a note of a thread. */
export const plainChange = ({ path, noun, scope, can, ...kind }: NoteableApi) =>
  endpoint({
    ...kind,
    route: `PUT ${path}/discussions/:discussion_id/notes/:note_id`,
    summary: `Change a note of a thread on ${noun}`,
    scope: inDiscussionNote(scope),
    can: can.change,
    params: { body: Body, ...internalParams },
    answers: one(SaidNote, changedStatus),
    run: ctx => updateNoteWithQuickActions(ctx, ctx.noteable, ctx.note, { body: ctx.params.body, confidential: flagOf(ctx.params) }),
  })

/** Creating threads on an item as a whole, and changing their notes. */
function plainEndpoints({ path, noun, scope, can, ...kind }: NoteableApi) {
  const threads = `${path}/discussions` as const
  const create = endpoint({
    ...kind,
    route: `POST ${threads}`,
    summary: `Start a thread on ${noun}`,
    scope,
    can: can.say,
    params: commentParams,
    // Contract: 202 if the text had only quick actions (notes API).
    answers: one(BegunDiscussion, createdStatus),
    async run(ctx) {
      const said = await createNoteWithQuickActions(ctx, ctx.noteable, commentOf(ctx, ctx.noteable, ctx.params), 'thread')
      return 'summary' in said ? said : { id: said.discussion_id, notes: [said] }
    },
  })
  return [create, plainChange({ path, noun, scope, can, ...kind })]
}

/** Creating, changing and resolving threads of merge requests, which can have a position in the diff. */
function diffEndpoints({ path, scope, can }: NoteableApi) {
  const threads = `${path}/discussions` as const
  const create = endpoint({
    route: `POST ${threads}`,
    summary: 'Start a thread on a merge request, or on a position in its diff',
    scope,
    can: can.say,
    params: {
      ...commentParams,
      position: positionParam,
      commit_id: optional(text('The commit that it is about', { maxLength: 64 })),
    },
    // Contract: 202 if the text had only quick actions (notes API).
    answers: one(BegunDiscussion, createdStatus),
    // Finding the position compares files: no transaction waits for that.
    cost: 'walk',
    writes: 'own',
    async run(ctx) {
      const { noteable, params } = ctx
      const position = params.position && (await placeInDiff(ctx, noteable, params.position))
      const beginning = { position, commit_id: params.commit_id }
      const said = await transact(ctx.db, db =>
        createNoteWithQuickActions({ ...ctx, db }, noteable, commentOf(ctx, noteable, params), { beginning }),
      )
      return 'summary' in said ? said : { id: said.discussion_id, notes: [said] }
    },
  })
  const resolve = endpoint({
    route: `PUT ${threads}/:discussion_id`,
    summary: 'Resolve or reopen a thread on a merge request',
    scope: inDiscussion(scope),
    can: can.say,
    params: { resolved: flag('Whether it is resolved', { examples: [true] }) },
    answers: one(Discussion),
    async run(ctx) {
      const { db, actor, noteable, discussion, params } = ctx
      await resolveThread(ctx, noteable, discussion.notes, params.resolved)
      return (await visibleDiscussion(db, actor, noteable, discussion.id)) as DiscussionRow
    },
  })
  const updateOne = endpoint({
    route: `PUT ${threads}/:discussion_id/notes/:note_id`,
    summary: 'Change or resolve a note of a thread on a merge request',
    scope: inDiscussionNote(scope),
    // Resolving requires less than editing: the commands check each.
    can: can.say,
    params: {
      body: Type.Optional(Body),
      ...internalParams,
      resolved: optional(flag('Whether it is resolved')),
    },
    rules: [
      atLeastOne('body', 'resolved'),
      exclusive('body', 'resolved'),
      exclusive('confidential', 'resolved'),
      exclusive('internal', 'resolved'),
    ],
    answers: one(SaidNote, changedStatus),
    async run(ctx) {
      const { db, actor, noteable, note, isOwnNote, params } = ctx
      if (params.resolved !== undefined) {
        await resolveThread(ctx, noteable, [note], params.resolved)
        return (await noteById(db, note.id)) as NoteRow
      }
      if (allows(actor, can.change, subjectOf(noteable, isOwnNote)) !== 'yes') throw forbidden()
      return updateNoteWithQuickActions(ctx, noteable, note, { body: params.body, confidential: flagOf(params) })
    },
  })
  return [create, resolve, updateOne]
}

/**
 * The endpoints of threads on items of one kind.
 * @param resolvable whether threads can be resolved and have a position in a diff
 */
export const discussionEndpoints = (api: NoteableApi, resolvable: boolean) => [
  ...threadEndpoints(api),
  ...(resolvable ? diffEndpoints(api) : plainEndpoints(api)),
]
