/** Snippets of projects as noteables: what notes can be written on. */
import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type ItemFacts, type Noteable, type NoteableApi, noteableInProject } from '../../notes/items/noteable.ts'
import type { SnippetRow } from '../queries.ts'
import { inProjectSnippet } from '../scope.ts'

export interface NoteableSnippet extends Noteable<SnippetRow & ItemFacts> {
  readonly project: ProjectWithRole
}

/** A snippet has no states, labels or assignees; its number is its id. */
export const noteableSnippet = (ctx: Pick<Context, 'actor'>, project: ProjectWithRole, snippet: SnippetRow): NoteableSnippet => ({
  noun: 'snippet',
  key: { snippet_id: snippet.id },
  ...noteableInProject(ctx, project, {
    ...snippet,
    iid: snippet.id,
    state: '',
    assignee_ids: [],
    label_ids: [],
    confidential: false,
    discussion_locked: null,
  }),
})

/** Declaration of the note endpoints of snippets. */
export const snippetApi: NoteableApi = {
  path: '/projects/:id/snippets/:snippet_id',
  noun: 'a snippet',
  scope: within(inProjectSnippet, {
    name: 'inProjectSnippet',
    path: {},
    load: async ctx => ({ noteable: noteableSnippet(ctx, ctx.project, ctx.snippet) }),
  }),
  can: { read: 'read_snippet', say: 'create_snippet_note', change: 'admin_snippet_note', award: 'award_snippet_emoji' },
}
