/** The texts of the indexes of a distribution (Debian's documentation of the format of repositories). Pure. */
import type { ListedFile } from './changes.ts'
import { type Fields, fieldOf, writeControl } from './control.ts'
import { letterOf } from './names.ts'

/** What is kept of a file besides its bytes and its name. */
export interface FileMetadata {
  readonly kind: string
  readonly component?: string
  readonly architecture?: string
  /** Of binary packages and descriptions of source packages. */
  readonly fields?: readonly (readonly [string, string])[]
  /** Of descriptions of source packages: the files besides the description. */
  readonly files?: readonly ListedFile[]
}

/** A file that a distribution lists, without what it says of itself. */
export interface ListedInIndex {
  readonly id: number
  readonly file_name: string
  readonly size: number
  readonly file_md5: string | null
  readonly file_sha1: string | null
  readonly file_sha256: string
  readonly kind: string | null
  readonly component: string | null
  readonly architecture: string | null
  /** Of its source package. */
  readonly name: string
  readonly version: string
  readonly project_id: number
}

/** The same with what it says. */
export interface IndexedFile extends ListedInIndex {
  readonly metadata: FileMetadata
}

/** What the texts need to know of a distribution. */
export interface Described {
  readonly codename: string
  readonly suite: string | null
  readonly origin: string | null
  readonly label: string | null
  readonly version: string | null
  readonly description: string | null
  readonly valid_time_duration_seconds: number | null
  readonly components: readonly string[]
  readonly architectures: readonly string[]
  /** The addresses in the pool say the project: packages are of several. */
  readonly isOfGroup: boolean
}

/** The folder of a source package in the pool. */
const folderOf = ({ codename, isOfGroup }: Described, { name, version, project_id }: ListedInIndex): string =>
  ['pool', codename, ...(isOfGroup ? [project_id] : []), letterOf(name), name, version].join('/')

/** Fields that the index says itself, whatever a control file says. */
const ownFields = new Set([
  'filename',
  'size',
  'md5sum',
  'sha1',
  'sha256',
  'sha512',
  'directory',
  'files',
  'checksums-sha1',
  'checksums-sha256',
  'checksums-sha512',
])

const without = (fields: Fields, ...names: readonly string[]) =>
  [...fields].filter(([name]) => !ownFields.has(name.toLowerCase()) && !names.includes(name.toLowerCase()))

const fieldsOf = ({ metadata }: IndexedFile): Fields => new Map(metadata.fields ?? [])

function packageText(distribution: Described, file: IndexedFile): string {
  const fields = fieldsOf(file)
  return writeControl([
    ['Package', fieldOf(fields, 'Package') ?? ''],
    ...without(fields, 'package'),
    ['Filename', `${folderOf(distribution, file)}/${file.file_name}`],
    ['Size', String(file.size)],
    ['MD5sum', file.file_md5 ?? ''],
    ['SHA256', file.file_sha256],
  ])
}

function sourceText(distribution: Described, file: IndexedFile): string {
  const fields = fieldsOf(file)
  const { file_name: name, size, file_md5, file_sha1, file_sha256 } = file
  const itself = { name, size, md5: file_md5 ?? '', sha1: file_sha1 ?? '', sha256: file_sha256 }
  const files = [itself, ...(file.metadata.files ?? [])]
  const list = (digest: 'md5' | 'sha1' | 'sha256') => files.map(listed => `\n ${listed[digest]} ${listed.size} ${listed.name}`).join('')
  return writeControl([
    ['Package', file.name],
    ...without(fields, 'source'),
    ['Directory', folderOf(distribution, file)],
    ['Files', list('md5')],
    ['Checksums-Sha1', list('sha1')],
    ['Checksums-Sha256', list('sha256')],
  ])
}

/** The files of each index of a distribution, by its path below the folder of that. */
export function filesOfIndexes({ components, architectures }: Described, files: readonly ListedInIndex[]): Map<string, ListedInIndex[]> {
  const folders = components.flatMap(component => [
    ...architectures.flatMap(architecture => [
      `${component}/binary-${architecture}/Packages`,
      `${component}/debian-installer/binary-${architecture}/Packages`,
    ]),
    `${component}/source/Sources`,
  ])
  const indexes = new Map<string, ListedInIndex[]>(folders.map(path => [path, []]))
  for (const file of files) {
    const { kind, component, architecture } = file
    const folder = kind === 'dsc' ? 'source' : `${kind === 'udeb' ? 'debian-installer/' : ''}binary-${architecture}`
    indexes.get(`${component}/${folder}/${kind === 'dsc' ? 'Sources' : 'Packages'}`)?.push(file)
  }
  return indexes
}

/** Characters of a piece of an index. */
const PIECE = 64 * 1024

/** The text of an index, in pieces: it may be long. @param files those of the index, few at a time */
export async function* indexText(distribution: Described, files: AsyncIterable<readonly IndexedFile[]>): AsyncGenerator<string> {
  let piece = ''
  let isFirst = true
  for await (const some of files)
    for (const file of some) {
      piece += `${isFirst ? '' : '\n'}${file.kind === 'dsc' ? sourceText(distribution, file) : packageText(distribution, file)}`
      isFirst = false
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
  if (piece !== '') yield piece
}

/** An index as the text of the whole names it. */
export interface Summed {
  readonly path: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The text that names all indexes with their digests, which is signed. */
export function releaseText(distribution: Described, indexes: readonly Summed[], now: Date): string {
  const { valid_time_duration_seconds: validity, description } = distribution
  return writeControl(
    [
      ['Origin', distribution.origin ?? ''],
      ['Label', distribution.label ?? ''],
      ['Suite', distribution.suite ?? ''],
      ['Version', distribution.version ?? ''],
      ['Codename', distribution.codename],
      ['Date', written(now)],
      ['Valid-Until', validity === null ? '' : written(new Date(now.getTime() + validity * 1000))],
      ['Acquire-By-Hash', 'yes'],
      ['Architectures', distribution.architectures.join(' ')],
      ['Components', distribution.components.join(' ')],
      ['Description', description === null ? '' : folded(description)],
      ['SHA256', indexes.map(({ path, size, sha256 }) => `\n ${sha256} ${size} ${path}`).join('')],
    ].filter((field): field is [string, string] => field[1] !== ''),
  )
}

/** `Fri, 27 Nov 2026 00:00:00 UTC`. */
const written = (time: Date) => time.toUTCString().replace('GMT', 'UTC')

/** A text of several lines as the value of a field: each further line begins with a space, and none is empty. */
function folded(text: string): string {
  const lines = text
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .trim()
    .split('\n')
    .map(line => line.trim())
  return lines.map((line, at) => (at === 0 ? line : ` ${line || '.'}`)).join('\n')
}
