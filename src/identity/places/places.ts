/**
 * Where an address is: the city or country that a file of the operator says (`INGOT_PLACES_FILE`, in the form of MaxMind's databases). Nothing is
 * asked of another machine. The file is read when a place is first asked for, and again when it has changed.
 */
import { readFile, stat } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import type { CityResponse, Reader } from 'mmdb-lib'
import type { Language } from '../../platform/access/preferences.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { Words } from '../../platform/mail/words/words.ts'

/** Where an address is. */
export type Place =
  /** It is not of the internet: this machine, or a network behind the same router. */
  | 'here'
  | {
      /** Names of the city by language (`en`, `de`, `pt-BR`), where the file knows cities. */
      readonly city: Readonly<Record<string, string>> | undefined
      /** The code of ISO 3166-1, `DE`; undefined where the file has only the city. */
      readonly country: string | undefined
    }

/** An address, and where it is as far as that is known. */
export interface LocatedAddress {
  readonly ip: string
  readonly place: Place | undefined
}

/** What files in this form say of a network: MaxMind's own and DB-IP's, and those that have a code alone. */
type Entry = Pick<CityResponse, 'city' | 'country' | 'registered_country'> & { readonly country_code?: string }

/** The file that was read last, as it was then; that it was no such file is kept, too. */
let kept: { readonly version: string; readonly reader: Promise<Reader<CityResponse>> } | undefined

/** Ranges of addresses that are not of the internet. */
const local = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** Longest name that is shown. */
const LONGEST = 80

/** The address with its place. A file that cannot be read is logged, and says nothing. */
export async function located({ config, log }: Pick<Deps, 'config' | 'log'>, ip: string): Promise<LocatedAddress> {
  try {
    return { ip, place: await placeOf(config.placesFile, ip) }
  } catch (error) {
    log.warn({ err: error }, 'INGOT_PLACES_FILE cannot be read')
    return { ip, place: undefined }
  }
}

/**
 * Where an address is; undefined where that is not known, or no file is given.
 * @throws Error where the file cannot be read, or is no such database
 */
export async function placeOf(file: string | undefined, address: string): Promise<Place | undefined> {
  if (!ipaddr.isValid(address)) return undefined
  // IPv4 may be written within IPv6, as a socket that takes both has it.
  const parsed = ipaddr.process(address)
  if (local.has(parsed.range())) return 'here'
  if (file === undefined) return undefined
  const reader = await readerOf(file)
  // A file of IPv4 alone says nothing of others.
  if (parsed.kind() === 'ipv6' && reader.metadata.ipVersion === 4) return undefined
  const found = reader.get(parsed.toString()) as Entry | null
  if (found === null || typeof found !== 'object') return undefined
  const code = found.country?.iso_code ?? found.country_code ?? found.registered_country?.iso_code
  const country = typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined
  const city = typeof found.city?.names === 'object' ? (found.city.names as unknown as Readonly<Record<string, string>>) : undefined
  return country === undefined && city === undefined ? undefined : { city, country }
}

/** What the file is: its kind and the day on which it was made. @throws Error where it cannot be read, or is no such database */
export async function describePlaces(file: string): Promise<{ readonly type: string; readonly madeAt: Date }> {
  const { databaseType, buildEpoch } = (await readerOf(file)).metadata
  return { type: databaseType, madeAt: buildEpoch }
}

/** The file as it is now, read once for all who ask. */
async function readerOf(file: string): Promise<Reader<CityResponse>> {
  const { mtimeMs, size } = await stat(file)
  const version = `${mtimeMs} ${size} ${file}`
  if (kept?.version !== version) kept = { version, reader: read(file) }
  return kept.reader
}

async function read(file: string): Promise<Reader<CityResponse>> {
  const [{ Reader }, content] = await Promise.all([import('mmdb-lib'), readFile(file)])
  return new Reader<CityResponse>(content)
}

/** The place in words, `Berlin, Germany`; undefined where nothing is known. @param here what local addresses are called */
export function placeText(place: Place | undefined, language: Language, here: string): string | undefined {
  if (place === undefined) return undefined
  if (place === 'here') return here
  const city = place.city?.[language] ?? place.city?.en
  const country = place.country && new Intl.DisplayNames([language], { type: 'region' }).of(place.country)
  const names = [city, country].filter(name => typeof name === 'string' && name !== '')
  return names.length === 0 ? undefined : names.join(', ').slice(0, LONGEST)
}

/** An address as mails show it, with its place as far as that is known: `203.0.113.9 (Berlin, Germany)`. */
export function addressText({ say, language }: Words, { ip, place }: LocatedAddress): string {
  const where = placeText(place, language, say('place.here'))
  return where === undefined ? ip : `${ip} (${where})`
}
