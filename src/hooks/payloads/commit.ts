/** What payloads say of a commit (webhook events, 14.0). */
import type { Commit } from '../../git/objects/commit-object.ts'
import type { Facts } from '../../kernel/context.ts'
import type { ProjectRow } from '../../projects/queries.ts'

/** A commit of a project, without what it changes. */
export const commitPart = (
  { id, message, title, author }: Commit,
  { full_path }: Pick<ProjectRow, 'full_path'>,
  { url }: Pick<Facts, 'url'>,
) => ({
  id,
  message,
  title,
  timestamp: author.date,
  url: `${url}/${full_path}/-/commit/${id}`,
  author: { name: author.name, email: author.email },
})
