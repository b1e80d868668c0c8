/** Endpoints of comments and threads on commits (commits and discussions API at 14.0). */
import { BegunDiscussion } from '../../collaboration/discussions/entity.ts'
import { positionParam } from '../../collaboration/discussions/params.ts'
import { TEXT_LENGTH } from '../../collaboration/item_kinds/kinds.ts'
import { createNote } from '../../collaboration/notes/commands.ts'
import { createdStatus } from '../../collaboration/notes/entity.ts'
import { commentOf, commentParams } from '../../collaboration/notes/params.ts'
import { visibleNotes } from '../../collaboration/notes/queries.ts'
import { transact } from '../../platform/db/transact.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Rule } from '../../platform/kernel/request/params.ts'
import { CommitComment } from './entity.ts'
import { commitApi } from './noteable.ts'
import { placeInCommit, placeOfLine } from './positions.ts'

/** Contract: a path takes a line; a line without a path says nothing (commits API). */
const pathTakesLine: Rule = {
  says: 'path takes line',
  check: ({ path, line }) => (path !== undefined && line === undefined ? { line: ['is missing'] } : undefined),
}

export const listCommitComments = endpoint({
  route: `GET ${commitApi.path}/comments`,
  summary: 'List the comments on a commit',
  scope: commitApi.scope,
  can: 'read_code',
  answers: pageOf(CommitComment),
  run: ({ db, actor, noteable }) =>
    visibleNotes(db, actor, noteable).where('notes.action', 'is', null).orderBy('notes.created_at').orderBy('notes.id'),
})

export const createCommitComment = endpoint({
  route: `POST ${commitApi.path}/comments`,
  summary: 'Comment on a commit, or on a line of it',
  scope: commitApi.scope,
  can: 'create_commit_note',
  params: {
    note: text('The text in Markdown', { maxLength: TEXT_LENGTH, examples: ['Sounds good'] }),
    path: optional(text('The file that it is about', { maxLength: 4096 })),
    line: optional(integer('The number of the line', { minimum: 1 })),
    line_type: optional(
      OneOf(['new', 'old'], { description: 'Whether the number counts lines after the change or before it', default: 'new' }),
    ),
  },
  rules: [pathTakesLine],
  answers: one(CommitComment),
  // Finding the line compares files: no transaction waits for that.
  cost: 'walk',
  writes: 'own',
  async run(ctx) {
    const { commit, noteable, params } = ctx
    const { note: body, path, line, line_type = 'new' } = params
    const position = path === undefined || line === undefined ? undefined : await placeOfLine(commit, { path, line, line_type })
    return transact(ctx.db, db => createNote({ ...ctx, db }, noteable, { body }, position && { position }))
  },
})

export const createCommitDiscussion = endpoint({
  route: `POST ${commitApi.path}/discussions`,
  summary: 'Start a thread on a commit, or on a position in its changes',
  scope: commitApi.scope,
  can: 'create_commit_note',
  params: { ...commentParams, position: positionParam },
  answers: one(BegunDiscussion, createdStatus),
  // As above.
  cost: 'walk',
  writes: 'own',
  async run(ctx) {
    const { commit, noteable, params } = ctx
    const position = params.position && (await placeInCommit(commit, params.position))
    const note = await transact(ctx.db, db => createNote({ ...ctx, db }, noteable, commentOf(ctx, noteable, params), { position }))
    return { id: note.discussion_id, notes: [note] }
  },
})
