/** A snippet within the payload of a note (webhook events, 14.0). */
import { firstText } from '../../../collaboration/snippets/contents.ts'
import type { SnippetRow } from '../../../collaboration/snippets/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'

/** Levels of visibility as numbers. */
const levels: Readonly<Record<string, number>> = { private: 0, internal: 10, public: 20 }

/** The snippet that a note is on, with the text of its first file. */
export const snippetPart = async ({ deps }: Context, snippet: SnippetRow): Promise<object> => ({
  id: snippet.id,
  title: snippet.title,
  description: snippet.description,
  content: await firstText(deps, snippet),
  author_id: snippet.author_id,
  project_id: snippet.project_id,
  created_at: snippet.created_at,
  updated_at: snippet.updated_at,
  file_name: snippet.file_paths[0] ?? '',
  type: snippet.project_id === null ? 'PersonalSnippet' : 'ProjectSnippet',
  visibility_level: levels[snippet.visibility],
})
