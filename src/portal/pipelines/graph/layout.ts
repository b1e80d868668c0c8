/** Places the jobs of a pipeline: a column for each stage, and a line from each job to those that need it. Pure. */

/** A job, as the graph shows it. */
export interface GraphJob {
  readonly id: number
  readonly name: string
  readonly stage: string
  readonly stage_position: number
  /** Names of the jobs that it needs; null: it waits for the stages before. */
  readonly needs: readonly string[] | null
}

export interface Node<Job> {
  readonly job: Job
  readonly x: number
  readonly y: number
}

export interface Layout<Job> {
  readonly width: number
  readonly height: number
  readonly columns: readonly { readonly stage: string; readonly x: number }[]
  readonly nodes: readonly Node<Job>[]
  /** From the right side of a needed job to the left side of the one that needs it. */
  readonly lines: readonly { readonly from: number; readonly to: number; readonly path: string }[]
}

export const NODE = { width: 208, height: 36 } as const

const GAP = { x: 56, y: 10 } as const

/** The words above a column. */
const HEAD = 28

const MARGIN = 2

/** @param jobs in the order in which they are to stand below each other */
export function layoutOf<Job extends GraphJob>(jobs: readonly Job[]): Layout<Job> {
  const stages = [...new Map(jobs.map(job => [job.stage_position, job.stage] as const))].sort(([a], [b]) => a - b)
  const columns = stages.map(([position, stage], index) => ({ position, stage, x: MARGIN + index * (NODE.width + GAP.x) }))
  const nodes = columns.flatMap(({ position, x }) =>
    jobs.filter(({ stage_position }) => stage_position === position).map((job, row) => ({ job, x, y: HEAD + row * (NODE.height + GAP.y) })),
  )
  const byName = new Map(nodes.map(node => [node.job.name, node]))
  const lines = nodes.flatMap(to =>
    (to.job.needs ?? []).flatMap(name => {
      const from = byName.get(name)
      return from === undefined || from === to ? [] : [{ from: from.job.id, to: to.job.id, path: lineOf(from, to) }]
    }),
  )
  return {
    width: 2 * MARGIN + columns.length * NODE.width + Math.max(0, columns.length - 1) * GAP.x,
    height: Math.max(HEAD, ...nodes.map(({ y }) => y + NODE.height + GAP.y / 2 + MARGIN)),
    columns,
    nodes,
    lines,
  }
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** A curve between two nodes. Within a stage it leaves and arrives on the left side. */
function lineOf(from: Spot, to: Spot): string {
  const [start, end] = [from.y + NODE.height / 2, to.y + NODE.height / 2]
  if (from.x === to.x) {
    const bend = from.x - GAP.x / 3
    return `M${from.x} ${start}C${bend} ${start} ${bend} ${end} ${to.x} ${end}`
  }
  const left = from.x + NODE.width
  if (to.x - left <= GAP.x) {
    const middle = (left + to.x) / 2
    return `M${left} ${start}C${middle} ${start} ${middle} ${end} ${to.x} ${end}`
  }
  // Past columns in between it runs in the gap between two rows: behind their jobs it would look like a line of theirs.
  const lane = end < start ? from.y - GAP.y / 2 : from.y + NODE.height + GAP.y / 2
  const [out, back] = [left + GAP.x, to.x - GAP.x]
  const [first, last] = [left + GAP.x / 2, to.x - GAP.x / 2]
  return `M${left} ${start}C${first} ${start} ${first} ${lane} ${out} ${lane}H${back}C${last} ${lane} ${last} ${end} ${to.x} ${end}`
}
