/** What a binary package says of itself: its control file in an archive in an archive (deb(5)). */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '../../../../platform/object_store/store.ts'
import { type Compression, fileOfTar, UnfitArchive } from '../../archived.ts'
import { type Fields, MOST_CONTROL, parseControl, UnfitControl } from './control.ts'

/** A stored file. */
export interface StoredFile {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

const MAGIC = '!<arch>\n'
const HEADER = 60

/** Members that are looked at for the control file, and bytes that the one with it may have. */
const MOST_MEMBERS = 6
const MOST_CONTROL_TAR = 4 * 1024 * 1024

/** Bytes of the tar in which the control file begins: checksums and scripts of very large packages may stand before it. */
const WITHIN = 16 * 1024 * 1024

interface Member {
  readonly name: string
  readonly start: number
  readonly size: number
  /** Where the next one begins. */
  readonly next: number
}

/** Bytes of a package, as far as they are there. */
interface Bytes {
  part(start: number, length: number): Promise<Buffer>
  /** How many are there, of how many. */
  readonly present: number
  readonly size: number
}

/** The control file of a binary package. @throws UnfitArchive or UnfitControl for what is none; errors of the store */
export const readDeb = (objects: ObjectStore, { key, size }: StoredFile): Promise<Fields> =>
  readControl({
    part: async (start, length) =>
      length === 0 || start + length > size ? Buffer.alloc(0) : buffer(await objects.read(key, { start, end: start + length - 1 })),
    present: size,
    size,
  })

/** The same of a package of which the beginning has come. @throws UnfitArchive where the control file has not */
export const readBeginningOfDeb = (beginning: Buffer): Promise<Fields> =>
  readControl({
    part: async (start, length) => beginning.subarray(start, start + length),
    present: beginning.length,
    size: Number.POSITIVE_INFINITY,
  })

async function readControl(bytes: Bytes): Promise<Fields> {
  const { part } = bytes
  if ((await part(0, MAGIC.length)).toString('latin1') !== MAGIC) throw new UnfitArchive('it is no archive of ar')
  const [format, control] = await membersOf(bytes)
  if (!/^2\.\d+\n/.test((await part(format.start, Math.min(format.size, 16))).toString('latin1')))
    throw new UnfitArchive('its format is not 2.0')
  const tar = await part(control.start, control.size)
  const file = await fileOfTar(Readable.from([tar]), {
    compression: compressionOf(control.name),
    isWanted: name => /^(\.\/)?control$/.test(name),
    size: MOST_CONTROL,
    within: WITHIN,
  })
  if (!file) throw new UnfitArchive('it has no control file')
  return parseControl(file.toString('utf8'))
}

/** The member that says the format, and the one with the control file. The rest must be there as long as it says to be. */
async function membersOf({ part, present, size }: Bytes): Promise<[Member, Member]> {
  const members: Member[] = []
  for (let at = MAGIC.length; at < present && members.length < MOST_MEMBERS; ) {
    const member = memberIn(await part(at, HEADER), at)
    if (!member || member.start + member.size > size) throw new UnfitArchive('it ends early')
    members.push(member)
    at = member.next
  }
  const [format, ...others] = members
  const control = others.find(({ name }) => name.startsWith('control.tar'))
  const data = others.find(({ name }) => name.startsWith('data.tar'))
  if (format?.name !== 'debian-binary' || !control || !data) throw new UnfitArchive('it has not the members of a package')
  if (control.size > MOST_CONTROL_TAR) throw new UnfitArchive('its control archive is too large')
  return [format, control]
}

function memberIn(header: Buffer, at: number): Member | undefined {
  const text = header.toString('latin1')
  const length = /^\d{1,10} *$/.exec(text.slice(48, 58))
  if (!length || text.slice(58) !== '`\n') return undefined
  const start = at + HEADER
  const size = Number(length[0])
  return { name: text.slice(0, 16).trimEnd().replace(/\/$/, ''), start, size, next: start + size + (size % 2) }
}

const compressions: Readonly<Record<string, Compression | undefined>> = {
  'control.tar': undefined,
  'control.tar.gz': 'gzip',
  'control.tar.xz': 'xz',
  'control.tar.zst': 'zstd',
}

function compressionOf(name: string): Compression | undefined {
  if (!Object.hasOwn(compressions, name)) throw new UnfitArchive(`its control archive is ${name}`)
  return compressions[name]
}

/** The sentence about what cannot be read; undefined for other errors. */
export const unfitReason = (error: unknown): string | undefined =>
  error instanceof UnfitArchive || error instanceof UnfitControl ? error.message : undefined
