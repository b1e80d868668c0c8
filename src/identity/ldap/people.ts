/** People in a directory: found by the name that they type or by the name of their entry, proven by their password. */
import { randomUUID } from 'node:crypto'
import {
  AndFilter,
  type Client,
  DN,
  type Entry,
  EqualityFilter,
  type Filter,
  FilterParser,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  OrFilter,
  PresenceFilter,
  ResultCodeError,
  SubstringFilter,
} from 'ldapts'
import { bindAccount, isPasswordOf, withDirectory } from './connection.ts'
import { normalizedDn } from './dn.ts'
import type { LdapServer } from './server.ts'

/** A person as a directory describes them. */
export interface DirectoryPerson {
  /** The normalized name of their entry. */
  readonly uid: string
  readonly username: string
  readonly name: string
  readonly email: string | undefined
  readonly groups: readonly string[]
  /** Those of the filters that were asked about which find their entry. */
  readonly filters: readonly string[]
}

/** Longest name that is looked for. */
const MAX_LOGIN = 255

/** Groups of a person that are looked at. */
const MAX_GROUPS = 1000

/**
 * The person with this name and password; undefined where either is wrong. A directory is asked for a password in both cases, so that the
 * answer takes as long.
 * @param known `uid`: the name of the entry, where it is known: then `login` is not looked for; `filters`: which of them find it is said too
 * @throws DirectoryUnavailable
 */
export async function personByPassword(
  server: LdapServer,
  login: string,
  password: string,
  { uid, filters = [] }: { readonly uid?: string | undefined; readonly filters?: readonly string[] } = {},
): Promise<DirectoryPerson | undefined> {
  if (password === '' || !isName(login)) return undefined
  return withDirectory(server, async client => {
    await bindAccount(client, server)
    const entry = uid === undefined ? await entryOf(client, server, login) : await entryNamed(client, server, normalizedDn(uid))
    const dn = entry?.dn ?? new DN().addPairRDN(server.uid, randomUUID()).toString().concat(`,${server.base}`)
    const isRight = await isPasswordOf(client, dn, password)
    if (!entry || !isRight) return undefined
    // The person may see less of the directory than the account that searches.
    await bindAccount(client, server)
    return personOf(client, server, entry, filters)
  })
}

/**
 * The people whose entries have these names, as far as they are there and may sign in.
 * @throws DirectoryUnavailable also where the base itself is not there: a directory that lost everybody is a mistake of its settings
 */
export async function peopleByDn(
  server: LdapServer,
  dns: readonly string[],
  filters: readonly string[] = [],
): Promise<Map<string, DirectoryPerson>> {
  return withDirectory(server, async client => {
    await bindAccount(client, server)
    await client.search(server.base, { scope: 'base', filter: anything, attributes: ['1.1'] })
    const found = new Map<string, DirectoryPerson>()
    for (const dn of dns) {
      const entry = await entryNamed(client, server, normalizedDn(dn))
      if (entry) found.set(dn, await personOf(client, server, entry, filters))
    }
    return found
  })
}

/** Control characters are in nobody's name. */
const isName = (login: string): boolean => login !== '' && login.length <= MAX_LOGIN && !/\p{Cc}/u.test(login)

const anything = new PresenceFilter({ attribute: 'objectClass' })

/** Values are parts of the filter as they are: the library writes them by their length, so that no character of them means anything. */
const among = ({ userFilter }: LdapServer, filter: Filter): Filter =>
  userFilter === undefined ? filter : new AndFilter({ filters: [FilterParser.parseString(userFilter), filter] })

/**
 * The only entry with this name: of two nobody knows which one is meant. Directories take more for the same than small and capital letters, as wide
 * ones; here a name counts as it is written, else each way of writing it would have wrong passwords of its own.
 */
async function entryOf(client: Client, server: LdapServer, login: string): Promise<Entry | undefined> {
  const filter = among(server, new EqualityFilter({ attribute: server.uid, value: login }))
  const { searchEntries } = await client.search(server.base, { scope: 'sub', filter, attributes: attributesOf(server), sizeLimit: 2 })
  const [entry] = searchEntries
  return entry && searchEntries.length === 1 && isCalled(entry, server, login) ? entry : undefined
}

const isCalled = (entry: Entry, { uid }: LdapServer, login: string): boolean =>
  textsOf(entry, uid).some(name => name.normalize('NFC').toLowerCase() === login.toLowerCase())

/** The entry of this name, below the base, if it may sign in. */
async function entryNamed(client: Client, server: LdapServer, dn: string): Promise<Entry | undefined> {
  const base = normalizedDn(server.base)
  if (dn !== base && !dn.endsWith(`,${base}`)) return undefined
  try {
    const { searchEntries } = await client.search(dn, { scope: 'base', filter: among(server, anything), attributes: attributesOf(server) })
    return searchEntries[0]
  } catch (error) {
    if (error instanceof NoSuchObjectError || error instanceof InvalidDNSyntaxError) return undefined
    throw error
  }
}

const attributesOf = ({ uid, attributes: { username, name, email } }: LdapServer): string[] => [...new Set([uid, username, name, email])]

async function personOf(client: Client, server: LdapServer, entry: Entry, filters: readonly string[]): Promise<DirectoryPerson> {
  const { attributes, uid } = server
  const login = textOf(entry, uid) ?? ''
  const username = textOf(entry, attributes.username) ?? login
  return {
    uid: normalizedDn(entry.dn),
    username,
    name: textOf(entry, attributes.name) ?? username,
    email: textOf(entry, attributes.email),
    groups: await groupsOf(client, server, entry.dn, login),
    filters: await filtersThatFind(client, entry.dn, filters),
  }
}

/** What a directory says that cannot answer now, and not because of the filter: busy (51), unavailable (52), time is up (3), too much to look at (11). */
const notNow: ReadonlySet<number> = new Set([3, 11, 51, 52])

/**
 * Which of the filters find the entry. Owners of groups have written them: each is asked about this one entry, so that none is work, and one that the
 * directory refuses finds nobody.
 */
async function filtersThatFind(client: Client, dn: string, filters: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const text of filters) {
    try {
      const { searchEntries } = await client.search(dn, { scope: 'base', filter: FilterParser.parseString(text), attributes: ['1.1'] })
      if (searchEntries.length > 0) found.push(text)
    } catch (error) {
      if (!(error instanceof ResultCodeError) || notNow.has(error.code)) throw error
    }
  }
  return found
}

/** Names of groups of the directory that begin with a text, for administrators. @throws DirectoryUnavailable */
export async function groupsNamed(server: LdapServer, beginning: string, most: number): Promise<string[]> {
  const { groupBase } = server
  if (groupBase === undefined) return []
  return withDirectory(server, async client => {
    await bindAccount(client, server)
    const filter = beginning === '' ? new PresenceFilter({ attribute: 'cn' }) : new SubstringFilter({ attribute: 'cn', initial: beginning })
    const kinds = ['groupOfNames', 'groupOfUniqueNames', 'posixGroup', 'group'].map(
      value => new EqualityFilter({ attribute: 'objectClass', value }),
    )
    const { searchEntries } = await client.search(groupBase, {
      scope: 'sub',
      filter: new AndFilter({ filters: [filter, new OrFilter({ filters: kinds })] }),
      attributes: ['cn'],
      paged: { pageSize: 200 },
    })
    return searchEntries
      .flatMap(entry => textOf(entry, 'cn') ?? [])
      .sort()
      .slice(0, most)
  })
}

/** The names of the groups that have the entry, or its name, as a member. */
async function groupsOf(client: Client, { groupBase }: LdapServer, dn: string, login: string): Promise<string[]> {
  if (groupBase === undefined) return []
  const filters = [
    new EqualityFilter({ attribute: 'member', value: dn }),
    new EqualityFilter({ attribute: 'uniqueMember', value: dn }),
    ...(login === '' ? [] : [new EqualityFilter({ attribute: 'memberUid', value: login })]),
  ]
  const { searchEntries } = await client.search(groupBase, {
    scope: 'sub',
    filter: new OrFilter({ filters }),
    attributes: ['cn'],
    paged: { pageSize: 200 },
  })
  return searchEntries.slice(0, MAX_GROUPS).flatMap(entry => textOf(entry, 'cn') ?? [])
}

/** The first value of an attribute as text. */
const textOf = (entry: Entry, attribute: string): string | undefined => textsOf(entry, attribute)[0]

/** The values of an attribute that are texts; servers write names of attributes in any case. */
function textsOf(entry: Entry, attribute: string): string[] {
  const key = Object.keys(entry).find(name => name.toLowerCase() === attribute.toLowerCase())
  return [key === undefined ? [] : entry[key]]
    .flat()
    .flatMap(value => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []))
}
