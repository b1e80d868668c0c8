/** For tests of callers who must get no more than another one does: what they send, and how their answers are compared. */
import assert from 'node:assert/strict'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { isWhole } from '../depth.ts'
import { type OpenWorld, type Persona, requestFor } from './world.ts'

export const isGood = (status: number) => status < 400

/** What a client sends by this token: as it is, or as the password of Basic authentication. */
export const sending = (token: string, username = 'any') => ({
  'private-token': token,
  authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
})

export type Headers = Readonly<Record<string, string>>

/** `PRIVATE-TOKEN` wherever that counts; Basic for git and LFS. */
export const headersFor = ({ dialect }: Endpoint, all: Headers): Headers => {
  const { authorization, ...rest } = all
  return dialect.credentials?.includes('basic') && authorization !== undefined ? { authorization } : rest
}

/** The status of the valid request of an endpoint in the private place, by a persona or by what these headers prove. */
export const asking =
  (world: OpenWorld) =>
  async (endpoint: Endpoint, persona: Persona, headers?: Headers): Promise<number> => {
    const request = requestFor(world, endpoint, persona, 'private')
    if (!headers) return (await world.send(persona, request)).status
    return (await world.send('anonymous', { ...request, headers: { ...request.headers, ...headersFor(endpoint, headers) } })).status
  }

/** Tests that have tried endpoints so far. */
let tests = 0

/** What an ordinary run tries of the endpoints: every third, others in each test, and one of each dialect. Whole runs try all (depth.ts). */
function triedOf(all: readonly Endpoint[]): readonly Endpoint[] {
  const place = tests++
  const dialects = new Set<string>()
  return all.filter(({ dialect }, index) => {
    const isFirst = !dialects.has(dialect.name)
    dialects.add(dialect.name)
    return isWhole || isFirst || index % 3 === place % 3
  })
}

/** Endpoints of these kinds where the caller got what the rule does not allow, by `wrong`. */
export async function assertNone(
  which: (endpoint: Endpoint) => boolean,
  wrong: (endpoint: Endpoint) => Promise<string | undefined>,
  reason: string,
): Promise<void> {
  const found: string[] = []
  const tried = triedOf(endpoints.filter(which))
  assert.ok(tried.length > 20)
  for (const endpoint of tried) {
    const complaint = await wrong(endpoint)
    if (complaint !== undefined) found.push(`${endpoint.route}: ${complaint}`)
  }
  assert.deepEqual(found, [], reason)
}

/** Where a person's token is read: the API proper, and git with LFS. What hands mails over has a token of its own. */
export const readsTokens = ({ dialect }: Endpoint) =>
  dialect.name !== 'incoming_mail' && (dialect.credentials?.some(name => name === 'private_token' || name === 'basic') ?? false)

/** The same, of what lies in a project or a group. */
export const isOfPlaces = (endpoint: Endpoint) => readsTokens(endpoint) && /^\/(projects|groups|:repository_path)\b/.test(endpoint.path)

/** How those are refused who get nothing. */
export const refused: ReadonlySet<number> = new Set([401, 403, 404])
