/**
 * The refusals of an endpoint: those that follow from its declaration, and those that it names (`errors`). One vocabulary, that of errors.ts;
 * what each kind means and how its body looks is said here once.
 */
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { type Dialect, statusIn } from '../declaration/dialect.ts'
import type { Answers, Endpoint } from '../declaration/endpoint.ts'
import { paramsOf } from '../declaration/steps.ts'
import { type RefusalKind, refusalKinds, statusOfKind } from '../errors.ts'

const messageBody = Type.Object({ message: Type.String({ description: 'What is wrong, for a person' }) })

/** One sentence, or several. */
const messagesBody = Type.Object({
  message: Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'What is wrong, for a person; a list where several things are',
  }),
})

/** Contract: some refusals hold their sentence one level deeper (project import and export API at 14.0). */
const explained = Type.Object({ error: Type.String({ description: 'What is wrong, for a person' }) })

const explainedBody = Type.Object({
  message: Type.Union([Type.String(), Type.Array(Type.String()), explained], {
    description: 'What is wrong, for a person; a list where several things are, or an object that holds the sentence',
  }),
})

/** Document 1 "Errors", decision 12: a text where a parameter is missing, words by parameter where values are wrong. */
const badRequestBody = Type.Object({
  message: Type.Union([Type.String(), Type.Array(Type.String()), Type.Record(Type.String(), Type.Unknown())], {
    description: 'What is wrong, for a person; of values that are wrong, a list of sentences by the name of the parameter',
  }),
  error_code: Type.Optional(Type.String({ description: 'Of a cherry-pick or revert: `conflict`, or `empty` where nothing would change' })),
})

/** A refusal for the scope of a token has three fields (document 1, Authentication rule 6). */
const forbiddenBody = Type.Union([
  messageBody,
  Type.Object({
    error: Type.Literal('insufficient_scope', { description: 'The token may not do this' }),
    error_description: Type.String({ description: 'What is wrong, for a person' }),
    scope: Type.String({ description: 'Scopes that would do, with a space between them' }),
  }),
])

const unsupportedBody = Type.Object({ error: Type.String({ description: 'What is wrong, for a person' }) })

interface Meaning {
  /** The name of the response in the description. */
  readonly name: string
  readonly says: string
  /** The body in the REST API; null for none. */
  readonly body: TSchema | null
  /** A body that is answered, where one stands for all. */
  readonly example?: object
}

/** What each kind of refusal says to a client. */
const meanings: { readonly [kind in RefusalKind]: Meaning } = {
  moved: {
    name: 'Moved',
    says: 'It has another address now, that of the header `Location`',
    body: messageBody,
    example: { message: 'This resource has been moved permanently to /api/v4/projects/42' },
  },
  not_modified: { name: 'NotModified', says: 'The state asked for holds already, or the client has what would be sent', body: null },
  bad_request: {
    name: 'BadRequest',
    says: 'Parameters are missing or wrong, or this cannot be done here',
    body: badRequestBody,
    example: { message: '400 (Bad request) "name" not given' },
  },
  unauthenticated: {
    name: 'Unauthorized',
    says: 'Credentials are missing or wrong',
    body: messageBody,
    example: { message: '401 Unauthorized' },
  },
  forbidden: {
    name: 'Forbidden',
    says: 'The caller may see this and not do it',
    body: forbiddenBody,
    example: { message: '403 Forbidden' },
  },
  not_found: {
    name: 'NotFound',
    says: 'There is no such thing, as far as the caller may know',
    body: messageBody,
    example: { message: '404 Project Not Found' },
  },
  method_not_allowed: {
    name: 'MethodNotAllowed',
    says: 'This is not possible for this thing',
    body: messageBody,
    example: { message: '405 Method Not Allowed' },
  },
  not_acceptable: { name: 'NotAcceptable', says: 'It cannot be had in this form, or in this state', body: messageBody },
  conflict: { name: 'Conflict', says: 'Another thing is in the way, or it has changed meanwhile', body: messagesBody },
  precondition_failed: {
    name: 'PreconditionFailed',
    says: 'It has changed since `If-Unmodified-Since`',
    body: messageBody,
    example: { message: '412 Precondition Failed' },
  },
  too_large: {
    name: 'TooLarge',
    says: 'What was sent, or what would have to be read, is too large',
    body: messageBody,
    example: { message: '413 Request Entity Too Large - the limit is 10485760 bytes' },
  },
  uri_too_long: {
    name: 'UriTooLong',
    says: 'The address is too long',
    body: messageBody,
    example: { message: '414 Request-URI Too Large' },
  },
  unsupported_media_type: {
    name: 'UnsupportedMediaType',
    says: 'No reader understands this type of body',
    body: unsupportedBody,
    example: { error: "The provided content-type 'text/csv' is not supported." },
  },
  range_not_satisfiable: { name: 'RangeNotSatisfiable', says: 'The bytes asked for, or sent, do not fit', body: messageBody },
  unprocessable: { name: 'Unprocessable', says: 'What was sent is understood, and cannot be done', body: explainedBody },
  too_many_requests: {
    name: 'TooManyRequests',
    says: 'Too many requests; `Retry-After` says when to come again',
    body: explainedBody,
    example: { message: '429 Too Many Requests' },
  },
  headers_too_large: {
    name: 'HeadersTooLarge',
    says: 'The headers are too large',
    body: messageBody,
    example: { message: '431 Request Header Fields Too Large' },
  },
  unavailable: {
    name: 'Unavailable',
    says: 'Not now; `Retry-After` says when to try again',
    body: messageBody,
    example: { message: '503 Service Unavailable' },
  },
  insufficient_storage: {
    name: 'InsufficientStorage',
    says: 'The disk of the server is full: nothing was changed',
    body: messageBody,
    example: { message: '507 Insufficient Storage - the disk of the server is full' },
  },
}

/** Refusals and failures that any address may answer, before an endpoint is reached or where it fails; no endpoint names them. */
export const everywhere: ReadonlySet<number> = new Set([
  ...(['uri_too_long', 'headers_too_large', 'unavailable', 'insufficient_storage'] as const).map(statusOfKind),
  500,
])

/** Has the path an id in it? */
const hasPathIds = ({ path }: Endpoint): boolean => /[:*]\w/.test(path)

/** Whether a kind of refusal follows from the declaration, without being named. */
const follows: { readonly [kind in RefusalKind]?: (endpoint: Endpoint) => boolean } = {
  bad_request: endpoint => endpoint.method !== 'GET' || Object.keys(paramsOf(endpoint)).length > 0,
  unauthenticated: ({ dialect }) => provesCaller(dialect),
  forbidden: ({ dialect }) => provesCaller(dialect),
  not_found: hasPathIds,
  not_modified: ({ method, answers }) => method === 'GET' && (answers.kind === 'one' || isRanged(answers)),
  range_not_satisfiable: ({ answers }) => isRanged(answers),
  method_not_allowed: ({ answers }) => answers.kind === 'page' && (answers.options.keyset ?? answers.options.cap) !== undefined,
  precondition_failed: ({ method, scope }) => method === 'DELETE' && scope.modifiedAt !== undefined,
  too_large: readsBody,
  unsupported_media_type: readsBody,
  too_many_requests: ({ counted }) => counted !== false,
}

const isRanged = (answers: Answers): boolean => answers.kind === 'bytes' && answers.ranged

/** Whether the dialect looks for credentials, which may be wrong. */
const provesCaller = ({ credentials = [] }: Dialect): boolean => credentials.length > 0

function readsBody({ method, rawBody }: Endpoint): boolean {
  return method !== 'GET' && rawBody !== true
}

/** The refusals that an endpoint need not name: its parameters, credentials, scope, ability and answer imply them. */
export const impliedRefusals = (endpoint: Endpoint): ReadonlySet<RefusalKind> =>
  new Set([
    ...refusalKinds.filter(kind => follows[kind]?.(endpoint)),
    ...(endpoint.dialect.errors ?? []),
    ...(endpoint.scope.errors?.(endpoint.method === 'GET') ?? []),
  ])

/** All refusals of an endpoint, in the order of their statuses. */
export function refusalsOf(endpoint: Endpoint): RefusalKind[] {
  const all = impliedRefusals(endpoint).union(new Set(endpoint.errors))
  return refusalKinds.filter(kind => all.has(kind))
}

/** The body of a refusal in a dialect; null for none. */
export const bodyIn = ({ refusalBody }: Dialect, kind: RefusalKind): TSchema | null =>
  kind === 'not_modified' ? null : (refusalBody ?? meanings[kind].body)

/** Is it a page for people? Whatever it refuses is a page again, which no program reads: nothing is described. */
export const isForPeople = ({ dialect }: Endpoint): boolean => dialect.mediaType.startsWith('text/html')

/** The refusals of an endpoint for `responses`, by status: references to `refusalComponents`. */
export function refusalResponses(endpoint: Endpoint): Record<string, { $ref: string }> {
  const { dialect } = endpoint
  if (isForPeople(endpoint)) return {}
  return Object.fromEntries(
    refusalsOf(endpoint).map(kind => [statusIn(dialect, kind), { $ref: `#/components/responses/${componentOf(dialect, kind)}` }]),
  )
}

/** Dialects with bodies of their own have components of their own. */
const componentOf = ({ name, refusalBody }: Dialect, kind: RefusalKind): string =>
  refusalBody && kind !== 'not_modified' ? `${name[0]?.toUpperCase()}${name.slice(1)}${meanings[kind].name}` : meanings[kind].name

/** The responses to which the refusals of these endpoints refer. */
export function refusalComponents(endpoints: readonly Endpoint[]): Record<string, object> {
  const components: Record<string, object> = {}
  for (const endpoint of endpoints.filter(endpoint => !isForPeople(endpoint)))
    for (const kind of refusalsOf(endpoint)) components[componentOf(endpoint.dialect, kind)] ??= responseOf(endpoint.dialect, kind)
  return Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const waiting = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }

/** Headers that belong to a refusal. */
const headersOf: { readonly [kind in RefusalKind]?: Record<string, object> } = {
  moved: { Location: { description: 'The address it has now', schema: { type: 'string' } } },
  too_many_requests: waiting,
  unavailable: waiting,
}

function responseOf(dialect: Dialect, kind: RefusalKind): object {
  const schema = bodyIn(dialect, kind)
  const headers = headersOf[kind]
  const example = dialect.refusalBody ? undefined : meanings[kind].example
  return {
    description: meanings[kind].says,
    ...(headers && { headers }),
    ...(schema && { content: { [dialect.mediaType]: { schema, ...(example && { example }) } } }),
  }
}
