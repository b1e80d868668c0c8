/**
 * Tables of changed lines to which nothing is added: no thread, no mark. Finding the changed words and writing ten files with some hundred lines takes
 * ten times as long as everything else about a page.
 */
import { type Html, inOnePiece } from '../../../../platform/pages/html.ts'
import type { ShownEntry } from '../load.ts'
import type { LinesOptions } from './lines_view.ts'

/** Tables of one file: as it is seen from several commits, and in both views. */
const MOST_OF_FILE = 4

/** By the highlighted lines that are in them, which are kept elsewhere, and within bounds: tables go when they do. */
const tables = new WeakMap<readonly Html[], Map<string, Html>>()

/** The table of a file's lines: the one that is kept, or what `make` makes. `options`: nothing in them is for one reader alone. */
export function keptTable(entry: ShownEntry, options: LinesOptions, make: () => Html): Html {
  const [before, after] = entry.sides
  const lines = after.lines ?? before.lines
  if (!lines) return make()
  const ofFile = tables.get(lines) ?? new Map<string, Html>()
  tables.set(lines, ofFile)
  const name = nameOf(entry, options)
  const known = ofFile.get(name)
  if (known) return known
  const made = inOnePiece(make())
  if (ofFile.size >= MOST_OF_FILE) ofFile.clear()
  ofFile.set(name, made)
  return made
}

/** All that a table depends on: contents are named by their ids. */
function nameOf({ ids, a_mode, b_mode, diff, sides: [before, after] }: ShownEntry, { path, look, expansion }: LinesOptions): string {
  const read = [before.lines !== undefined, before.count, after.lines !== undefined, after.count]
  return JSON.stringify([ids, a_mode, b_mode, diff.length, read, path, look.view, look.ignoresWhitespace, expansion])
}
