/** Drafts: merge requests whose title marks them as not ready to be merged. */

/** Contract: the prefixes of a title that make a draft; `WIP` is the older one (document 3 `draft`, `work_in_progress`). */
const mark = /^\s*(?:\[(?:draft|wip)\]|\((?:draft)\)|(?:draft|wip):)\s*/i

/** Does the title mark a draft? */
export const isDraft = (title: string): boolean => mark.test(title)

/** The title with exactly one draft mark, or with none. */
export function titleOf(title: string, draft: boolean): string {
  let plain = title
  while (mark.test(plain)) plain = plain.replace(mark, '')
  return draft ? `Draft: ${plain}` : plain
}
