/**
 * Dialects: where a family of endpoints lives and how it speaks (house rule: dialects, not exceptions). REST, OAuth,
 * git's transport and SCIM are declared with the same `endpoint()`; a dialect says, once each, how the caller is
 * found and what a refusal looks like.
 */
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Actor } from '../../access/actor.ts'
import type { Deps } from '../context.ts'
import { type Refusal, type RefusalKind, statusOfKind } from '../errors.ts'
import { authenticate } from '../request/authenticate.ts'

/** A refusal or failure on the wire. */
export interface ErrorAnswer {
  readonly status: number
  readonly mediaType: string
  readonly body: string | undefined
  readonly headers: Record<string, string>
}

/** The ways a caller can prove who they are, as the API description names them (openapi/common.ts). */
export type CredentialName = 'private_token' | 'bearer' | 'job_token' | 'session' | 'basic' | 'basic_token' | 'scim_token'

export interface Dialect {
  readonly name: string
  /** Before every path of the dialect, e.g. `/api/v4`. */
  readonly prefix: string
  /**
   * Turns an address that no route pattern can express into one that does; undefined for all others. Gets path and
   * query as they came.
   */
  readonly rewrite?: (address: string) => string | undefined
  /** Sent with every answer, refusals included. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of JSON answers. */
  readonly mediaType: string
  /** Bytes that a body may have unless the endpoint says otherwise. */
  readonly bodyLimit: number
  /** Texts of HTML are sent compressed where the client takes that. */
  readonly compresses?: true
  /** Names of parameters count in any case of letters (SCIM: RFC 7643 section 2.1). */
  readonly namesInAnyCase?: boolean
  /** Whether the caller may do it is said before the request is read: clients of the protocol sign in when they are asked to, and then go on. */
  readonly accessFirst?: boolean
  /** What `authenticate` takes, for the API description. */
  readonly credentials?: readonly CredentialName[]
  /** Finds the caller; throws `unauthenticated` for wrong credentials (decision 7). */
  authenticate(request: FastifyRequest, deps: Deps): Promise<Actor>
  /** What each of its endpoints may throw, by the protocol. */
  readonly errors?: readonly RefusalKind[]
  /** Statuses that the protocol has for kinds of refusal, where errors.ts has other ones. */
  readonly statuses?: { readonly [kind in RefusalKind]?: number }
  /** The body of its refusals, for the API description; default: that of the REST API, by kind. */
  readonly refusalBody?: TSchema
  /** Shapes a refusal. */
  refuse(refusal: Refusal, request: FastifyRequest, deps: Deps): ErrorAnswer
  /** Shapes an unforeseen failure: a request id, no internals. */
  fail(requestId: string, status: 500 | 503, request: FastifyRequest, deps: Deps): ErrorAnswer
}

/** The status of a kind of refusal in the words of a dialect. */
export const statusIn = ({ statuses }: Pick<Dialect, 'statuses'>, kind: RefusalKind): number => statuses?.[kind] ?? statusOfKind(kind)

const json = (status: number, body: unknown, headers: Record<string, string> = {}): ErrorAnswer => ({
  status,
  mediaType: 'application/json',
  body: body === undefined ? undefined : JSON.stringify(body),
  headers,
})

/** The v4 REST API (document 1). Answers are `application/json` without charset (decision 19). */
export const rest: Dialect = {
  name: 'rest',
  prefix: '/api/v4',
  mediaType: 'application/json',
  // Answers depend on who asks, also by headers of which caches know nothing; with their `ETag` they may be asked for again.
  headers: { 'cache-control': 'max-age=0, private, must-revalidate' },
  bodyLimit: 10 * 1024 * 1024,
  credentials: ['private_token', 'bearer', 'session'],
  authenticate,
  refuse: refusal => json(refusal.status, refusal.body, refusal.headers),
  fail: (requestId, status) =>
    json(status, { message: status === 500 ? '500 Internal Server Error' : '503 Service Unavailable', request_id: requestId }),
}

/** The server's own addresses outside the API: health, metrics, pages. */
export const root: Dialect = { ...rest, name: 'root', prefix: '' }
