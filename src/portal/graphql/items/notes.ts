/** Notes and threads. */

import { type DiscussionRow, discussionIdsOf } from '../../../collaboration/discussions/queries.ts'
import { emojiDescription, emojiOf } from '../../../collaboration/markdown/document.ts'
import { Note } from '../../../collaboration/notes/entity.ts'
import type { Noteable } from '../../../collaboration/notes/items/noteable.ts'
import { participantsOf } from '../../../collaboration/notes/items/participants.ts'
import { type NoteRow, notesOf } from '../../../collaboration/notes/queries.ts'
import { UserSummary } from '../../../identity/users/entity.ts'
import type { Rows } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { Connection, connectionOf, connectionOfKnown, emptyConnection, type PageArgs } from '../reading/connections.ts'
import type { Part, Resolver } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, type Thing } from '../reading/things.ts'
import { shownProject } from '../spaces/projects.ts'
import { htmlOf, noteableOfNote, notesOfThread, onNoteable, permissionsOfNote, type ShownDiscussion, threadOf } from './threads.ts'

/** A row of an item that has notes. */
interface ItemRow {
  readonly id: number
  readonly project_id: number
}

/** The fields of an item whose notes the caller may read. */
export function noteFieldsOf<Row extends ItemRow>(
  noteableOf: (ctx: Context, project: ProjectWithRole, row: Row) => Noteable,
): Readonly<Record<'notes' | 'discussions' | 'participants', Resolver>> {
  /** Nothing of a project that the session has to sign in for first. */
  const on =
    (list: (noteable: Noteable, args: PageArgs, request: GraphRequest) => Connection): Resolver =>
    async ({ row }: Thing<Row>, args: PageArgs, request) => {
      const project = await request.project(row.project_id)
      return project ? list(noteableOf(request.ctx, project, row), args, request) : emptyConnection(request, args)
    }
  return {
    notes: on(
      (noteable, args, request) =>
        new Connection(
          request,
          args,
          'notes',
          () => notesOf(request.ctx.db, request.ctx.actor, noteable, { sort: 'asc' }),
          row => request.show(Note, onNoteable(row as NoteRow, noteable)),
        ),
    ),
    discussions: on(
      (noteable, args, request) =>
        new Connection(
          request,
          args,
          'discussions',
          () => discussionIdsOf(request.ctx.db, request.ctx.actor, noteable) as Rows<unknown>,
          row => threadOf(request, noteable, (row as { discussion_id: string }).discussion_id),
        ),
    ),
    participants: on((noteable, args, request) =>
      connectionOf(request, args, 'participants', UserSummary, () => participantsOf(request.ctx.db, request.ctx.actor, noteable)),
    ),
  }
}

interface NoteJson {
  readonly noteable_type: string
  readonly noteable_iid: number | null
  readonly position?: unknown
}

type ShownNote = Thing<NoteRow, NoteJson>

/** A number of a place on an image, as a whole one; null for lines. */
const whole = (name: 'width' | 'height' | 'x' | 'y') => (position: Readonly<Record<string, number | null | undefined>>) =>
  position[name] == null ? null : Math.round(position[name] as number)

const firstOf = ({ notes }: DiscussionRow) => notes[0] as NoteRow

export const notes: Part = {
  types: `
    "A note on an issue or merge request"
    type Note {
      "Global ID"
      id: ID!
      "Text in Markdown"
      body: String!
      "Text as HTML"
      bodyHtml: String
      "Who wrote it"
      author: UserCore!
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
      "Whether the server wrote it"
      system: Boolean!
      "Whether only members from Reporter up may see it"
      confidential: Boolean
      "Whether it can be resolved"
      resolvable: Boolean!
      "Whether it is resolved"
      resolved: Boolean!
      "When it was resolved"
      resolvedAt: Time
      "Who resolved it"
      resolvedBy: UserCore
      "Address of the note on its page"
      url: String
      "The project"
      project: Project
      "Where it stands in the changes of a merge request"
      position: DiffPosition
      "The thread"
      discussion: Discussion
      "What the caller may do"
      userPermissions: NotePermissions!
    }
    "What the caller may do with a note"
    type NotePermissions {
      "Whether the caller may change and delete it"
      adminNote: Boolean!
      "Whether the caller may react to it"
      awardEmoji: Boolean!
      "Whether the caller may write notes beside it"
      createNote: Boolean!
      "Whether the caller may read it"
      readNote: Boolean!
      "Whether the caller may resolve its thread"
      resolveNote: Boolean!
    }
    "A reaction"
    type AwardEmoji {
      "Name of the emoji, without colons"
      name: String!
      "What it shows, in words"
      description: String!
      "The character"
      emoji: String!
      "The points of the character in Unicode, hexadecimal"
      unicode: String!
      "Who reacted"
      user: UserCore!
    }
    "A thread"
    type Discussion {
      "Global ID"
      id: ID!
      "Global ID for replies"
      replyId: ID!
      "When its first note was written"
      createdAt: Time!
      "Whether it can be resolved"
      resolvable: Boolean!
      "Whether it is resolved"
      resolved: Boolean!
      "When it was resolved"
      resolvedAt: Time
      "Who resolved it"
      resolvedBy: UserCore
      "Notes, oldest first"
      notes: NoteConnection!
    }
    "A place in the changes of a merge request"
    type DiffPosition {
      "The commits that are compared"
      diffRefs: DiffRefs!
      "Kind of the place"
      positionType: DiffPositionType!
      "Width of the image"
      width: Int
      "Height of the image"
      height: Int
      "Horizontal place on the image"
      x: Int
      "Vertical place on the image"
      y: Int
      "Path of the file"
      filePath: String!
      "Path of the file after the change"
      newPath: String
      "Path of the file before the change"
      oldPath: String
      "Line after the change"
      newLine: Int
      "Line before the change"
      oldLine: Int
    }
    "Kind of a place in changes"
    enum DiffPositionType {
      "A line" text
      "A place of an image" image
    }
    "Commits that are compared"
    type DiffRefs {
      "Where the branches part"
      baseSha: String
      "The newest commit"
      headSha: String!
      "What the changes are compared with"
      startSha: String!
    }
  `,
  resolvers: {
    Note: {
      id: ({ row, json }: ShownNote) => globalId(json.position ? 'DiffNote' : row.threaded ? 'DiscussionNote' : 'Note', row.id),
      resolved: ({ row }: ShownNote) => row.resolved_at !== null,
      resolvedAt: ({ row }: ShownNote) => row.resolved_at,
      resolvedBy: ({ row }: ShownNote, _args, request) => request.user(row.resolved_by_id),
      async url({ row, json }: ShownNote, _args, request) {
        const project = row.project_id === null ? undefined : await request.project(row.project_id)
        const nouns: Readonly<Record<string, string>> = { Issue: 'issues', MergeRequest: 'merge_requests' }
        const noun = nouns[json.noteable_type]
        return project && noun ? `${request.ctx.url}/${project.full_path}/-/${noun}/${json.noteable_iid}#note_${row.id}` : null
      },
      project: ({ row }: ShownNote, _args, request) => shownProject(request, row.project_id),
      position: ({ json }: ShownNote) => json.position ?? null,
      bodyHtml: ({ row }: ShownNote, _args, request) => htmlOf(request, row),
      async discussion({ row }: ShownNote, _args, request) {
        const noteable = await noteableOfNote(request, row)
        return noteable ? ((await threadOf(request, noteable, row.discussion_id)) ?? null) : null
      },
      userPermissions: ({ row }: ShownNote, _args, request) => permissionsOfNote(request, row),
    },
    AwardEmoji: {
      description: ({ json }: Thing<unknown, { name: string }>) => emojiDescription(json.name),
      emoji: ({ json }: Thing<unknown, { name: string }>) => emojiOf(json.name),
      unicode: ({ json }: Thing<unknown, { name: string }>) =>
        [...emojiOf(json.name)].map(point => (point.codePointAt(0) as number).toString(16)).join('-'),
    },
    Discussion: {
      id: ({ id }: DiscussionRow) => globalId('Discussion', id),
      replyId: ({ id }: DiscussionRow) => globalId('Discussion', id),
      createdAt: (discussion: DiscussionRow) => firstOf(discussion).created_at,
      resolvable: (discussion: DiscussionRow) => discussion.notes.some(note => note.resolvable),
      resolved: ({ notes: all }: DiscussionRow) => {
        const resolvable = all.filter(note => note.resolvable)
        return resolvable.length > 0 && resolvable.every(note => note.resolved_at !== null)
      },
      resolvedAt: (discussion: DiscussionRow) => firstOf(discussion).resolved_at,
      resolvedBy: (discussion: DiscussionRow, _args, request) => request.user(firstOf(discussion).resolved_by_id),
      notes: (discussion: DiscussionRow, args: PageArgs, request) =>
        connectionOfKnown(request, args, () =>
          Promise.all(notesOfThread(discussion as ShownDiscussion).map(note => request.show(Note, note))),
        ),
    },
    DiffPosition: {
      diffRefs: position => position,
      filePath: ({ new_path, old_path }: { new_path: string | null; old_path: string | null }) => new_path ?? old_path,
      positionType: ({ position_type }: { position_type?: string }) => position_type ?? 'text',
      width: whole('width'),
      height: whole('height'),
      x: whole('x'),
      y: whole('y'),
      newLine: ({ new_line }: { new_line?: number | null }) => new_line ?? null,
      oldLine: ({ old_line }: { old_line?: number | null }) => old_line ?? null,
    },
  },
}
