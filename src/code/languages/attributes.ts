/**
 * The lines of `.gitattributes` that may say something about some files. The library compares every line with every file: thousands of each
 * took it seconds. Pure.
 */
import { posix } from 'node:path'

/** Comparisons of a line with a file for one commit; some microseconds each. */
const COMPARISONS = 50_000

/** Lines that count for any file, however many files there are. */
const ALWAYS = 50

/** How many lines count for the files that are classified together, of a commit with so many. */
export const mostLines = (files: number): number => Math.max(ALWAYS, Math.floor(COMPARISONS / Math.max(1, files)))

/** A `.gitattributes` with its text. */
export interface AttributesFile {
  readonly path: string
  readonly text: string
}

/** What a path must have so that the pattern of a line may match it. */
type Need =
  /** A part with this name. */
  | { readonly name: string }
  /** A part with this ending, which begins with a dot. */
  | { readonly ending: string }
  /** Anything: the pattern must be tried. */
  | undefined

interface Line {
  readonly text: string
  readonly need: Need
}

/** Attributes that decide about languages. */
const RELEVANT = /linguist-|binary|text/

/** The pattern without an end that stands for all below a folder: slashes, each with two stars at most. */
function withoutBelow(pattern: string): string {
  for (let end = pattern.length; ; ) {
    let at = end
    while (pattern[at - 1] === '*' && end - at < 2) at -= 1
    if (pattern[at - 1] !== '/') return pattern.slice(0, end)
    end = at - 1
  }
}

function needOf(pattern: string): Need {
  // Names are compared in any case of letters, as the library does.
  const last = posix.basename(withoutBelow(pattern)).toLowerCase()
  if (!/[*?[\]\\!"]/.test(last)) return last === '' || last === '.' || last === '..' ? undefined : { name: last }
  const [, ending] = /^\*(\.[^*?[\]\\!"]+)$/.exec(last) ?? []
  return ending === undefined ? undefined : { ending }
}

/** The lines that decide about languages; of those with the same pattern the last one, which alone counts for the library. */
function linesOf(text: string): readonly Line[] {
  const byPattern = new Map<string, Line>()
  for (const written of text.split('\n')) {
    const line = written.replace(/#.*/, '').trim()
    const [pattern = '', ...attributes] = line.split(/\s+/)
    if (RELEVANT.test(attributes.join(' '))) byPattern.set(pattern, { text: line, need: needOf(pattern) })
  }
  return [...byPattern.values()]
}

/** The parts of paths, and their endings: `a.b.c` has `.b.c` and `.c`. */
function partsOf(paths: readonly string[]): { readonly names: ReadonlySet<string>; readonly endings: ReadonlySet<string> } {
  const names = new Set(paths.flatMap(path => path.toLowerCase().split('/')))
  const endings = new Set<string>()
  for (const name of names) for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) endings.add(name.slice(at))
  return { names, endings }
}

/** The attributes of a commit, with their lines indexed. */
export class Attributes {
  readonly #files: readonly { readonly path: string; readonly lines: readonly Line[] }[]

  constructor(files: readonly AttributesFile[]) {
    this.#files = files.map(({ path, text }) => ({ path, lines: linesOf(text) })).filter(({ lines }) => lines.length > 0)
  }

  /** Those that may say something about these paths: of their lines the first `most`. */
  about(paths: readonly string[], most: number): readonly AttributesFile[] {
    const { names, endings } = partsOf(paths)
    const mayMatch = ({ need }: Line): boolean => need === undefined || ('name' in need ? names.has(need.name) : endings.has(need.ending))
    let left = most
    return this.#files.flatMap(({ path, lines }) => {
      const found = lines.filter(mayMatch).slice(0, left)
      left -= found.length
      return found.length === 0 ? [] : [{ path, text: `${found.map(({ text }) => text).join('\n')}\n` }]
    })
  }
}
