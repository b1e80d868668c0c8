/**
 * Where answers lead, a page is: every address of ours that the API answers in the world, and every link of a page, is followed by the owner of the
 * places, signed in as in a browser; the pages of the administration, and their links, by an administrator.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SESSION_COOKIE } from '../../src/platform/kernel/request/authenticate.ts'
import { digestOf } from '../../src/platform/kernel/secrets.ts'
import { HTML } from '../../src/platform/pages/dialect.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { pages } from '../../src/server/pages.ts'
import { encodeQuery } from '../client.ts'
import { notVisited } from './not_visited.ts'
import { openWorld, requestFor, visibilities } from './world.ts'

/** Asked for by clients of the API, by git and by sign-in providers. */
const isForPrograms = (address: string): boolean => /^\/api\/|\.git(\/|$)|^\/oauth\/|^\/users\/auth\/[^/]+\/logout$/.test(address)

const world = await openWorld()
const { scene } = world
const { owner, admin } = world.people
const { url } = scene

/** Path and query of an address on this server; undefined for what is elsewhere. */
function ownAddress(address: string, base = url): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const { origin, pathname, search } = new URL(address, base)
  return origin === url ? `${pathname}${search}` : undefined
}

interface Followed {
  readonly status: number
  readonly body: string
  readonly type: string
  /** Leads on to the sign-in page. */
  readonly isTurnedAway: boolean
}

/** Follows a link; each address is asked for once. */
type Follow = (address: string) => Promise<Followed>

/** The browser of a person who is signed in. */
async function browserOf({ id: user_id, username }: { readonly id: number; readonly username: string }): Promise<Follow> {
  const secret = `session-that-follows-links-${username}`
  const session = { digest: digestOf(secret), user_id, expires_at: '2999-01-01T00:00:00Z' }
  await scene.deps.database.db.insertInto('sessions').values(session).execute()
  const browser = scene.as({ cookie: `${SESSION_COOKIE}=${secret}` })
  const followed = new Map<string, Promise<Followed>>()
  return address => {
    const asked =
      followed.get(address) ??
      browser.get(url + address, {}, { accept: 'text/html' }).then(({ status, body, headers }) => ({
        status,
        body: String(body),
        type: headers['content-type'] ?? '',
        isTurnedAway: (headers.location ?? '').includes('/users/sign_in'),
      }))
    followed.set(address, asked)
    return asked
  }
}

const [asOwner, asAdmin] = [await browserOf(owner), await browserOf(admin)]

/** Those of the addresses that lead to no page, with where they were found. */
async function deadEnds(follow: Follow, found: ReadonlyMap<string, string>): Promise<string[]> {
  const dead: string[] = []
  for (const [address, where] of found) {
    const { status, isTurnedAway } = await follow(address)
    if (![200, 301, 302, 303].includes(status) || isTurnedAway) dead.push(`${address} answers ${status} (found in ${where})`)
  }
  return dead
}

/** The texts of a JSON value that are addresses. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&#39;': "'", '&quot;': '"' }

/** What the links of a document name, fragments of the same page excepted. */
const linksIn = (document: string): string[] =>
  [...document.matchAll(/<a\s[^>]*?href="([^#"][^"]*)"[^>]*>/g)].map(([, href = '']) =>
    href.replace(/&(amp|#39|quot);/g, entity => entities[entity] as string),
  )

/** The addresses of a page of the map in both places. */
const addressesOf = (page: (typeof pages)[number], persona: 'owner' | 'admin'): string[] =>
  visibilities.map(visibility => {
    const { path, query = {} } = requestFor(world, page, persona, visibility)
    const search = encodeQuery(query)
    return search ? `${path}?${search}` : path
  })

/** What pages link to, with where each was found. */
async function linksOf(follow: Follow, addresses: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const address of addresses) {
    const { status, body, type, isTurnedAway } = await follow(address)
    assert.ok([200, 303].includes(status) && !isTurnedAway, `${address} answers ${status}`)
    if (!type.startsWith('text/html')) continue
    for (const link of linksIn(body)) {
      const linked = ownAddress(link, url + address)
      if (linked !== undefined && !isForPrograms(linked)) found.set(linked, address)
    }
  }
  return found
}

const shown = pages.filter(({ method, route, answers }) => {
  const isDocument = method === 'GET' && answers.kind === 'bytes' && answers.mediaType === HTML
  return isDocument && !notVisited.includes(route)
})
const isOfAdministrators = ({ path }: (typeof pages)[number]): boolean => /^\/(admin|-\/mails)/.test(path)

test('every address that the API answers leads to a page', async () => {
  const found = new Map<string, string>()
  const reading = endpoints.filter(
    ({ method, dialect, answers }) => method === 'GET' && dialect.name === 'rest' && answers.kind !== 'bytes',
  )
  for (const endpoint of reading)
    for (const visibility of visibilities) {
      const { path, query = {} } = requestFor(world, endpoint, 'owner', visibility)
      const { body } = await owner.get(url + path, query)
      for (const text of addressesIn(body)) {
        const address = ownAddress(text)
        if (address !== undefined && !isForPrograms(address)) found.set(address, endpoint.route)
      }
    }
  assert.ok(found.size > 200, `there are ${found.size} addresses`)
  assert.deepEqual(await deadEnds(asOwner, found), [], 'these addresses lead to no page')
})

test('every link of a page leads to a page', async () => {
  const open = shown.filter(page => !isOfAdministrators(page))
  assert.ok(open.length > 40, `there are ${open.length} pages`)
  // The owner's project that has no commit yet has pages too.
  const { project } = await scene.project({ owner, path: 'without-a-commit' })
  const inEmpty = ['', '/-/branches', '/-/tags', '/-/project_members'].map(rest => `/${project.full_path}${rest}`)
  const found = await linksOf(asOwner, [...open.flatMap(page => addressesOf(page, 'owner')), ...inEmpty])
  assert.ok(found.size > 200, `there are ${found.size} links`)
  assert.deepEqual(await deadEnds(asOwner, found), [], 'these links lead to nothing: link to what is there, or show a text')
})

test('every link of the administration leads to a page', async () => {
  const theirs = shown.filter(isOfAdministrators)
  assert.ok(theirs.length > 30, `there are ${theirs.length} pages`)
  const { group, project } = world.places.private
  // What others have is not the administrator's own, and has other links for them.
  const elsewhere = [`/${owner.username}`, `/groups/${group.full_path}`, `/${project.full_path}`]
  const found = await linksOf(asAdmin, [...new Set(theirs.flatMap(page => addressesOf(page, 'admin'))), ...elsewhere])
  assert.ok(found.size > 100, `there are ${found.size} links`)
  assert.deepEqual(await deadEnds(asAdmin, found), [], 'these links lead to nothing: link to what is there, or show a text')
})
