/** A streaming reader of Cobertura XML: which lines of which files ran (`artifacts:reports:cobertura` at 14.0). */

import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { withoutEndingSlashes } from '../../../platform/patterns/slashes.ts'
import { UnfitReport } from '../junit.ts'
import { decoderFor } from '../xml_text.ts'
import { LONGEST_PATH } from './code_quality.ts'

/** The lines of a file that can run, with how often each did. */
export type CoveredLines = ReadonlyMap<number, number>

/** What a report says. */
export interface Coverage {
  /** By the names that the report has for files. */
  readonly files: ReadonlyMap<string, CoveredLines>
  /** The folders that the names are within, as the report has them. */
  readonly sources: readonly string[]
}

/** Limits of a report: files, lines of all of them, and sources. */
const MAX_FILES = 100_000
const MAX_LINES = 1_000_000
const MAX_SOURCES = 20
const MAX_DEPTH = 64
const MOST_HITS = 2 ** 31 - 1

const tooLarge = () => new UnfitReport('The coverage report is too large')

/** Reads several files one after the other; of a line that several name, the hits are added up. */
export class CoverageReader implements Coverage {
  readonly files = new Map<string, Map<number, number>>()
  readonly sources: string[] = []
  #lines = 0

  /** Parses one file. @throws UnfitReport */
  async read(pieces: AsyncIterable<Buffer>): Promise<void> {
    const parser = new SaxesParser()
    const path: string[] = []
    let file: Map<number, number> | undefined
    let source = ''
    parser.on('error', error => {
      throw new UnfitReport(`The coverage report is no XML: ${error.message}`)
    })
    parser.on('doctype', () => {})
    parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
      if (path.length === MAX_DEPTH) throw new UnfitReport('The coverage report is nested too deeply')
      if (name === 'class') file = this.#fileNamed(attributes.filename ?? '')
      // The lines of methods stand among those of their class too.
      if (name === 'line' && path.at(-1) === 'lines' && path.at(-2) === 'class' && file) this.#add(file, attributes)
      path.push(name)
      source = ''
    })
    parser.on('closetag', ({ name }) => {
      path.pop()
      if (name === 'class') file = undefined
      if (name === 'source' && this.sources.length < MAX_SOURCES && source.trim() !== '') this.sources.push(source.trim())
    })
    parser.on('text', text => {
      if (path.at(-1) === 'source' && source.length < LONGEST_PATH) source += text.slice(0, LONGEST_PATH)
    })
    let decoder: ReturnType<typeof decoderFor> | undefined
    for await (const piece of pieces) {
      if (piece.length === 0) continue
      decoder ??= decoderFor(piece)
      parser.write(decoder.decode(piece, { stream: true }))
    }
    if (decoder) parser.write(decoder.decode()).close()
  }

  #fileNamed(name: string): Map<number, number> | undefined {
    // What is longer is no path of a repository that the database could keep.
    if (name === '' || name.length > LONGEST_PATH) return undefined
    const known = this.files.get(name)
    if (known) return known
    if (this.files.size === MAX_FILES) throw tooLarge()
    const file = new Map<number, number>()
    this.files.set(name, file)
    return file
  }

  #add(file: Map<number, number>, attributes: Readonly<Record<string, string>>): void {
    const [line, hits] = [Number(attributes.number), Number(attributes.hits)]
    if (!Number.isInteger(line) || line < 1 || line > MOST_HITS || !Number.isInteger(hits) || hits < 0) return
    const before = file.get(line)
    if (before === undefined && ++this.#lines > MAX_LINES) throw tooLarge()
    file.set(line, Math.min(MOST_HITS, (before ?? 0) + hits))
  }
}

/**
 * The files of a report by their paths in the repository. A name is a path already, or begins within one of the sources: those are paths on the
 * machine of the runner, whose part after the project's own path is a folder of the repository. Pure.
 * @param isFile whether the repository has a file; asked only where several folders come into question
 */
export function pathsIn({ files, sources }: Coverage, projectPath: string, isFile: (path: string) => boolean): Map<string, CoveredLines> {
  const within = (absolute: string): string | undefined => {
    const [, rest] = `${absolute}/`.split(`/${projectPath}/`, 2)
    return rest === undefined ? undefined : withoutEndingSlashes(rest)
  }
  const folders = [...new Set(['', ...sources.flatMap(source => within(source) ?? [])])]
  const found = new Map<string, Map<number, number>>()
  for (const [name, lines] of files) {
    const relative = (name.startsWith('/') ? within(name) : name)?.replace(/^(\.\/)+/, '')
    if (!relative) continue
    const candidates = name.startsWith('/') ? [relative] : folders.map(folder => (folder === '' ? relative : `${folder}/${relative}`))
    const path = candidates.length === 1 ? candidates[0] : candidates.find(isFile)
    if (path === undefined || path.length > LONGEST_PATH) continue
    const known = found.get(path)
    if (!known) found.set(path, new Map(lines))
    else for (const [line, hits] of lines) known.set(line, Math.min(MOST_HITS, (known.get(line) ?? 0) + hits))
  }
  return found
}
