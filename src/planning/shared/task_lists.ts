/** Task lists in Markdown: `- [ ] to do` and `1. [x] done`, outside of code and comments. */

import { eachLine, runInSlices } from '../../platform/kernel/answer/time_slicing.ts'

/** The number of tasks of a text, and how many are done. */
export interface TaskCounts {
  readonly count: number
  readonly completed: number
}

const ITEM = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+[ \t]+\[([ xX])\][ \t]+\S/
const LIST = /^[ \t]*(?:>[ \t]*)*(?:[-+*]|\d{1,9}[.)])[ \t]/
const FENCE = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/
const INDENTED = /^(?: {4}|\t)/

/** Anything that may be the box of a task. */
const BOX = /\[[ xX]\]/

/** Counts the tasks line by line, in time linear in the text and in slices. */
export const taskCounts = async (markdown: string | null): Promise<TaskCounts> =>
  markdown && BOX.test(markdown) ? runInSlices(counting(markdown)) : { count: 0, completed: 0 }

function* counting(markdown: string): Generator<void, TaskCounts, void> {
  let count = 0
  let completed = 0
  let fence: string | undefined
  let isComment = false
  let isList = false
  yield* eachLine(markdown, line => {
    const fenced = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      // A fence is closed by at least as many of the same character, followed by nothing.
      if (fenced?.startsWith(fence) && line.trim().endsWith(fenced) && /^[`~>\s]*$/.test(line)) fence = undefined
    } else if (isComment) {
      isComment = !line.includes('-->')
    } else if (fenced !== undefined) {
      fence = fenced
    } else if (/^ {0,3}<!--/.test(line)) {
      isComment = !line.includes('-->')
    } else if (!INDENTED.test(line) || isList) {
      const box = ITEM.exec(line)?.[1]
      if (box !== undefined) count += 1
      if (box !== undefined && box !== ' ') completed += 1
      // Blank and indented lines continue a list; any other text ends it.
      if (line.trim() !== '' && !INDENTED.test(line)) isList = LIST.test(line) || /^ {2}/.test(line)
    }
  })
  return { count, completed }
}

/** `1 of 3 tasks completed` */
export const taskStatus = ({ count, completed }: TaskCounts): string =>
  `${completed} of ${count} ${count === 1 ? 'task' : 'tasks'} completed`
