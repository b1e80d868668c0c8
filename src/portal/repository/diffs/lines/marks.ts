/** Marks in a line that is HTML already: highlighted code with its changed words. Pure. */

/** Characters of a line's text, the last one not among them. */
export type Range = readonly [from: number, to: number]

const parts = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+/gi

/**
 * The line with an element around each of the ranges, which are in their order and apart. Elements of the line are not crossed: a mark that goes on
 * over their ends is closed and opened again.
 * @param line HTML of one line: elements and escaped text
 */
export function withMarks(line: string, ranges: readonly Range[], element: 'ins' | 'del'): string {
  let out = ''
  let at = 0
  let next = 0
  let isOpen = false
  const toggle = (open: boolean) => {
    if (open !== isOpen) out += open ? `<${element}>` : `</${element}>`
    isOpen = open
  }
  for (const [part] of line.matchAll(parts)) {
    if (part.startsWith('<')) {
      toggle(false)
      out += part
      continue
    }
    const length = part.startsWith('&') ? 1 : part.length
    for (let done = 0; done < length; ) {
      while (next < ranges.length && (ranges[next] as Range)[1] <= at) next++
      const [from, to] = ranges[next] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      const isMarked = at >= from
      const count = Math.min(length - done, (isMarked ? to : from) - at)
      toggle(isMarked)
      out += length === 1 ? part : part.slice(done, done + count)
      done += count
      at += count
    }
  }
  toggle(false)
  return out
}
