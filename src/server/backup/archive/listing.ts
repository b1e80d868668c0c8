/** What a folder has of archives: of which instant each is, on which it builds, and whether those are there. Only their ends are read. */
import { buffer } from 'node:stream/consumers'
import type { Secret } from '../../../platform/secret.ts'
import { type Contents, contentsOf, type Link, layoutOf } from './contents.ts'
import { ArchiveDamaged, ArchiveLocked } from './faults.ts'
import { isEncrypted } from './frames.ts'
import { type ArchivePlace, baseName } from './places.ts'
import { ArchiveReader } from './reader.ts'

/** An archive in a folder. */
export interface Listed {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /**
   * `whole` stands alone; `chained` builds on others, which are there; `broken` lacks one of them; `locked` is encrypted, and not by the
   * passphrase that was given; `damaged` is not as it was written; `unfinished` was left by a backup that was killed, or is being written.
   */
  readonly state: 'whole' | 'chained' | 'broken' | 'locked' | 'damaged' | 'unfinished'
  /** The instant that it shows; null where it cannot be read. */
  readonly created_at: string | null
  readonly encrypted: boolean
  /** The names of those that it builds on, the oldest first, as they are called here; what is not here has the name that it had. */
  readonly builds_on: readonly string[]
  /** What is wrong with it, in words; null where nothing is. */
  readonly fault: string | null
}

/** The first bytes of what Zstandard compresses. */
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Longer than what tells archives from other files. */
const HEAD = 64

type Found = { readonly place: ArchivePlace; readonly size: number } & (
  | { readonly contents: Contents; readonly encrypted: boolean }
  | { readonly state: 'locked' | 'damaged' | 'unfinished'; readonly encrypted: boolean; readonly fault: string }
)

/** What is in a place; undefined for something else than an archive. @throws Error it cannot be read */
async function look(place: ArchivePlace, passphrase: Secret | undefined): Promise<Found | undefined> {
  const size = (await place.size()) ?? 0
  if (place.name.endsWith('.unfinished'))
    return { place, size, state: 'unfinished', encrypted: false, fault: 'a backup writes it, or was killed: then remove it' }
  const head = size === 0 ? Buffer.alloc(0) : await buffer(await place.read({ start: 0, end: Math.min(HEAD, size) - 1 }))
  const encrypted = isEncrypted(head)
  if (!encrypted && !head.subarray(0, ZSTANDARD.length).equals(ZSTANDARD)) return undefined
  const layout = await layoutOf(place)
  if (!layout)
    return encrypted || (await begins(place, passphrase))
      ? { place, size, state: 'damaged', encrypted, fault: 'it was cut off' }
      : undefined
  try {
    return { place, size, ...(await contentsOf(place, layout, passphrase)) }
  } catch (error) {
    if (error instanceof ArchiveLocked) return { place, size, state: 'locked', encrypted, fault: error.message }
    if (error instanceof ArchiveDamaged) return { place, size, state: 'damaged', encrypted, fault: error.what }
    throw error
  }
}

/** Does it begin as an archive does, also one of another form? */
async function begins(place: ArchivePlace, passphrase: Secret | undefined): Promise<boolean> {
  const reader = new ArchiveReader(await place.read(), passphrase)
  try {
    await reader.manifest()
    return true
  } catch (error) {
    // It says so where it is encrypted, or of another form.
    return error instanceof ArchiveLocked
  } finally {
    reader.close()
  }
}

/**
 * The archives among these places, the oldest first. Digests of entries are not compared: `verifyChain` does.
 * @throws Error one of them cannot be read
 */
export async function listArchives(places: readonly ArchivePlace[], passphrase: Secret | undefined): Promise<Listed[]> {
  const found: Found[] = []
  for (const place of places) {
    const each = await look(place, passphrase)
    if (each) found.push(each)
  }
  const here = new Map(found.flatMap(each => ('contents' in each ? [[each.contents.self.id, each] as const] : [])))
  const placeOf = ({ id, sha256 }: Link): ArchivePlace | undefined => {
    const there = here.get(id)
    return there?.contents.self.sha256 === sha256 ? there.place : undefined
  }
  const listed = found.map((each): Listed => {
    const { place, size, encrypted } = each
    const common = { name: baseName(place), size, encrypted }
    if (!('contents' in each)) return { ...common, state: each.state, created_at: null, builds_on: [], fault: each.fault }
    const { self, links } = each.contents
    const lacking = links.find(link => !placeOf(link))
    return {
      ...common,
      state: lacking ? 'broken' : links.length > 0 ? 'chained' : 'whole',
      created_at: self.created_at,
      builds_on: links.map(link => baseName(placeOf(link) ?? { name: link.name })),
      fault: lacking ? `it lacks ${lacking.name}, the backup of ${lacking.created_at}, on which it builds` : null,
    }
  })
  const key = ({ created_at, name }: Listed) => `${created_at ?? '~'} ${name}`
  return listed.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
