/** Drafts: merge requests whose title says that they are not to be merged yet. */

/** Contract: what a title begins with that makes it a draft; `WIP` is the former word (document 3 `draft`, `work_in_progress`). */
const mark = /^\s*(?:\[(?:draft|wip)\]|\((?:draft)\)|(?:draft|wip):)\s*/i

/** Does the title say that this is a draft? */
export const isDraft = (title: string): boolean => mark.test(title)

/** The title without any mark of a draft, or with one. */
export function titleOf(title: string, draft: boolean): string {
  let plain = title
  while (mark.test(plain)) plain = plain.replace(mark, '')
  return draft ? `Draft: ${plain}` : plain
}
