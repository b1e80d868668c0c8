/**
 * Generates the API description, OpenAPI 3.1, from the declarations: addresses, parameters, answers, refusals, credentials and tiers.
 * Nothing in it is written by hand, so nothing in it can be out of date.
 */
import type { TSchema } from 'typebox'
import { runSync } from '../answer/time_slicing.ts'
import { type Answers, type Bytes, type Endpoint, type Shown, statusesOf } from '../declaration/endpoint.ts'
import { paramsOf } from '../declaration/steps.ts'
import { takesFiles } from '../declaration/types.ts'
import { isOpenToAnonymous } from '../request/authenticate.ts'
import { commonComponents, failure, pageHeaders, securitySchemes } from './common.ts'
import { refusalComponents, refusalResponses } from './refusals.ts'
import { type Json, type Named, SchemaBook } from './schemas.ts'

export interface OpenApiOptions {
  /** Version of the API, as in `GET /version`. */
  readonly version: string
  readonly examples?: Examples
}

/** Examples that are taken from a running instance, not from declarations. */
export interface Examples {
  /** One object of each entity, by its name. */
  readonly entities: Readonly<Record<string, unknown>>
  /** The ids of one path of each scope, by the scope's name. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, string | number>>>>
}

const noExamples: Examples = { entities: {}, paths: {} }

/**
 * Describes the endpoints of all resources; a resource is a chapter ("tag").
 * @throws Error two entities share a name, or a route has a parameter that nothing describes
 */
export const describeApi = (resources: Readonly<Record<string, readonly Endpoint[]>>, options: OpenApiOptions): Json =>
  runSync(describing(resources, options))

/**
 * The same as `describeApi`, with a pause after each endpoint and each entity, because the whole would block the event loop for too long.
 */
export function* describing(
  resources: Readonly<Record<string, readonly Endpoint[]>>,
  { version, examples = noExamples }: OpenApiOptions,
): Generator<void, Json, void> {
  const all = Object.values(resources).flat()
  const book = new SchemaBook(all.flatMap(endpoint => entitiesOf(endpoint.answers)))
  const paths: Record<string, Json> = {}
  for (const [tag, endpoints] of Object.entries(resources)) {
    for (const endpoint of endpoints) {
      const path = templateOf(endpoint)
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint, tag, book, examples)
      yield
    }
  }
  const schemas: Record<string, Json> = {}
  for (const [name, schema] of book.components()) {
    schemas[name] = name in examples.entities ? { ...schema, examples: [examples.entities[name]] } : schema
    yield
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ingot', version, license: { name: 'MIT', identifier: 'MIT' } },
    // Relative to the address of the description, so that it is right behind any proxy.
    servers: [{ url: '/' }],
    tags: Object.keys(resources).map(name => ({ name })),
    paths: sorted(paths),
    components: {
      ...commonComponents,
      responses: { Failure: failure, ...refusalComponents(all) },
      securitySchemes,
      schemas: sorted(schemas),
    },
  }
}

const sorted = <V>(record: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

/** All variants of the answered entity. */
function entitiesOf(answers: Answers): readonly Named[] {
  if (answers.kind !== 'one' && answers.kind !== 'page') return []
  const shown = answers.entity as Shown<never>
  return 'sizes' in shown ? shown.sizes : [shown]
}

const PLACEHOLDER = /[:*]([A-Za-z_]\w*)/g

/** `/projects/:id/files/*path` as `/api/v4/projects/{id}/files/{path}`. */
const templateOf = ({ dialect, path }: Endpoint): string => `${dialect.prefix}${path.replaceAll(PLACEHOLDER, '{$1}')}`

/**
 * `GET /projects/:id/members` as `getProjectsIdMembers`. Words with an inner capital are distinguished from those without, and so are
 * addresses with a part `-`.
 */
const operationIdOf = ({ method, path }: Endpoint): string =>
  method.toLowerCase() +
  path
    .replace('/-/', '/Dash/')
    .split(/[^A-Za-z0-9]+/)
    .filter(word => word !== '')
    .map(word => (/^[A-Z]/.test(word) ? `_${word}` : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('')

function operationOf(endpoint: Endpoint, tag: string, book: SchemaBook, examples: Examples): Json {
  const inPath = [...endpoint.path.matchAll(PLACEHOLDER)].map(match => match[1] as string)
  const params = Object.entries(paramsOf(endpoint)).filter(([name]) => !inPath.includes(name))
  const inBody = !['GET', 'DELETE'].includes(endpoint.method)
  const path = inPath.map(name => pathParameter(endpoint, name, book, examples))
  const query = inBody ? [] : params.map(([name, schema]) => queryParameter(name, schema, book))
  return {
    operationId: operationIdOf(endpoint),
    summary: endpoint.summary,
    ...(endpoint.rules.length > 0 ? { description: endpoint.rules.map(rule => `- ${rule.says}`).join('\n') } : {}),
    tags: [tag],
    ...(path.length + query.length > 0 ? { parameters: [...path, ...query] } : {}),
    ...bodyOf(endpoint, inBody ? params : [], book),
    responses: responsesOf(endpoint, book),
    security: securityOf(endpoint),
    'x-ability': endpoint.can,
    ...(endpoint.tier ? { 'x-tier': endpoint.tier } : {}),
  }
}

function pathParameter(endpoint: Endpoint, name: string, book: SchemaBook, { paths }: Examples): Json {
  const schema: TSchema | undefined = endpoint.scope.path[name] ?? endpoint.params[name]
  if (!schema) throw new Error(`${endpoint.route}: neither the scope nor the parameters describe "${name}"`)
  const { description, ...rest } = book.describe(schema)
  const example = paths[endpoint.scope.name]?.[name]
  return {
    name,
    in: 'path',
    required: true,
    ...(description ? { description } : {}),
    ...(example !== undefined && rest.examples === undefined ? { example } : {}),
    schema: rest,
  }
}

function queryParameter(name: string, schema: TSchema, book: SchemaBook): Json {
  const { description, deprecated, 'x-tier': tier, ...rest } = book.describe(schema)
  const { type, commas } = schema as { type?: string; commas?: boolean }
  return {
    name: type === 'array' && !commas ? `${name}[]` : name,
    in: 'query',
    required: isRequired(schema),
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...(tier ? { 'x-tier': tier } : {}),
    ...(type === 'array' ? { style: 'form', explode: !commas } : {}),
    ...(type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: rest,
  }
}

/** Is the parameter required? One with a default is not. */
const isRequired = (schema: TSchema): boolean => {
  const { '~optional': optional, default: standard } = schema as { '~optional'?: boolean; default?: unknown }
  return !optional && standard === undefined
}

function bodyOf(endpoint: Endpoint, params: readonly [string, TSchema][], book: SchemaBook): Json {
  if (endpoint.rawBody)
    return { requestBody: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } } }
  if (params.length === 0) return {}
  const required = params.filter(([, schema]) => isRequired(schema)).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(params.map(([name, property]) => [name, book.describe(property)])),
    ...(required.length > 0 ? { required } : {}),
  }
  const uploads = params.filter(([, property]) => takesFiles(property))
  const { mediaType } = endpoint.dialect
  const json = mediaType.endsWith('+json') ? [mediaType, 'application/json'] : ['application/json', 'application/x-www-form-urlencoded']
  const types = [
    ...(uploads.some(([, property]) => isRequired(property)) ? [] : json),
    ...(uploads.length > 0 ? ['multipart/form-data'] : []),
  ]
  return {
    requestBody: { required: required.length > 0, content: Object.fromEntries(types.map(type => [type, { schema }])) },
  }
}

/** What the endpoint answers, and by `default` what any address may: the server failed, or the request could not be read. */
const responsesOf = (endpoint: Endpoint, book: SchemaBook): Json => ({
  ...successOf(endpoint, book),
  ...refusalResponses(endpoint),
  default: { $ref: '#/components/responses/Failure' },
})

function successOf({ answers, method, dialect }: Endpoint, book: SchemaBook): Json {
  switch (answers.kind) {
    case 'nothing':
      return { [answers.status]: { description: 'Done' } }
    case 'bytes':
      return Object.fromEntries(answers.statuses.map(status => [status, contentsOf(answers, status)]))
    case 'one': {
      const done = { description: 'Done', content: { [dialect.mediaType]: { schema: book.anyOf(entitiesOf(answers)) } } }
      return Object.fromEntries(statusesOf(answers, method).map(status => [status, done]))
    }
    case 'page':
      return {
        200: {
          description: 'One page',
          headers: pageHeaders,
          content: { [dialect.mediaType]: { schema: { type: 'array', items: book.anyOf(entitiesOf(answers)) } } },
        },
      }
  }
}

/** Bytes that are answered with this status; some statuses have none. */
const contentsOf = ({ mediaType }: Bytes, status: number): Json =>
  status === 204
    ? { description: 'Nothing' }
    : { description: status === 206 ? 'The part that `Range` asks for' : 'Contents', content: { [mediaType]: {} } }

/** One of the credentials that the dialect accepts, or none if the endpoint is public. */
function securityOf(endpoint: Endpoint): Json[] {
  const credentials: readonly string[] = endpoint.dialect.credentials ?? []
  // In dialects with Basic authentication a job token is sent as a password.
  const names = [...credentials, ...(endpoint.jobToken && !credentials.includes('basic') ? ['job_token'] : [])]
  return [...(isOpenToAnonymous(endpoint) ? [{}] : []), ...names.map(name => ({ [name]: [] }))]
}
