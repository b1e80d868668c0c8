/** Extracts the test coverage from a job's log (`coverage`, or `build_coverage_regex` of the project). */
import { setImmediate } from 'node:timers/promises'
import type { RE2JS } from 're2js'
import type { Context } from '../../platform/kernel/context.ts'
import { compiledPattern, MOST_WORK } from '../../platform/patterns/patterns.ts'
import type { JobRow } from '../jobs/queries.ts'
import { traceFromEnd } from './trace_from_end.ts'

/** Bytes at the end of a log that are searched: the number stands there, and a longer search would block other requests. */
const MAX_SEARCHED = 4 * 1024 * 1024
/** Maximum characters of a line. */
const MAX_LINE = 64 * 1024
/** Bytes after which the search yields to other work: the engine reads some megabytes in a second. */
const TURN = 32 * 1024

/**
 * The coverage in percent that a log contains: the number in the last match of the expression, searched line by line from the end; with
 * several groups, the last one counts. Undefined if there is none, and for an expression that RE2 cannot compile.
 * @param pieces of the log, the last first
 */
export async function coverageIn(expression: string, pieces: AsyncIterable<Buffer>): Promise<number | undefined> {
  const pattern = compile(expression)
  if (!pattern) return undefined
  let sinceTurn = 0
  for await (const line of linesFromEnd(pieces)) {
    sinceTurn += line.length
    if (sinceTurn > TURN) {
      sinceTurn = 0
      await setImmediate()
    }
    const coverage = coverageInLine(pattern, line)
    if (coverage !== undefined) return coverage
  }
  return undefined
}

/** Strips the slashes around it, which CI files write and the project's setting may have. */
function compile(expression: string): RE2JS | undefined {
  const [, inner = expression] = /^\/(.+)\/$/s.exec(expression.trim()) ?? []
  return compiledPattern(inner)
}

/** Searches the beginning of a line, as much of it as the steps of the expression leave time for. */
function coverageInLine(pattern: RE2JS, whole: string): number | undefined {
  const most = Math.floor(MOST_WORK / pattern.programSize())
  const line = whole.slice(0, most)
  // A match must contain a digit: checked first, since most lines have none.
  if (!/\d/.test(line)) return undefined
  const matcher = pattern.matcher(line)
  let last: string | undefined
  // A search may look at all that is left of the line, and find what ends long before.
  for (let [left, begin] = [2 * most, 0]; left > 0 && matcher.find(); begin = matcher.end()) {
    left -= line.length - begin
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1))
    last = (groups.length === 0 ? matcher.group() : groups.findLast(group => group !== null && group !== undefined)) ?? last
  }
  const [number] = /\d+(\.\d+)?/.exec(last ?? '') ?? []
  return number === undefined ? undefined : Number(number)
}

/** The lines of a log from its end, up to the search limit. */
async function* linesFromEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let searched = 0
  /** The beginning of a line whose end was read before. */
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([piece, rest])
    let end = bytes.length
    for (let at = bytes.lastIndexOf(10, end - 1); end > 0 && at !== -1; at = at > 0 ? bytes.lastIndexOf(10, at - 1) : -1) {
      yield textOf(bytes.subarray(at + 1, end))
      end = at
    }
    rest = bytes.subarray(0, Math.min(end, MAX_LINE))
    searched += piece.length
    if (searched >= MAX_SEARCHED) break
  }
  if (rest.length > 0) yield textOf(rest)
}

const textOf = (bytes: Buffer): string => bytes.subarray(0, MAX_LINE).toString('utf8').replace(/\r$/, '')

/**
 * The coverage in the log of a job; undefined if there is none.
 * @param ofProject the expression of its project, for a job without its own
 */
export async function coverageOf(
  ctx: Pick<Context, 'db' | 'deps'>,
  { id, options }: Pick<JobRow, 'id' | 'options'>,
  ofProject: string | null,
): Promise<number | undefined> {
  const expression = options.coverage ?? ofProject
  return expression ? coverageIn(expression, traceFromEnd(ctx, id)) : undefined
}
