/**
 * Refusals: all errors that a request can be answered with on purpose. Commands, scopes and rules throw them; only this file knows the HTTP
 * status and body of each kind (document 1 "Errors", decisions 6, 7, 12 and 16).
 */
import { type Actor, isAnonymous } from '../access/actor.ts'

/** The kinds of refusal and the status each one has. */
const statusOf = {
  moved: 301,
  not_modified: 304,
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  unavailable: 503,
  insufficient_storage: 507,
} as const

export type RefusalKind = keyof typeof statusOf

/** All kinds of refusal. */
export const refusalKinds = Object.keys(statusOf) as readonly RefusalKind[]

/** The status that a kind of refusal has, unless a dialect has another one for it. */
export const statusOfKind = (kind: RefusalKind): number => statusOf[kind]

/** The messages for each parameter; a nested record for an embedded entity (document 1 "Errors"). */
export type Failures = { [parameter: string]: string[] | Failures }

/** A request that is answered with a 3xx or 4xx, or with what the machine lacks (503, 507). `body` is the JSON body, undefined for none. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly body: unknown
  readonly headers: Record<string, string>

  constructor(kind: RefusalKind, body: unknown, headers: Record<string, string> = {}) {
    super(typeof body === 'object' && body !== null ? JSON.stringify(body) : kind)
    this.name = 'Refusal'
    this.kind = kind
    this.body = body
    this.headers = headers
  }

  /** The HTTP status of this refusal. */
  get status(): number {
    return statusOf[this.kind]
  }
}

/** The refusal as a sentence, for clients that read no JSON: at a terminal, in a protocol with its own messages. */
export function sentenceOf({ kind, body }: Refusal): string {
  const { message, error_description } = (body ?? {}) as { message?: unknown; error_description?: unknown }
  const said = error_description ?? message
  return typeof said === 'string' ? said : JSON.stringify(said ?? kind)
}

/** 304: the requested state already holds (star, subscribe, to-do) or the client's copy is current. */
export const notModified = () => new Refusal('not_modified', undefined)

/** 301: the resource has another address now. */
export const moved = (location: string) =>
  new Refusal('moved', { message: `This resource has been moved permanently to ${location}` }, { location })

/** A required parameter is absent; dialects have their own words for it. */
export class MissingParameter extends Refusal {
  readonly parameter: string

  constructor(parameter: string) {
    super('bad_request', { message: `400 (Bad request) "${parameter}" not given` })
    this.parameter = parameter
  }
}

/** 403 until the caller has proven again who they are; the page that the form was sent from asks for it. */
export class Unconfirmed extends Refusal {
  /** For how long a confirmation counts; undefined: as usual. */
  readonly minutes: number | undefined

  constructor(minutes?: number) {
    super('forbidden', { message: '403 Forbidden - Confirm first that it is you' })
    this.minutes = minutes
  }
}

/** Where a second factor is set up. */
export const SECOND_FACTOR_PAGE = '/-/profile/two_factor'

/** 403 for a session whose user must have a second factor and has none. */
export class SecondFactorMissing extends Refusal {
  constructor() {
    super('forbidden', { message: `403 Forbidden - Two-factor authentication is required: set it up at ${SECOND_FACTOR_PAGE} first` })
  }
}

/** 403 for a session that has to sign in with the provider of a group first; `page` is where. */
export class SignOnMissing extends Refusal {
  readonly page: string

  constructor(page: string) {
    super('forbidden', { message: `403 Forbidden - The group asks for a sign-in with its provider: ${page}` })
    this.page = page
  }
}

/** 400: a required parameter is absent (decision 12). */
export const missing = (parameter: string): Refusal => new MissingParameter(parameter)

/** 400: all parameters that failed validation (decision 12). */
export const invalid = (failures: Failures) => new Refusal('bad_request', { message: failures })

/** 400 whose line has the problems as a hash in the words of the platform's language; forms show them at their fields. */
export class InvalidAsHash extends Refusal {
  readonly failures: Readonly<Record<string, string[]>>

  constructor(reason: string, failures: Readonly<Record<string, string[]>>) {
    const hash = Object.entries(failures).map(([name, texts]) => `:${name}=>${JSON.stringify(texts).replaceAll('","', '", "')}`)
    super('bad_request', { message: `${reason} {${hash.join(', ')}}` })
    this.failures = failures
  }
}

/** A refusal in a line of words of its own, which is about parameters: forms show it at their fields, in words for people. */
export class RefusedAt extends Refusal {
  readonly failures: Readonly<Record<string, string[]>>

  /** @param failures what forms say, by the names of the parameters */
  constructor(kind: RefusalKind, line: string, failures: Readonly<Record<string, string[]>>) {
    super(kind, { message: line })
    this.failures = failures
  }
}

/** 400 that is not about one parameter: malformed JSON, an operation that cannot apply here. */
export const badRequest = (reason: string) => new Refusal('bad_request', { message: `400 Bad request - ${reason}` })

/** 401: no credentials where they are required, or invalid ones anywhere (decision 7). */
export const unauthenticated = () => new Refusal('unauthenticated', { message: '401 Unauthorized' })

/** 403: the caller may see the resource but not do this. */
export const forbidden = (reason?: string) => new Refusal('forbidden', { message: reason ? `403 Forbidden - ${reason}` : '403 Forbidden' })

/** The refusal of what the caller may not do: 401 where credentials could help, 403 for a caller who has shown some, a machine's too. */
export const refusedTo = (actor: Actor): Refusal => (isAnonymous(actor) ? unauthenticated() : forbidden())

/** 403: the token's scopes do not cover the request (document 1, Authentication rule 6 gives the shape). */
export const insufficientScope = (scope: string) =>
  new Refusal('forbidden', {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope,
  })

/** 404: the resource does not exist, or the caller may not see it. `noun` as in "404 Project Not Found". */
export const notFound = (noun?: string) => new Refusal('not_found', { message: noun ? `404 ${noun} Not Found` : '404 Not found' })

/** 404 for an address without an endpoint (document 1 "Errors"). */
export const unknownRoute = () => new Refusal('not_found', { error: '404 Not Found' })

/** 405: the method does not exist here, or the request is one the endpoint does not support. */
export const methodNotAllowed = (reason = '405 Method Not Allowed', allow?: readonly string[]) =>
  new Refusal('method_not_allowed', { message: reason }, allow ? { allow: allow.join(', ') } : {})

/**
 * 409: a conflict with another resource (decision 13).
 * @param at what forms say instead, by the names of the parameters
 */
export const conflict = (reason: string | string[], at?: Readonly<Record<string, string[]>>): Refusal =>
  at && typeof reason === 'string' ? new RefusedAt('conflict', reason, at) : new Refusal('conflict', { message: reason })

/** 412: `If-Unmodified-Since` is older than the resource (decision 15). */
export const preconditionFailed = () => new Refusal('precondition_failed', { message: '412 Precondition Failed' })

/** 413: the body is larger than the endpoint's limit. */
export const tooLarge = (limit: number) =>
  new Refusal('too_large', { message: `413 Request Entity Too Large - the limit is ${limit} bytes` })

/** 414: the query string is longer than the server's limit (decision 16). */
export const uriTooLong = () => new Refusal('uri_too_long', { message: '414 Request-URI Too Large' })

/** 431: the headers exceed the server's limits. */
export const headersTooLarge = () => new Refusal('headers_too_large', { message: '431 Request Header Fields Too Large' })

/** 415: a body whose content type no parser understands. */
export const unsupportedMediaType = (type: string) =>
  new Refusal('unsupported_media_type', { error: `The provided content-type '${type}' is not supported.` })

/** 422: understood, but cannot be processed. */
export const unprocessable = (reason: string | string[]) => new Refusal('unprocessable', { message: reason })
