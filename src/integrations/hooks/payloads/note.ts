/** The payload of notes (webhook events, 14.0). */

import type { NoteRow } from '../../../collaboration/notes/queries.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import type { IssueRow } from '../../../planning/issues/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { attributesOf, labelsIn } from './issue.ts'
import { attributesOf as mergeRequestAttributes } from './merge_request.ts'
import { projectPart, repositoryPart, userPart } from './project.ts'

/** The action on a note; undefined in a test of a hook. */
export type NoteAction = 'create' | 'update' | undefined

/** The subject of a note. */
export type About = { readonly issue: IssueRow } | { readonly mergeRequest: MergeRequestRow }

const isConfidential = (about: About, note: NoteRow): boolean => note.confidential || ('issue' in about && about.issue.confidential)

/** The switch for a note. */
export const noteTriggerOf = (about: About, note: NoteRow) => (isConfidential(about, note) ? 'confidential_note_events' : 'note_events')

/** The payload of a note on an issue or a merge request. */
export async function notePayload(
  ctx: Context,
  project: ProjectRow,
  about: About,
  note: NoteRow,
  user: UserRow | undefined,
  action: NoteAction,
): Promise<object> {
  const [noun, thing] = 'issue' in about ? (['issue', about.issue] as const) : (['merge_request', about.mergeRequest] as const)
  return {
    object_kind: 'note',
    event_type: isConfidential(about, note) ? 'confidential_note' : 'note',
    user: userPart(user, ctx),
    project_id: project.id,
    project: projectPart(project, ctx),
    object_attributes: {
      id: note.id,
      note: note.body,
      description: note.body,
      noteable_type: noun === 'issue' ? 'Issue' : 'MergeRequest',
      noteable_id: thing.id,
      author_id: note.author_id,
      project_id: project.id,
      discussion_id: note.discussion_id,
      type: note.position !== null ? 'DiffNote' : note.threaded ? 'DiscussionNote' : null,
      attachment: null,
      line_code: null,
      commit_id: note.commit_id,
      position: note.position,
      st_diff: null,
      system: false,
      created_at: note.created_at,
      updated_at: note.updated_at,
      url: `${ctx.url}/${project.full_path}/-/${noun}s/${thing.iid}#note_${note.id}`,
      ...(action ? { action } : {}),
    },
    repository: repositoryPart(project, ctx),
    [noun]: {
      ...('issue' in about ? attributesOf(about.issue, project, ctx) : await mergeRequestAttributes(ctx, about.mergeRequest, project)),
      labels: labelsIn(thing.label_ids, await labelsById(ctx.db, thing.label_ids)),
    },
  }
}
