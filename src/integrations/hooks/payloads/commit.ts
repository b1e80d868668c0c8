/** What payloads say of a commit (webhook events, 14.0). */
import { type Commit, inWholeSeconds } from '../../../platform/git/objects/commit-object.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

/** A commit of a project, without what it changes. */
export const commitPart = (
  { id, message, title, author, committer }: Commit,
  { full_path }: Pick<ProjectRow, 'full_path'>,
  { url }: Pick<Facts, 'url'>,
) => ({
  id,
  message,
  title,
  // Contract: when it was committed, in whole seconds (webhook events)
  timestamp: inWholeSeconds(committer),
  url: `${url}/${full_path}/-/commit/${id}`,
  author: { name: author.name, email: author.email },
})
