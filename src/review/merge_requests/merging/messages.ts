/** Default messages of the commits made by a merge (merge requests API at 14.0). Pure. */
import type { Commit } from '../../../platform/git/index.ts'
import type { MergeRequestRow } from '../queries.ts'

type Named = Pick<MergeRequestRow, 'iid' | 'title' | 'source_branch' | 'target_branch' | 'project_path'>

/** `#1, #2, and #3` */
function listOf(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

/** The message of the merge commit. `closes`: references of the issues that the merge closes. */
export const mergeMessage = ({ iid, title, source_branch, target_branch, project_path }: Named, closes: readonly string[]): string =>
  [
    `Merge branch '${source_branch}' into '${target_branch}'`,
    title,
    ...(closes.length > 0 ? [`Closes ${listOf(closes)}`] : []),
    `See merge request ${project_path}!${iid}`,
  ].join('\n\n')

/** The message of the squash commit: the first commit message of more than one line, or the title. */
export const squashMessage = ({ title }: Pick<Named, 'title'>, oldestFirst: readonly Pick<Commit, 'message'>[]): string =>
  oldestFirst.find(({ message }) => message.trim().includes('\n'))?.message ?? title
