/** A profile of V8 as a flame graph. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childOf, type Frame, frame } from './flame.ts'

/** What `Profiler.stop` answers; editors and browsers open it as a `.cpuprofile`. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Ids of nodes, one for each look at the stack. */
  readonly samples?: readonly number[]
  /** Microseconds before each of them. */
  readonly timeDeltas?: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Waiting is no work, and beginning to profile is none of the program's. */
const isOther = (name: string) => name === '(idle)' || name.includes('bench/inside/preload.ts')

/** The boxes of a profile, in milliseconds. */
export function framesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Frame {
  const times = new Map<number, number>()
  for (const [at, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[at] ?? 0))
  const byId = new Map(nodes.map(node => [node.id, node]))
  const all = frame('all')
  function add(node: ProfileNode, parent: Frame): void {
    const name = nameOf(node)
    if (isOther(name)) return
    const box = name === '(root)' ? parent : childOf(parent, name)
    box.self += (times.get(node.id) ?? 0) / 1_000
    for (const child of node.children ?? []) {
      const found = byId.get(child)
      if (found) add(found, box)
    }
  }
  const [first] = nodes
  if (first) add(first, all)
  return all
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replace(/^node_modules\//, '') : url
  return `${functionName || '(anonymous)'}${place && ` ${place}:${lineNumber + 1}`}`
}
