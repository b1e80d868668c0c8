/**
 * What an archive shows, and in which archive each part of it is: in this one, or in one of those that it builds on (its links). It stands behind
 * the entries, so that a backup that builds on this one reads it without them:
 *
 *     entries (format.ts) | contents | digest and length of the contents, mark
 *
 * Contents are lines of JSON, compressed, and encrypted with a salt of their own. They and what follows are a frame that programs for Zstandard skip.
 * The contents have the digest of the entries' end, so that neither can be exchanged; the digest behind them finds damage where nothing is encrypted.
 */
import { createHash } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Secret } from '../../../platform/secret.ts'
import { ArchiveDamaged } from './faults.ts'
import { decrypting, encrypting, isEncrypted } from './frames.ts'
import type { ArchivePlace } from './places.ts'

/** An archive, as those that build on it name it. */
export interface Link {
  readonly id: string
  /** Of the file or object when it was built on, without folders. */
  readonly name: string
  readonly created_at: string
  /** Of its last entry: a digest over all the others. */
  readonly sha256: string
}

/** Where some rows of a table are: the digest of their text, the number of the archive among the links, and that of the part. */
export type RowPart = readonly [sha256: string, link: number, part: number]

export interface TableContents {
  /** Parts are rows of these columns in this order. */
  readonly columns: readonly string[]
  /** A part may stand here more than once, for rows that are there more than once. */
  readonly parts: readonly RowPart[]
}

export interface RepositoryContents {
  /** The branch of HEAD. */
  readonly head: string
  readonly refs: readonly (readonly [ref: string, id: string])[]
  /** The archives that have a pack of it, in the order in which they are needed. */
  readonly packs: readonly number[]
}

/** What an archive shows. Numbers of archives are places in `links`, from 0; the archive itself has the next number. */
export interface Contents {
  readonly self: Omit<Link, 'name'>
  /** Digests of the keys of the instance. */
  readonly keys: readonly string[]
  /** The archives that it builds on, the oldest first. */
  readonly links: readonly Link[]
  /** By `public.users`. */
  readonly tables: ReadonlyMap<string, TableContents>
  /** By their names in archives (`repositoryName`). */
  readonly repositories: ReadonlyMap<string, RepositoryContents>
  /** The archive that has the object, by its key. */
  readonly objects: ReadonlyMap<string, number>
}

type Line =
  | Pick<Contents, 'self' | 'keys' | 'links'>
  | ({ readonly table: string } & TableContents)
  | ({ readonly repository: string } & RepositoryContents)
  | { readonly objects: readonly (readonly [key: string, link: number])[] }

/** Objects of a line. */
const OBJECTS = 500

const MARK = Buffer.from('ingot-contents-1\n')
/** The beginning of a frame that is skipped, and its length. */
const SKIPPED = 0x184d2a50
const HEADER = 8
const DIGEST = 32
const FOOTER = DIGEST + 4 + MARK.length

function* linesOf({ self, keys, links, tables, repositories, objects }: Contents): Generator<string, void, void> {
  const line = (content: Line) => `${JSON.stringify(content)}\n`
  yield line({ self, keys, links })
  for (const [table, content] of tables) yield line({ table, ...content })
  for (const [repository, content] of repositories) yield line({ repository, ...content })
  let some: [string, number][] = []
  for (const object of objects) {
    if (some.push(object) < OBJECTS) continue
    yield line({ objects: some })
    some = []
  }
  if (some.length > 0) yield line({ objects: some })
}

/** The bytes that follow the entries of an archive. */
export async function tailOf(contents: Contents, passphrase: Secret | undefined): Promise<Buffer> {
  const stages = [createZstdCompress(), ...(passphrase ? [await encrypting(passphrase)] : [])]
  const bytes = await through(Readable.from(linesOf(contents)), stages, source => buffer(source))
  const tail = Buffer.alloc(HEADER + bytes.length + FOOTER)
  tail.writeUInt32LE(SKIPPED)
  tail.writeUInt32LE(bytes.length + FOOTER, 4)
  let at = HEADER
  at += bytes.copy(tail, at)
  at += createHash('sha256').update(bytes).digest().copy(tail, at)
  at = tail.writeUInt32LE(bytes.length, at)
  MARK.copy(tail, at)
  return tail
}

/** Which bytes of an archive are what. */
export interface Layout {
  /** Bytes of the entries. */
  readonly entries: number
  readonly contents: { readonly length: number; readonly sha256: string }
}

/** Undefined where an archive has no contents: it was cut off, or is none. */
export async function layoutOf(place: ArchivePlace): Promise<Layout | undefined> {
  const size = (await place.size()) ?? 0
  if (size < HEADER + FOOTER) return undefined
  const footer = await buffer(await place.read({ start: size - FOOTER, end: size - 1 }))
  const length = footer.length === FOOTER ? footer.readUInt32LE(DIGEST) : size
  const entries = size - HEADER - length - FOOTER
  if (!footer.subarray(DIGEST + 4).equals(MARK) || entries <= 0) return undefined
  return { entries, contents: { length, sha256: footer.subarray(0, DIGEST).toString('hex') } }
}

/**
 * What an archive shows.
 * @throws ArchiveDamaged, ArchiveLocked
 */
export async function contentsOf(
  place: ArchivePlace,
  layout: Layout,
  passphrase: Secret | undefined,
): Promise<{ readonly contents: Contents; readonly encrypted: boolean }> {
  const start = layout.entries + HEADER
  const bytes = await buffer(await place.read({ start, end: start + layout.contents.length - 1 }))
  if (createHash('sha256').update(bytes).digest('hex') !== layout.contents.sha256) throw new ArchiveDamaged('its contents were changed')
  const contents = await through(Readable.from([bytes]), [decrypting(passphrase), createZstdDecompress()], read)
  return { contents, encrypted: isEncrypted(bytes) }
}

async function read(source: AsyncIterable<Buffer>): Promise<Contents> {
  let head: Pick<Contents, 'self' | 'keys' | 'links'> | undefined
  const [tables, repositories, objects] = [
    new Map<string, TableContents>(),
    new Map<string, RepositoryContents>(),
    new Map<string, number>(),
  ]
  for await (const text of linesIn(source)) {
    const line = JSON.parse(text) as Line
    if ('self' in line) head = line
    else if ('table' in line) tables.set(line.table, { columns: line.columns, parts: line.parts })
    else if ('repository' in line) repositories.set(line.repository, { head: line.head, refs: line.refs, packs: line.packs })
    else for (const [key, link] of line.objects) objects.set(key, link)
  }
  if (!head) throw new ArchiveDamaged('its contents are empty')
  return { ...head, tables, repositories, objects }
}

async function* linesIn(source: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  let begun: Buffer[] = []
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8')
      begun = []
      start = end + 1
    }
    begun.push(chunk.subarray(start))
  }
}

/** What `last` makes of the source, after all stages. */
const through = <T>(source: Readable, stages: readonly Transform[], last: (source: AsyncIterable<Buffer>) => Promise<T>): Promise<T> =>
  pipeline([source, ...stages, last] as never) as unknown as Promise<T>
