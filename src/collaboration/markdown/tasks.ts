/** One box of a task list in a text: which line it is on, and the text with it ticked. Pure. */
import { hash } from 'node:crypto'

/** What stands before the box of a task: marks of lists and quotes. */
const box = /^((?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)\[[ xX~]\](?=\s)/

/** A digest of the line of a task, the same whether its box is ticked or not. */
export const taskDigest = (line: string): string => hash('sha256', line.replace(box, '$1[ ]'), 'hex').slice(0, 16)

/** A box as the page names it: `3:0f1e…`, the number of its line from 0 and the digest of that. */
export interface TaskName {
  readonly line: number
  readonly digest: string
}

/**
 * The text with one box ticked, or not. Undefined where the line is another one now: nothing is changed then.
 */
export function withTask(text: string, { line, digest }: TaskName, isDone: boolean): string | undefined {
  // Lines and what ends them, in turn: what ends them stays.
  const parts = text.split(/(\r\n?|\n)/)
  const source = parts[2 * line]
  if (source === undefined || !box.test(source) || taskDigest(source) !== digest) return undefined
  parts[2 * line] = source.replace(box, `$1[${isDone ? 'x' : ' '}]`)
  return parts.join('')
}
