/** Mutations of notes, threads and reactions. */

import { storedName } from '../../../../collaboration/award_emoji/commands.ts'
import { AwardEmoji } from '../../../../collaboration/award_emoji/entity.ts'
import type { AwardRow } from '../../../../collaboration/award_emoji/queries.ts'
import type { DiscussionRow } from '../../../../collaboration/discussions/queries.ts'
import { isCommands, Note } from '../../../../collaboration/notes/entity.ts'
import type { Noteable } from '../../../../collaboration/notes/items/noteable.ts'
import type { NoteRow } from '../../../../collaboration/notes/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import type { Performed } from '../../../../platform/kernel/declaration/steps.ts'
import { notFound, unprocessable } from '../../../../platform/kernel/errors.ts'
import { onNoteable } from '../../items/threads.ts'
import { globalIdIn, numberIn } from '../../reading/ids.ts'
import type { Mutation, Mutations } from '../mutation.ts'
import { awardableRoutes, discussionPlace, type ItemPlace, itemPlace, noteableRoutes, notePlace } from '../places.ts'
import type { MutationRun, Payload } from '../run.ts'

const commented = Object.values(noteableRoutes)
const plain = commented.filter(route => route !== noteableRoutes.commit)

/** The route of a note alone; one on a commit is found in its thread. */
const routeOfNote = ({ kind }: ItemPlace): string =>
  kind === 'commit' ? `${noteableRoutes.commit}/discussions/:discussion_id/notes/:note_id` : `${noteableRoutes[kind]}/notes/:note_id`

const routesOfNotes = (method: 'PUT' | 'DELETE') =>
  (Object.keys(noteableRoutes) as ItemPlace['kind'][]).map(kind => `${method} ${routeOfNote({ kind, ids: {} })}` as Route)

const payload = '"The note after the mutation" note: Note'

/** The payload of a text that was sent. Contract: one of quick actions alone leaves no note, and says what it did as an error (public behaviour). */
async function said({ request }: MutationRun, { result, subjects }: Performed): Promise<Payload> {
  if (isCommands(result as object)) throw unprocessable([`Commands only ${(result as { summary: readonly string[] }).summary.join(' ')}`])
  return { note: await request.show(Note, onNoteable(result as NoteRow, subjects.noteable as Noteable)) }
}

interface NewNote {
  readonly noteableId: string
  readonly body: string
  readonly confidential?: boolean | null
}

const newNote = `
  "What the note is on" noteableId: NoteableID!
  "Text in Markdown" body: String!
  "Whether only members from Reporter up may see it" confidential: Boolean
`

const MERGE_REQUEST_THREADS = `POST ${noteableRoutes.merge_request}/discussions` as Route

/** The place in a difference that an input names, besides what its kind adds. */
interface Position {
  readonly headSha: string
  readonly baseSha?: string | null
  readonly startSha: string
  readonly paths: { readonly oldPath?: string | null; readonly newPath?: string | null }
}

const positionOf = ({ headSha, baseSha, startSha, paths }: Position) => ({
  head_sha: headSha,
  // Where it was left out, the difference begins at the target.
  base_sha: baseSha ?? startSha,
  start_sha: startSha,
  old_path: paths.oldPath ?? paths.newPath,
  new_path: paths.newPath ?? paths.oldPath,
})

/** A mutation that begins a thread on a place in the difference of a merge request. */
const onDiff = <P extends Position>(says: string, input: string, position: (given: P) => object): Mutation => ({
  says,
  input: `${newNote} "The place" position: ${input}!`,
  payload,
  runs: [MERGE_REQUEST_THREADS],
  async run(given: NewNote & { position: P }, run) {
    if (globalIdIn('NoteableID', given.noteableId).kind !== 'MergeRequest') throw unprocessable(['Noteable has no differences'])
    const { ids } = await itemPlace(run, 'NoteableID', given.noteableId)
    const sent = { ...ids, body: given.body, confidential: given.confidential ?? undefined }
    const { result, subjects } = await run.perform(MERGE_REQUEST_THREADS, {
      ...sent,
      position: { ...positionOf(given.position), ...position(given.position) },
    })
    const begun = result as DiscussionRow
    return said(run, { subjects, result: isCommands(begun) ? begun : begun.notes[0] })
  },
})

/** What can be reacted to, and the routes of the reactions. */
async function awardable(run: MutationRun, globalId: string) {
  const { kind, id } = globalIdIn('AwardableID', globalId)
  const isNote = kind.endsWith('Note')
  const place = isNote ? await notePlace(run, Number(id)) : await itemPlace(run, 'AwardableID', globalId)
  if (place.kind === 'commit') throw notFound('Awardable')
  return { ids: place.ids, route: `${awardableRoutes[place.kind]}${isNote ? '/notes/:note_id' : ''}/award_emoji` }
}

const awardRoutes = Object.values(awardableRoutes).flatMap(route => [`${route}/award_emoji`, `${route}/notes/:note_id/award_emoji`])
const ADD = awardRoutes.map(route => `POST ${route}` as Route)
const REMOVE = awardRoutes.map(route => `DELETE ${route}/:award_id` as Route)

const awardInput = `
  "What is reacted to" awardableId: AwardableID!
  "Name of the emoji" name: String!
`
const awardPayload = '"The reaction" awardEmoji: AwardEmoji'

interface Award {
  readonly awardableId: string
  readonly name: string
}

/** The caller's own reaction with this emoji. */
async function ownAward({ ctx }: MutationRun, { awardableId, name }: Award): Promise<AwardRow | undefined> {
  const { kind, id } = globalIdIn('AwardableID', awardableId)
  const columns = { Issue: 'issue_id', MergeRequest: 'merge_request_id', Epic: 'epic_id' } as const
  const column = kind.endsWith('Note') ? 'note_id' : (columns[kind as keyof typeof columns] ?? 'snippet_id')
  return ctx.db
    .selectFrom('award_emoji')
    .selectAll()
    .where(column, '=', Number(id))
    .where('user_id', '=', ctx.actor.user?.id ?? 0)
    .where('name', '=', storedName(name))
    .executeTakeFirst()
}

async function addAward(run: MutationRun, input: Award): Promise<Payload> {
  const { ids, route } = await awardable(run, input.awardableId)
  const { result } = await run.perform(`POST ${route}` as Route, { ...ids, name: input.name })
  return { awardEmoji: await run.request.show(AwardEmoji, result as AwardRow) }
}

async function removeAward(run: MutationRun, input: Award, own: AwardRow | undefined): Promise<Payload> {
  const { ids, route } = await awardable(run, input.awardableId)
  await run.perform(`DELETE ${route}/:award_id` as Route, { ...ids, award_id: own?.id ?? 0 })
  return { awardEmoji: null }
}

export const noteMutations: Mutations = {
  createNote: {
    says: 'Write a note, or a reply in a thread',
    input: `${newNote} "The thread that it replies to" discussionId: DiscussionID`,
    payload,
    runs: [
      ...plain.map(route => `POST ${route}/notes` as Route),
      ...commented.map(route => `POST ${route}/discussions/:discussion_id/notes` as Route),
    ],
    async run(input: NewNote & { discussionId?: string | null }, run) {
      const { kind, ids } = await itemPlace(run, 'NoteableID', input.noteableId)
      const { body, discussionId } = input
      const sent = { ...ids, body, confidential: input.confidential ?? undefined }
      const route = noteableRoutes[kind]
      const done =
        discussionId == null
          ? await run.perform(`POST ${route}/notes` as Route, sent)
          : await run.perform(`POST ${route}/discussions/:discussion_id/notes` as Route, {
              ...sent,
              discussion_id: globalIdIn('DiscussionID', discussionId).id,
            })
      return said(run, done)
    },
  },
  createDiffNote: onDiff<Position & { newLine?: number | null; oldLine?: number | null }>(
    'Begin a thread on a line of the changes of a merge request',
    'DiffPositionInput',
    ({ newLine, oldLine }) => ({ position_type: 'text', new_line: newLine ?? null, old_line: oldLine ?? null }),
  ),
  createImageDiffNote: onDiff<Position & { x: number; y: number; width: number; height: number }>(
    'Begin a thread on a place of an image that a merge request changes',
    'DiffImagePositionInput',
    ({ x, y, width, height }) => ({ position_type: 'image', x, y, width, height }),
  ),
  updateNote: {
    says: 'Change a note',
    input: `
      "The note" id: NoteID!
      "Text in Markdown" body: String
      "Whether only members from Reporter up may see it" confidential: Boolean
    `,
    payload,
    runs: routesOfNotes('PUT'),
    async run(input: { id: string; body?: string | null; confidential?: boolean | null }, run) {
      const place = await notePlace(run, numberIn('NoteID', input.id))
      const sent = { ...place.ids, body: input.body ?? undefined, confidential: input.confidential ?? undefined }
      return said(run, await run.perform(`PUT ${routeOfNote(place)}` as Route, sent))
    },
  },
  destroyNote: {
    says: 'Delete a note',
    input: '"The note" id: NoteID!',
    payload,
    runs: routesOfNotes('DELETE'),
    async run(input: { id: string }, run) {
      const place = await notePlace(run, numberIn('NoteID', input.id))
      await run.perform(`DELETE ${routeOfNote(place)}` as Route, place.ids)
      return {}
    },
  },
  discussionToggleResolve: {
    says: 'Resolve or reopen a thread of a merge request',
    input: `
      "The thread" id: DiscussionID!
      "Whether it is resolved" resolve: Boolean!
    `,
    payload: '"The thread after the mutation" discussion: Discussion',
    runs: [`PUT ${noteableRoutes.merge_request}/discussions/:discussion_id` as Route],
    async run(input: { id: string; resolve: boolean }, run) {
      const { kind, ids } = await discussionPlace(run, input.id)
      if (kind !== 'merge_request') throw notFound('Discussion')
      const route = `PUT ${noteableRoutes.merge_request}/discussions/:discussion_id` as Route
      const { result, subjects } = await run.perform(route, { ...ids, resolved: input.resolve })
      return { discussion: { ...(result as DiscussionRow), noteable: subjects.noteable } }
    },
  },
  awardEmojiAdd: {
    says: 'React to something',
    input: awardInput,
    payload: awardPayload,
    runs: ADD,
    run: (input: Award, run) => addAward(run, input),
  },
  awardEmojiRemove: {
    says: 'Take one’s reaction back',
    input: awardInput,
    payload: awardPayload,
    runs: REMOVE,
    run: async (input: Award, run) => removeAward(run, input, await ownAward(run, input)),
  },
  awardEmojiToggle: {
    says: 'React to something, or take the reaction back',
    input: awardInput,
    payload: `${awardPayload} "Whether there is a reaction now" toggledOn: Boolean!`,
    runs: [...ADD, ...REMOVE],
    async run(input: Award, run) {
      const own = await ownAward(run, input)
      const changed = own ? await removeAward(run, input, own) : await addAward(run, input)
      return { ...changed, toggledOn: own === undefined }
    },
    otherwise: async (input: Award, run) => ({ toggledOn: (await ownAward(run, input)) !== undefined }),
  },
}
