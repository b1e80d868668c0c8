/**
 * The dialect of SCIM (RFC 7643, RFC 7644; document 1 "SCIM endpoints"): the caller is an identity provider with the token
 * of a group, names are case-insensitive, and answers and errors have a media type and schemas of their own.
 */
import type { FastifyRequest } from 'fastify'
import { type Actor, anonymous, provenMachine } from '../../platform/access/actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type Dialect, type ErrorAnswer, rest } from '../../platform/kernel/declaration/dialect.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'
import { bearerToken } from '../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { scimTokenByDigest } from '../../spaces/scim_tokens/queries.ts'
import { encodeGroupPath, prefix } from './address.ts'
import { errorBody, errorSchema, inScimWords } from './protocol/refusals.ts'

/** Decision 19. */
const mediaType = 'application/scim+json'

const answer = (status: number, body: object, headers: Record<string, string>): ErrorAnswer => ({
  status,
  mediaType,
  body: JSON.stringify(body),
  headers,
})

export const scim: Dialect = {
  name: 'scim',
  prefix,
  rewrite: encodeGroupPath,
  mediaType,
  ...(rest.headers && { headers: rest.headers }),
  bodyLimit: rest.bodyLimit,
  namesInAnyCase: true,
  credentials: ['scim_token'],
  refusalBody: errorSchema,
  authenticate: findProvider,
  refuse(refusal) {
    if (refusal.kind === 'not_modified') return { status: refusal.status, mediaType, body: undefined, headers: refusal.headers }
    // RFC 7644 section 2 requires the authentication methods in a 401.
    const challenge: Record<string, string> = refusal.kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="SCIM"' } : {}
    return answer(refusal.status, inScimWords(refusal), { ...refusal.headers, ...challenge })
  },
  fail: (requestId, status) => answer(status, errorBody(status, `The server failed. Request ${requestId}`), {}),
}

/** The provider with this token. Personal tokens, sessions and other credentials are not accepted here. */
async function findProvider({ headers }: FastifyRequest, { database, now }: Deps): Promise<Actor> {
  const token = bearerToken(headers)
  if (token === undefined) return anonymous
  const found = await scimTokenByDigest(database.db, digestOf(token), now())
  if (!found) throw unauthenticated()
  return provenMachine({ kind: 'scim_token', groupId: found.group_id })
}
