import assert from 'node:assert/strict'
import test from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { resources } from '../../../server/endpoints.ts'
import { entity } from '../answer/entity.ts'
import { rest } from '../declaration/dialect.ts'
import { bytes, endpoint, nothing, one, pageOf, type Route, ranged } from '../declaration/endpoint.ts'
import { inInstance, scope } from '../declaration/scope.ts'
import { CommaList, File, Hash, Nullable, OneOf, onTier } from '../declaration/types.ts'
import { exclusive } from '../request/params.ts'
import { describeApi } from './openapi.ts'

const Author = entity({ name: 'Author', schema: Type.Object({ id: Type.Integer() }), present: (row: { id: number }) => row })
const Book = entity({
  name: 'Book',
  schema: Type.Object({ title: Type.String(), author: Nullable(Author.schema), weight: onTier('premium', Type.Integer()) }),
  present: (row: { title: string; author: { id: number } | null; weight: number }) => row,
})
const inBook = scope({
  name: 'inBook',
  path: { id: Type.Integer({ description: 'ID of a book' }) },
  load: async () => ({}),
  subject: () => ({ on: 'instance' as const }),
})
const row = { title: '', author: null, weight: 1 }

const books = [
  endpoint({
    route: 'GET /books',
    summary: 'List books',
    scope: inInstance,
    can: 'read_instance',
    params: {
      labels: Type.Optional(CommaList(Type.String())),
      iids: Type.Optional(Type.Array(Type.Integer())),
      not: Type.Optional(Hash({ description: 'What to leave out', deprecated: true })),
      search: Type.Optional(Type.String()),
    },
    rules: [exclusive('labels', 'search')],
    answers: pageOf(Book),
    run: () => ({ slice: async () => [row], count: async () => 1 }),
  }),
  endpoint({
    route: 'GET /books/:id/authors',
    summary: 'Get the author',
    scope: inBook,
    can: 'use_instance',
    jobToken: true,
    answers: one(Author),
    run: () => ({ id: 1 }),
  }),
  endpoint({
    route: 'POST /books',
    summary: 'Write a book',
    scope: inInstance,
    can: 'use_instance',
    tier: 'premium',
    params: {
      title: Type.String({ examples: ['Ink'] }),
      kind: Type.Optional(OneOf(['novel', 'poem'])),
      size: Type.Integer({ default: 1 }),
    },
    answers: one(Book),
    run: () => row,
  }),
  endpoint({
    route: 'PUT /books/:id/cover',
    summary: 'Set the cover',
    scope: inBook,
    can: 'use_instance',
    params: { file: File() },
    answers: nothing,
    run: () => {},
  }),
  endpoint({
    route: 'GET /books/:id/pages/*page_path',
    summary: 'Get a page',
    scope: { ...inBook, path: { ...inBook.path, page_path: Type.String() } },
    can: 'use_instance',
    answers: bytes('text/plain'),
    run: () => ({ body: '' }),
  }),
]

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read by path
const describe = (list = books): any => JSON.parse(JSON.stringify(describeApi({ books: list }, { version: '14.0.0' })))

test('the description of the whole server is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(describeApi(resources, { version: '14.0.0' }))))

  assert.deepEqual(result, { valid: true })
})

test('every endpoint is in the description, once, under an id of its own', () => {
  const { paths } = JSON.parse(JSON.stringify(describeApi(resources, { version: '14.0.0' }))) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }

  const ids = Object.values(paths).flatMap(path => Object.values(path).map(operation => operation.operationId))

  assert.equal(ids.length, Object.values(resources).flat().length)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  )
})

test('query parameters are spelled the way the wire wants them', () => {
  const parameters = describe().paths['/api/v4/books'].get.parameters

  assert.deepEqual(parameters.slice(0, 4), [
    { name: 'labels', in: 'query', required: false, style: 'form', explode: false, schema: { type: 'array', items: { type: 'string' } } },
    { name: 'iids[]', in: 'query', required: false, style: 'form', explode: true, schema: { type: 'array', items: { type: 'integer' } } },
    {
      name: 'not',
      in: 'query',
      required: false,
      description: 'What to leave out',
      deprecated: true,
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
    { name: 'search', in: 'query', required: false, schema: { type: 'string' } },
  ])
})

test('a list says that it has pages', () => {
  const { get } = describe().paths['/api/v4/books']

  assert.deepEqual(
    get.parameters.slice(4).map((parameter: { name: string }) => parameter.name),
    ['page', 'per_page'],
  )
  assert.ok(get.responses[200].headers.Link)
  assert.deepEqual(get.responses[200].content['application/json'].schema, { type: 'array', items: { $ref: '#/components/schemas/Book' } })
})

test('an entity inside another is a reference, and a field of a tier is marked', () => {
  assert.deepEqual(describe().components.schemas.Book.properties, {
    title: { type: 'string' },
    author: { anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }] },
    weight: { type: 'integer', 'x-tier': 'premium' },
  })
})

test('a body requires what has neither a default nor leave to be absent', () => {
  const { post } = describe().paths['/api/v4/books']

  assert.deepEqual(post.requestBody.content['application/json'].schema, {
    type: 'object',
    properties: {
      title: { type: 'string', examples: ['Ink'] },
      kind: { type: 'string', enum: ['novel', 'poem'] },
      size: { type: 'integer', default: 1 },
    },
    required: ['title'],
  })
  assert.deepEqual(Object.keys(post.responses), ['201', '400', '401', '403', '413', '415', '429', 'default'])
  assert.equal(post['x-tier'], 'premium')
})

test('a file makes the body multipart, and a path of several segments is one parameter', () => {
  const { paths } = describe()

  assert.deepEqual(Object.keys(paths['/api/v4/books/{id}/cover'].put.requestBody.content), ['multipart/form-data'])
  assert.deepEqual(
    paths['/api/v4/books/{id}/pages/{page_path}'].get.parameters.map((parameter: { name: string }) => parameter.name),
    ['id', 'page_path'],
  )
})

test('credentials follow from dialect and declaration: none for the public, a job token where it opens', () => {
  const { paths } = describe()
  const usual = [{ private_token: [] }, { bearer: [] }, { session: [] }]

  assert.deepEqual(paths['/api/v4/books'].get.security, [{}, ...usual])
  assert.deepEqual(paths['/api/v4/books/{id}/authors'].get.security, [...usual, { job_token: [] }])
})

test('refusals follow from the declaration, those of `errors` among them, with the body that the dialect has', () => {
  const dialect = { ...rest, name: 'letters', statuses: { bad_request: 422 }, refusalBody: Type.Object({ reason: Type.String() }) }
  const common = { summary: 'x', scope: { ...inBook, modifiedAt: () => '' }, can: 'use_instance', answers: nothing, run: () => {} } as const
  const list = [
    endpoint({ ...common, route: 'DELETE /books/:id', errors: ['conflict'] }),
    endpoint({ ...common, route: 'PUT /books/:id', dialect: { ...dialect, prefix: '/letters' } }),
    endpoint({ ...common, route: 'GET /books/:id/file', answers: ranged('image/png'), run: () => ({ body: '' }) }),
  ]

  const { paths, components } = describe(list)

  const refused = (path: string, method: string) => Object.keys(paths[path][method].responses).slice(0, -1)
  assert.deepEqual(refused('/api/v4/books/{id}', 'delete'), ['204', '400', '401', '403', '404', '409', '412', '413', '415', '429'])
  assert.deepEqual(refused('/letters/books/{id}', 'put'), ['204', '401', '403', '404', '413', '415', '422', '429'])
  assert.deepEqual(refused('/api/v4/books/{id}/file', 'get'), ['200', '206', '304', '401', '403', '404', '416', '429'])
  assert.deepEqual(paths['/letters/books/{id}'].put.responses['422'], { $ref: '#/components/responses/LettersBadRequest' })
  const { schema } = components.responses.LettersBadRequest.content['application/json']
  assert.deepEqual(Object.keys(schema.properties), ['reason'])
  assert.equal(components.responses.NotModified.content, undefined)
})

test('two entities of one name are refused, and so is a path parameter that nothing describes', () => {
  const other = entity({ ...Author, schema: Type.Object({ name: Type.String() }), present: () => ({ name: '' }) })
  const named = endpoint({
    route: 'GET /a',
    summary: 'A',
    scope: inInstance,
    can: 'read_instance',
    answers: one(other),
    run: () => row as never,
  })
  // Of a route that is known only as the program runs, types cannot say it.
  const route: Route = 'GET /a/:b' as Route
  const lost = endpoint({ route, summary: 'A', scope: inInstance, can: 'read_instance', answers: nothing, run: () => {} })

  assert.throws(() => describe([...books, named]), /two entities are called Author/)
  assert.throws(() => describe([lost]), /neither the scope nor the parameters describe "b"/)
})
