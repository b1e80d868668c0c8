/** The GraphQL API: one address that answers queries and carries out mutations, with the rights of the REST API. */
import Type from 'typebox'
import { anonymous as nobody } from '../../platform/access/actor.ts'
import { parseJson } from '../../platform/bounded_json.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Dialect, rest } from '../../platform/kernel/declaration/dialect.ts'
import { type ByteAnswer, bytes, type Endpoint, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { authenticate } from '../../platform/kernel/request/authenticate.ts'
import { readRawBody } from '../../platform/kernel/request/wire.ts'
import { type Asked, answerAll, isMutation } from './execution/execute.ts'
import type { Declarations } from './reading/request.ts'
import { graphSchema } from './schema.ts'

/** Bytes of a request. */
const MOST_BYTES = 1024 * 1024

/** Queries in one request. */
const MOST_QUERIES = 50

const errorsOf = (message: string) => JSON.stringify({ errors: [{ message }] })

/** `errors` is the body of a refusal too. */
const ErrorBody = Type.Object({
  errors: Type.Array(Type.Object({ message: text('What is wrong') }), { description: 'What is wrong' }),
})

/** The GraphQL API. */
export const graphqlDialect: Dialect = {
  ...rest,
  name: 'graphql',
  prefix: '/api',
  headers: { 'cache-control': 'no-store' },
  bodyLimit: MOST_BYTES,
  // Contract: a session whose token is missing or wrong counts for nothing, the caller is nobody (public behaviour).
  authenticate: async (request, deps) => {
    const bySession = request.headers.authorization === undefined && request.headers['private-token'] === undefined
    try {
      return await authenticate(request, deps)
    } catch (error) {
      if (bySession && error instanceof Refusal && error.kind === 'unauthenticated' && !hasTokenInQuery(request.query)) return nobody
      throw error
    }
  },
  refusalBody: ErrorBody,
  refuse: refusal => ({
    status: refusal.status,
    mediaType: 'application/json',
    // Contract: what is wrong with a token is not said (public behaviour).
    body: errorsOf(refusal.kind === 'unauthenticated' ? 'Invalid token' : sentenceOf(refusal)),
    headers: refusal.headers,
  }),
  fail: (_requestId, status) => ({ status, mediaType: 'application/json', body: errorsOf('Internal server error'), headers: {} }),
}

const hasTokenInQuery = (query: unknown): boolean =>
  ['private_token', 'access_token', 'job_token'].some(name => name in ((query as object | undefined) ?? {}))

const answer = (body: unknown, status = 200): ByteAnswer => ({ status, body: JSON.stringify(body) })

const refusedAs = (message: string): ByteAnswer => ({ status: 422, body: errorsOf(message) })

/** The query of a parsed body or of an address; undefined for what is none. */
function askedOf(value: unknown): Asked | undefined {
  const { query, operationName, variables } = (value ?? {}) as Record<string, unknown>
  if (query !== undefined && query !== null && typeof query !== 'string') return undefined
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined
  const given = variablesOf(variables)
  // Contract: nothing at all is an empty query (public behaviour).
  return given && { query: query ?? '', operationName: operationName || undefined, variables: given }
}

/** Variables come as an object or as its JSON. */
function variablesOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return {}
  if (typeof value === 'string') {
    try {
      return variablesOf(parseJson(value))
    } catch {
      return undefined
    }
  }
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

const INVALID = 'Variables or query are not of their type'

const summary = 'Answer a GraphQL query'

/** The endpoints, for what is served: mutations carry out the declarations of the REST API. */
export function graphEndpoints(served: () => readonly Endpoint[]): readonly Endpoint[] {
  const declarations = declarationsOf(served)

  const answerOne = async (ctx: Context, value: unknown): Promise<ByteAnswer> => {
    const asked = askedOf(value)
    if (!asked) return refusedAs(INVALID)
    const [one] = await answerAll(ctx, graphSchema(), declarations, [asked])
    return answer(one)
  }

  const queryGraph = endpoint({
    route: 'GET /graphql',
    summary,
    scope: inInstance,
    can: 'read_instance',
    params: {
      query: optional(text('The query', { examples: ['{ metadata { version } }'] })),
      operationName: optional(text('Which operation of the query is meant')),
      variables: optional(text('Variables as JSON')),
    },
    answers: bytes('application/json', 200, 422),
    dialect: graphqlDialect,
    async run(ctx) {
      const asked = askedOf(ctx.params)
      if (asked && isMutation(asked)) return refusedAs('Mutations are forbidden in GET requests')
      return answerOne(ctx, ctx.params)
    },
  })

  const postGraph = endpoint({
    route: 'POST /graphql',
    summary: 'Answer a GraphQL query or mutation, or several that are sent as an array',
    scope: inInstance,
    can: 'read_instance',
    answers: bytes('application/json', 200, 422),
    // Queries need it alone; mutations ask for more themselves.
    scopes: ['read_api'],
    anonymous: true,
    writes: 'own',
    rawBody: true,
    dialect: graphqlDialect,
    errors: ['too_large'],
    async run(ctx) {
      const sent = (await readRawBody(ctx.body, MOST_BYTES)).toString()
      const type = ctx.request.headers['content-type'] ?? ''
      if (/^application\/graphql\b/i.test(type)) return answerOne(ctx, { query: sent })
      if (/^application\/x-www-form-urlencoded\b/i.test(type)) return answerOne(ctx, Object.fromEntries(new URLSearchParams(sent)))
      let body: unknown
      try {
        body = sent === '' ? {} : parseJson(sent)
      } catch {
        return refusedAs('The body is not JSON')
      }
      if (!Array.isArray(body)) return answerOne(ctx, body)
      if (body.length > MOST_QUERIES) return refusedAs(`At most ${MOST_QUERIES} queries can be sent together`)
      const asked = body.map(askedOf)
      if (asked.some(one => one === undefined)) return refusedAs(INVALID)
      return answer(await answerAll(ctx, graphSchema(), declarations, asked as Asked[]))
    },
  })
  return [postGraph, queryGraph]
}

/** The declarations by route, found when one is first asked for. */
export function declarationsOf(served: () => readonly Endpoint[]): Declarations {
  let byRoute: ReadonlyMap<string, Endpoint> | undefined
  return route => {
    byRoute ??= new Map(
      served()
        .filter(({ dialect }) => dialect === rest)
        .map(one => [one.route, one]),
    )
    const found = byRoute.get(route)
    if (!found) throw new Error(`there is no declaration of ${route}`)
    return found
  }
}
