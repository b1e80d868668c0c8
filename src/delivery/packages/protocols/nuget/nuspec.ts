/** What a package of NuGet says of itself: the `.nuspec` at the top of its zip (NuGet's documentation, ".nuspec reference"). */
import { promisify, type TextDecoder } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { contentsOf, findEntry, isReadable, listFolder, UnfitZip } from '../../../../ci/artifacts/zip/index.ts'
import { decoderFor } from '../../../../ci/reports/xml_text.ts'
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import type { ObjectStore } from '../../../../platform/object_store/store.ts'
import { isKeepable, unfitPackage } from '../shared/published.ts'
import { normalizedVersion } from './versions.ts'

/** A package that another one needs. */
export interface Dependency {
  readonly name: string
  /** A version or a range of versions; undefined for any. */
  readonly range?: string
  /** Only for programs of this framework; undefined for all. */
  readonly target_framework?: string
}

/** What is kept of a `.nuspec`. */
export interface Nuspec {
  readonly id: string
  readonly version: string
  readonly authors: string
  readonly description: string
  readonly tags: string
  readonly project_url?: string
  readonly license_url?: string
  readonly icon_url?: string
  readonly dependencies: readonly Dependency[]
}

/** Bytes of the file, and of what is kept of it as JSON. */
const MOST = 1024 * 1024
const MOST_KEPT = 64 * 1024
/** Characters of an author, a description or an address, as the public registry of NuGet has them. */
const MOST_TEXT = 4_000
/** Elements within each other, and those whose paths mean something. */
const MOST_LEVELS = 32
const LEVELS_READ = 5
/** Characters of the name of an element: its path is looked at with each element within it. */
const MOST_NAME = 200
/** Bytes that are read in one piece: with an element every few bytes they take some milliseconds. */
const SLICE = 16 * 1024
/** Entries at the top of a package. */
const MOST_ENTRIES = 1_000

/** At the top of a package. */
const NUSPEC = /^[^/\\]+\.nuspec$/i

const NAME = /^[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)*$/

/** What the package in an object says of itself. @throws Refusal 400 for what is no package */
export async function readNuspec(objects: ObjectStore, object: { readonly key: string; readonly size: number }): Promise<Nuspec> {
  try {
    const { entries } = await listFolder(objects, object, '', MOST_ENTRIES)
    const listed = entries.find(({ name, size }) => size !== undefined && NUSPEC.test(name))
    if (!listed) throw unfitPackage('nuspec file not found')
    const entry = await findEntry(objects, object, listed.name)
    if (!entry || !isReadable(entry)) throw unfitPackage('nuspec file cannot be read')
    // Of the file that is read: a name that is no UTF-8 is listed as another one.
    if (entry.record.size > MOST) throw unfitPackage('nuspec file too big')
    return checked(await parsed(await contentsOf(entry)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The bytes come from a publisher: a zip that lies, or a packed file that cannot be unpacked.
    if (error instanceof UnfitZip || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw unfitPackage('the file is no package')
    throw error
  }
}

/** The beginning of the entry of a file in a zip (APPNOTE 4.3.7), and where its parts are. */
const ENTRY = 0x04034b50
const ENTRY_SIZE = 30
const HAS_SIZES_LATER = 0x08

/**
 * What a package says of itself by the first bytes of its zip; undefined where the `.nuspec` does not stand there as a whole.
 * @throws Refusal 400 for one that is unfit
 */
export async function nuspecAtBeginning(beginning: Buffer): Promise<Nuspec | undefined> {
  for (let at = 0; at + ENTRY_SIZE <= beginning.length && beginning.readUInt32LE(at) === ENTRY; ) {
    if ((beginning.readUInt16LE(at + 6) & HAS_SIZES_LATER) !== 0) return undefined
    const method = beginning.readUInt16LE(at + 8)
    const nameEnd = at + ENTRY_SIZE + beginning.readUInt16LE(at + 26)
    const start = nameEnd + beginning.readUInt16LE(at + 28)
    const end = start + beginning.readUInt32LE(at + 18)
    if (NUSPEC.test(beginning.toString('utf8', at + ENTRY_SIZE, nameEnd)))
      return end <= beginning.length ? checked(await parsed(unpacked(method, beginning.subarray(start, end)))) : undefined
    at = end
  }
  return undefined
}

async function* unpacked(method: number, packed: Buffer): AsyncGenerator<Buffer> {
  if (method !== 0 && method !== 8) throw unfitPackage('nuspec file cannot be read')
  try {
    yield method === 0 ? packed : await promisify(inflateRaw)(packed, { maxOutputLength: MOST })
  } catch {
    throw unfitPackage('nuspec file cannot be read')
  }
}

function checked(nuspec: Nuspec): Nuspec {
  if (nuspec.id.length > 100 || !NAME.test(nuspec.id)) throw unfitPackage('Name is invalid')
  if (normalizedVersion(nuspec.version) === undefined) throw unfitPackage('Version is invalid')
  const { dependencies, ...texts } = nuspec
  const [tooLong] = Object.entries(texts).find(([, text]) => text.length > MOST_TEXT) ?? []
  if (tooLong !== undefined) throw unfitPackage(`${tooLong} is too long (maximum is ${MOST_TEXT} characters)`)
  if (!isKeepable(nuspec, MOST_KEPT)) throw unfitPackage('nuspec file cannot be kept')
  return nuspec
}

async function parsed(pieces: AsyncIterable<Buffer>): Promise<Nuspec> {
  const reading = new Reading()
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw unfitPackage(`nuspec file is no XML: ${error.message.slice(0, 200)}`)
  })
  parser.on('opentag', tag => reading.open(tag))
  parser.on('closetag', () => reading.close())
  parser.on('text', text => reading.say(text))
  parser.on('cdata', text => reading.say(text))
  let decoder: TextDecoder | undefined
  const pause = breather()
  for await (const piece of pieces) {
    decoder ??= decoderFor(piece)
    for (let at = 0; at < piece.length; at += SLICE) {
      await pause()
      parser.write(decoder.decode(piece.subarray(at, at + SLICE), { stream: true }))
    }
  }
  parser.write(decoder?.decode() ?? '').close()
  return reading.nuspec()
}

/** The state of the parser within a document. */
class Reading {
  /** The names of the open elements. */
  readonly #path: string[] = []
  readonly #texts = new Map<string, string>()
  readonly #dependencies: Dependency[] = []
  #framework: string | undefined

  open({ name, attributes }: SaxesTagPlain): void {
    if (this.#path.length === MOST_LEVELS) throw unfitPackage('elements of the nuspec file are nested too deeply')
    if (name.length > MOST_NAME) throw unfitPackage('elements of the nuspec file have too long names')
    this.#path.push(name.slice(name.indexOf(':') + 1))
    if (this.#path.length > LEVELS_READ) return
    const path = this.#path.join('/')
    if (path === 'package/metadata/dependencies/group') this.#framework = attributes.targetFramework || undefined
    if (!/^package\/metadata\/dependencies\/(group\/)?dependency$/.test(path) || !attributes.id) return
    this.#dependencies.push({
      name: attributes.id,
      ...(attributes.version && { range: attributes.version }),
      ...(this.#framework !== undefined && this.#path.length === 5 && { target_framework: this.#framework }),
    })
  }

  close(): void {
    this.#path.pop()
  }

  say(text: string): void {
    const [root, parent, name, ...deeper] = this.#path
    if (root !== 'package' || parent !== 'metadata' || name === undefined || deeper.length > 0) return
    this.#texts.set(name, (this.#texts.get(name) ?? '') + text)
  }

  nuspec(): Nuspec {
    const textOf = (name: string) => (this.#texts.get(name) ?? '').trim()
    const address = (key: 'project_url' | 'license_url' | 'icon_url', name: string) => (textOf(name) === '' ? {} : { [key]: textOf(name) })
    return {
      id: textOf('id'),
      version: textOf('version'),
      authors: textOf('authors'),
      description: textOf('description'),
      tags: textOf('tags').split(/\s+/).join(' '),
      ...address('project_url', 'projectUrl'),
      ...address('license_url', 'licenseUrl'),
      ...address('icon_url', 'iconUrl'),
      dependencies: this.#dependencies,
    }
  }
}
