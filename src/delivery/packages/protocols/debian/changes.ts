/** Lists of files: descriptions of uploads and of source packages (Debian Policy, sections 5.4, 5.5 and 5.6.21). Pure. */
import { type Fields, fieldOf, linesOf, UnfitControl } from './control.ts'
import { isPackageName, isVersion, kindOf } from './names.ts'

/** A file as a list names it. */
export interface ListedFile {
  readonly name: string
  readonly size: number
  /** Hexadecimal. */
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  /** Of uploads: where it belongs, `utils` or `contrib/utils`. */
  readonly section: string
}

/** Files that a list may name. */
const MOST_LISTED = 1_000

/** The name of a source package and its version, where a field says it: `thing (1.0)`. */
export interface Source {
  readonly name: string
  readonly version: string
}

/** What an upload consists of. */
export interface Changes {
  readonly source: Source
  /** Codename or suite. */
  readonly distribution: string
  readonly files: readonly ListedFile[]
}

/** The upload that a `.changes` describes. @throws UnfitControl */
export function changesIn(fields: Fields): Changes {
  const distribution = fieldOf(fields, 'Distribution')
  if (distribution === undefined || !/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(distribution)) throw new UnfitControl('Distribution is invalid')
  return { source: sourceIn(fields, fieldOf(fields, 'Source')), distribution, files: filesIn(fields) }
}

/**
 * The source package that a binary package or an upload is of.
 * @param said what says its name; the version of it is that of the binary package unless it is said too
 * @throws UnfitControl
 */
export function sourceIn(fields: Fields, said: string | undefined): Source {
  const [, name = '', version = fieldOf(fields, 'Version') ?? ''] = /^([^\s(]+)(?:\s*\(([^)\s]+)\))?$/.exec(said ?? '') ?? []
  if (!isPackageName(name)) throw new UnfitControl('the name of its source is invalid')
  if (!isVersion(version)) throw new UnfitControl('Version is invalid')
  return { name, version }
}

/** The files that a description names, with all of their digests. @throws UnfitControl */
export function filesIn(fields: Fields): ListedFile[] {
  const [sha1, sha256] = ['Checksums-Sha1', 'Checksums-Sha256'].map(name => digestsIn(fieldOf(fields, name)))
  const lines = linesOf(fieldOf(fields, 'Files'))
  if (lines.length === 0 || lines.length > MOST_LISTED) throw new UnfitControl('it names no files, or too many')
  const files = lines.map(line => {
    const words = line.split(/\s+/)
    const [md5 = '', size = '', section = ''] = words
    const name = words.at(-1) as string
    const [one, two] = [sha1?.get(name), sha256?.get(name)]
    if (!/^[0-9a-f]{32}$/.test(md5) || !/^\d{1,12}$/.test(size) || kindOf(name) === undefined || !one || !two)
      throw new UnfitControl(`it says too little of ${name}`)
    return { name, size: Number(size), md5, sha1: one, sha256: two, section: words.length > 3 ? section : '' }
  })
  if (new Set(files.map(({ name }) => name)).size < files.length) throw new UnfitControl('it names a file twice')
  return files
}

/** The digests of a field, by the names of the files. */
const digestsIn = (value: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    linesOf(value).flatMap(line => {
      const [digest = '', , name = ''] = line.split(/\s+/)
      return /^[0-9a-f]{40,64}$/.test(digest) ? [[name, digest] as const] : []
    }),
  )
