/** Commits in payloads (webhook events, 14.0). */
import { type Commit, inWholeSeconds } from '../../../platform/git/index.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

/** A commit of a project, without its changed files. */
export const commitPart = (
  { id, message, title, author, committer }: Commit,
  { full_path }: Pick<ProjectRow, 'full_path'>,
  { url }: Pick<Facts, 'url'>,
) => ({
  id,
  message,
  title,
  // Contract: the committer's time, in whole seconds (webhook events)
  timestamp: inWholeSeconds(committer),
  url: `${url}/${full_path}/-/commit/${id}`,
  author: { name: author.name, email: author.email },
})
