/** The payload of notes (webhook events, 14.0). */

import { presentDiff } from '../../../code/repository/commits/diff_entity.ts'
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import type { NoteRow } from '../../../collaboration/notes/queries.ts'
import type { SnippetRow } from '../../../collaboration/snippets/queries.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import type { IssueRow } from '../../../planning/issues/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import { type Commit, diffOfCommit, lineCode, linesOf } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { commitPart } from './commit.ts'
import { attributesOf, labelsIn } from './issue.ts'
import { attributesOf as mergeRequestAttributes } from './merge_request.ts'
import { projectPart, repositoryPart, userPart } from './project.ts'
import { snippetPart } from './snippet.ts'

/** The action on a note; undefined in a test of a hook. */
export type NoteAction = 'create' | 'update' | undefined

/** The subject of a note. */
export type About =
  | { readonly issue: IssueRow }
  | { readonly mergeRequest: MergeRequestRow }
  | { readonly commit: Commit }
  | { readonly snippet: SnippetRow }

const isConfidential = (about: About, note: NoteRow): boolean => note.confidential || ('issue' in about && about.issue.confidential)

/** The switch for a note. */
export const noteTriggerOf = (about: About, note: NoteRow) => (isConfidential(about, note) ? 'confidential_note_events' : 'note_events')

/** What the payload says of the subject of a note, and where its page is. */
async function subjectOf(ctx: Context, project: ProjectRow, about: About, note: NoteRow) {
  if ('commit' in about) {
    const { commit } = about
    return {
      type: 'Commit',
      // Contract: a commit has no number (webhook events, 14.0).
      id: null,
      page: `commit/${commit.id}`,
      attributes: await placeOf(ctx, project, commit, note),
      part: { commit: commitPart(commit, project, ctx) },
    }
  }
  if ('snippet' in about) {
    const { snippet } = about
    return {
      type: 'Snippet',
      id: snippet.id,
      page: `snippets/${snippet.id}`,
      attributes: { line_code: null, commit_id: note.commit_id, st_diff: null },
      part: { snippet: await snippetPart(ctx, snippet) },
    }
  }
  const isIssue = 'issue' in about
  const thing = isIssue ? about.issue : about.mergeRequest
  const noun = isIssue ? 'issue' : 'merge_request'
  const attributes = isIssue ? attributesOf(about.issue, project, ctx) : await mergeRequestAttributes(ctx, about.mergeRequest, project)
  return {
    type: isIssue ? 'Issue' : 'MergeRequest',
    id: thing.id,
    page: `${noun}s/${thing.iid}`,
    attributes: { line_code: null, commit_id: note.commit_id, st_diff: null },
    part: { [noun]: { ...attributes, labels: labelsIn(thing.label_ids, await labelsById(ctx.db, thing.label_ids)) } },
  }
}

/** The file that a note on a line of a commit is about, and the code of the line. One git process, none for a note on the whole. */
async function placeOf({ deps }: Context, project: ProjectRow, commit: Commit, { position }: NoteRow) {
  const place = position as unknown as Position | null
  const repository = place ? await findRepository(deps.storages, project) : undefined
  const paths = place && [place.old_path, place.new_path].filter(path => path !== null)
  const entry = repository && paths && (await diffOfCommit(repository, commit, { paths })).entries[0]
  const line =
    entry &&
    linesOf(entry).find(({ old_line, new_line }) => old_line === (place?.old_line ?? null) && new_line === (place?.new_line ?? null))
  return {
    line_code: entry && line ? lineCode(entry.new_path, line) : null,
    commit_id: commit.id,
    st_diff: entry ? presentDiff(entry) : null,
  }
}

/** The payload of a note on an issue, a merge request, a commit or a snippet. */
export async function notePayload(
  ctx: Context,
  project: ProjectRow,
  about: About,
  note: NoteRow,
  user: UserRow | undefined,
  action: NoteAction,
): Promise<object> {
  const { type, id, page, attributes, part } = await subjectOf(ctx, project, about, note)
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
      noteable_type: type,
      noteable_id: id,
      author_id: note.author_id,
      project_id: project.id,
      discussion_id: note.discussion_id,
      type: note.position !== null ? 'DiffNote' : note.threaded ? 'DiscussionNote' : null,
      attachment: null,
      ...attributes,
      position: note.position,
      system: false,
      created_at: note.created_at,
      updated_at: note.updated_at,
      url: `${ctx.url}/${project.full_path}/-/${page}#note_${note.id}`,
      ...(action ? { action } : {}),
    },
    repository: repositoryPart(project, ctx),
    ...part,
  }
}
