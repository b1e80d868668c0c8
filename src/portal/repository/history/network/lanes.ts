/** Puts the commits of a history into rows and lanes, so that lines between them never lie on each other. Pure. */

/** A commit as the graph needs it. */
export interface Node {
  readonly id: string
  readonly parents: readonly string[]
}

/** The line from a commit to one of its parents: it changes to its lane below the commit, and goes straight down to the row of the parent. */
export interface Line {
  readonly from: number
  readonly fromLane: number
  readonly lane: number
  /** The row of the parent; undefined for one below the last row. */
  to: number | undefined
}

/**
 * A graph that grows downwards. A lane is kept for each commit that is a parent of one above it; children of the same parent share it, so there are
 * no more lanes than there are such commits. The first parent stays in the lane of its child where that is free.
 */
export class Lanes {
  readonly ids: string[] = []
  /** By row. */
  readonly lanes: number[] = []
  /** In the order of their first rows. */
  readonly lines: Line[] = []
  /** The lane that waits for a commit, and the lines that lead to it. */
  readonly #expected = new Map<string, { readonly lane: number; readonly lines: Line[] }>()
  readonly #free = new LeastFirst()

  /** Adds the next row: a commit none of whose children come later. */
  add({ id, parents }: Node): void {
    const row = this.ids.length
    const awaited = this.#expected.get(id)
    const lane = awaited?.lane ?? this.#free.take()
    for (const line of awaited?.lines ?? []) line.to = row
    this.#expected.delete(id)
    this.ids.push(id)
    this.lanes.push(lane)
    let isFree = true
    for (const parent of parents) {
      let known = this.#expected.get(parent)
      if (!known) {
        known = { lane: isFree ? lane : this.#free.take(), lines: [] }
        isFree = false
        this.#expected.set(parent, known)
      }
      const line = { from: row, fromLane: lane, lane: known.lane, to: undefined }
      known.lines.push(line)
      this.lines.push(line)
    }
    if (isFree) this.#free.give(lane)
  }
}

/** Numbers of lanes: the least that is not taken comes first. */
class LeastFirst {
  /** A heap: none is greater than the two after it, at twice its place plus one and two. */
  readonly #given: number[] = []
  #next = 0

  take(): number {
    const heap = this.#given
    const [least] = heap
    if (least === undefined) return this.#next++
    const last = heap.pop() as number
    if (heap.length === 0) return least
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = (heap[right] ?? Infinity) < (heap[left] ?? Infinity) ? right : left
      const value = heap[child]
      if (value === undefined || value >= last) break
      heap[at] = value
      at = child
    }
    heap[at] = last
    return least
  }

  give(lane: number): void {
    const heap = this.#given
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      const value = heap[parent] as number
      if (value <= lane) break
      heap[at] = value
      at = parent
    }
    heap[at] = lane
  }
}

/** What is drawn in a row. Lanes are those that are drawn. */
export interface DrawnRow {
  readonly id: string
  /** Of the commit. */
  readonly lane: number
  /** Does a line come to the commit from above? */
  readonly isReached: boolean
  /** Lanes with a line that passes by. */
  readonly passing: readonly number[]
  /** Lanes that lines from the commit lead to. */
  readonly leaving: readonly number[]
}

const PASSING = 1
const LEAVING = 2
const REACHING = 4

/** The rows from `start` to before `end`. What is in lane `most` or beyond is drawn in the last one before it. */
export function drawnRows({ ids, lanes, lines }: Lanes, start: number, end: number, most: number): DrawnRow[] {
  const shown = ids.slice(start, end)
  const drawn = (lane: number) => Math.min(lane, most - 1)
  const marks = new Uint8Array(shown.length * most)
  const mark = (row: number, lane: number, kind: number) => {
    const at = (row - start) * most + drawn(lane)
    marks[at] = (marks[at] ?? 0) | kind
  }
  for (const { from, lane, to = ids.length } of lines) {
    if (from >= end) break
    if (to < start) continue
    if (from >= start) mark(from, lane, LEAVING)
    if (to < end) mark(to, lane, REACHING)
    for (let row = Math.max(start, from + 1); row < Math.min(end, to); row++) mark(row, lane, PASSING)
  }
  return shown.map((id, index) => {
    const lane = drawn(lanes[start + index] as number)
    const row = marks.subarray(index * most, (index + 1) * most)
    const marked = (kind: number) => [...row.keys()].filter(at => ((row[at] as number) & kind) !== 0)
    return { id, lane, isReached: marked(REACHING).length > 0, passing: marked(PASSING), leaving: marked(LEAVING) }
  })
}
