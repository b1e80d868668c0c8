/** The behaviour of every declared endpoint: document 1 and decisions 6, 8, 12 and 15 to 19, on endpoints made for this test. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { openScene } from '../../../test/scene.ts'
import { roles } from '../access/abilities.ts'
import { entity, plain } from './answer/entity.ts'
import { bytes, endpoint, nothing, one } from './declaration/endpoint.ts'
import { inInstance, scope } from './declaration/scope.ts'
import { File, onTier } from './declaration/types.ts'
import { conflict, notFound } from './errors.ts'

const modifiedAt = '2021-06-01T12:00:00.500Z'

/** Everyone may see number 1, only administrators number 2; everyone has the role Reporter in it. */
const inShelf = scope({
  name: 'inShelf',
  path: { shelf_id: Type.Integer() },
  load: async ({ actor }, { shelf_id }) => {
    if (shelf_id !== 1 && !(shelf_id === 2 && actor.user?.admin)) throw notFound('Shelf')
    return { shelf: { id: shelf_id } }
  },
  subject: () => ({ on: 'group' as const, role: roles.reporter, visibility: 'public' as const }),
  modifiedAt: () => modifiedAt,
})

const Shelf = plain('Shelf', Type.Object({ id: Type.Integer() }))
const Echo = plain('Echo', Type.Record(Type.String(), Type.Unknown()))
const Tiered = entity({
  name: 'Tiered',
  schema: Type.Object({ free: Type.Integer(), weight: onTier('premium', Type.Integer()), score: onTier('ultimate', Type.Integer()) }),
  present: (row: { weight: number }) => ({ free: 1, score: 3, ...row }),
})

let seenFile = ''

/** What a request waits for, and whether it has gone on. */
const slow = { begun: Promise.withResolvers<void>(), gate: Promise.withResolvers<void>(), isDone: false }

const endpoints = [
  endpoint({
    route: 'GET /slow',
    summary: 'Wait for a test',
    scope: inInstance,
    can: 'read_instance',
    anonymous: true,
    answers: nothing,
    async run({ db }) {
      slow.begun.resolve()
      await slow.gate.promise
      await db.selectFrom('users').select('id').limit(1).execute()
      slow.isDone = true
    },
  }),
  endpoint({
    route: 'GET /shelves/:shelf_id',
    summary: 'Get a shelf',
    scope: inShelf,
    can: 'read_group',
    answers: one(Shelf),
    run: ({ shelf }) => shelf,
  }),
  endpoint({
    route: 'POST /shelves/:shelf_id/books',
    summary: 'Put a book on a shelf',
    scope: inShelf,
    can: 'admin_group',
    params: { title: Type.String({ maxLength: 5 }) },
    answers: one(Shelf),
    run: ({ params, shelf }) => {
      if (params.title === 'taken') throw conflict('Title has already been taken')
      return shelf
    },
  }),
  endpoint({
    route: 'DELETE /shelves/:shelf_id',
    summary: 'Delete a shelf',
    scope: inShelf,
    can: 'read_group',
    anonymous: true,
    answers: nothing,
    run: () => {},
  }),
  endpoint({
    route: 'POST /flags/:name',
    summary: 'Write a row, then refuse',
    scope: scope({ ...inInstance, name: 'inFlag', path: { name: Type.String() } }),
    can: 'read_instance',
    anonymous: true,
    params: { refuse: Type.Boolean({ default: false }), name: Type.String() },
    answers: nothing,
    run: async ({ db, params }) => {
      await db.insertInto('feature_flags').values({ name: params.name }).execute()
      if (params.refuse) throw conflict('after the row was written')
    },
  }),
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).map(method =>
    endpoint({
      route: `${method} /echo/:word`,
      summary: 'Answer the parameters',
      scope: scope({ ...inInstance, name: 'inEcho', path: { word: Type.String() } }),
      can: 'read_instance',
      anonymous: true,
      params: { word: Type.String(), a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) },
      answers: one(Echo),
      run: ({ params }) => params,
    }),
  ),
  endpoint({
    route: 'POST /files',
    summary: 'Take a file',
    scope: inInstance,
    can: 'read_instance',
    anonymous: true,
    params: { file: File() },
    answers: one(Echo),
    run: ({ params: { file } }) => {
      seenFile = file.file
      return { name: file.filename, size: file.size, kept: existsSync(file.file) }
    },
  }),
  endpoint({
    route: 'GET /broken',
    summary: 'Fail unforeseen',
    scope: inInstance,
    can: 'read_instance',
    answers: nothing,
    run: () => {
      throw new Error('a secret of the server')
    },
  }),
  endpoint({
    route: 'GET /tiered',
    summary: 'Have fields and parameters of higher tiers',
    scope: inInstance,
    can: 'read_instance',
    params: { weight: onTier('premium', Type.Integer({ default: 2 })) },
    answers: one(Tiered),
    run: ({ params }) => ({ weight: params.weight ?? 0 }),
  }),
  endpoint({
    route: 'GET /paid',
    summary: 'Be there on the highest tier alone',
    scope: inInstance,
    can: 'read_instance',
    tier: 'ultimate',
    answers: one(Echo),
    run: () => ({}),
  }),
  endpoint({
    route: 'GET /page',
    summary: 'Answer a page',
    scope: inInstance,
    can: 'read_instance',
    answers: bytes('text/html; charset=utf-8'),
    run: () => ({ body: '<p>' }),
  }),
]

const scene = await openScene({ endpoints, failuresExpected: true })
const premium = await openScene({ endpoints, settings: { tier: 'premium' } })
const { anonymous, root } = scene
const reader = await scene.user()

const missing = { message: '400 (Bad request) "title" not given' }
const noShelf = { message: '404 Shelf Not Found' }

describe('refusals come in order (decision 8)', () => {
  test('first 401: a caller who is not signed in learns nothing', async () => {
    assert.deepEqual(await anonymous.post('/shelves/7/books'), { status: 401, body: { message: '401 Unauthorized' } })
  })
  test('then 400: parameters that fail validation', async () => {
    assert.deepEqual(await reader.post('/shelves/7/books'), { status: 400, body: missing })
    assert.deepEqual(await reader.post('/shelves/7/books', { title: 'too long' }), {
      status: 400,
      body: { message: { title: ['is too long (maximum is 5 characters)'] } },
    })
  })
  test('then 404: a resource that the caller may not see, in the words for one that does not exist', async () => {
    for (const id of ['2', '7', 'x', '99999999999999999999', '%00'])
      assert.equal((await reader.post(`/shelves/${id}/books`, { title: 'a' })).status, 404, id)
    assert.deepEqual(await reader.post('/shelves/2/books', { title: 'a' }), { status: 404, body: noShelf })
    assert.deepEqual(await reader.post('/shelves/7/books', { title: 'a' }), { status: 404, body: noShelf })
  })
  test('then 403: an action that the caller may not do', async () => {
    assert.deepEqual(await reader.post('/shelves/1/books', { title: 'taken' }), { status: 403, body: { message: '403 Forbidden' } })
  })
  test('then 400: parameters that are wrong in this state', async () => {
    assert.deepEqual(await root.post('/shelves/1/books', { title: 'taken' }), {
      status: 409,
      body: { message: 'Title has already been taken' },
    })
  })
  test('a request that passes all checks succeeds', async () => {
    assert.deepEqual(await root.post('/shelves/1/books', { title: 'new' }), { status: 201, body: { id: 1 } })
  })
})

describe('writes', () => {
  const flags = (name: string) => scene.deps.database.db.selectFrom('feature_flags').where('name', '=', name).select('name').execute()

  test('a refusal after a write leaves nothing', async () => {
    assert.equal((await anonymous.post('/flags/refused', { refuse: true })).status, 409)
    assert.deepEqual(await flags('refused'), [])
  })
  test('an answered write is stored, and 204 has no body', async () => {
    const answer = await anonymous.post('/flags/written')
    assert.deepEqual(answer, { status: 204, body: undefined })
    assert.equal(answer.headers['content-type'], undefined)
    assert.equal((await flags('written')).length, 1)
  })
})

describe('addresses', () => {
  test('an unknown address is 404, in any version and with any suffix (decisions 6 and 17)', async () => {
    for (const path of ['/nowhere', '/shelves', '/shelves/1.json', '/shelves/1/books/1'])
      assert.equal((await anonymous.get(path)).status, 404, path)
    for (const path of ['/', '/api', '/api/v3/shelves/1', '/shelves/1', '/api/v4/nowhere'])
      assert.deepEqual(await anonymous.get(`${scene.url}${path}`), { status: 404, body: { error: '404 Not Found' } }, path)
  })
  test('a method that an address does not have is 405 and says which it has (decision 6)', async () => {
    const answer = await anonymous.put('/shelves/1')
    assert.deepEqual(answer, { status: 405, body: { message: '405 Method Not Allowed' } })
    assert.deepEqual(answer.headers.allow?.split(', ').sort(), ['DELETE', 'GET', 'HEAD'])
    assert.equal((await anonymous.get('/shelves/1/books')).headers.allow, 'POST')
    assert.equal((await anonymous.head('/shelves/1/books')).status, 405)
  })
  test('a method that no address has is 404, without a content type too', async () => {
    for (const path of ['/api/v4/shelves/1', '/api/v4/nowhere']) {
      const answer = await fetch(scene.url + path, { method: 'QUERY' })
      assert.deepEqual([answer.status, await answer.json()], [404, { error: '404 Not Found' }], path)
    }
  })
  test('HEAD is GET without the body', async () => {
    const [get, head] = [await anonymous.get('/shelves/1'), await anonymous.head('/shelves/1')]
    assert.equal(head.status, 200)
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-type', 'content-length', 'etag']) assert.equal(head.headers[name], get.headers[name], name)
  })
  test('repeated slashes are one, a slash at the end is none (decision 18)', async () => {
    assert.equal((await anonymous.get('//shelves///1')).status, 200)
    assert.equal((await anonymous.get('/shelves/1/')).status, 200)
  })
  test('%2E is decoded, %2F never splits, in either case of letters (decision 18)', async () => {
    assert.equal((await anonymous.get('/echo/read%2Eme')).body.word, 'read.me')
    assert.equal((await anonymous.get('/echo/read%2eme')).body.word, 'read.me')
    assert.equal((await anonymous.get('/echo/a%2Fb%2fc')).body.word, 'a/b/c')
    assert.equal((await anonymous.get('/echo/a%252Fb')).body.word, 'a%2Fb')
    assert.equal((await anonymous.get('/echo/a/b')).status, 404)
    assert.equal((await anonymous.get('/echo/na%C3%AFve')).body.word, 'naïve')
    assert.equal((await anonymous.get('/echo/a+b')).body.word, 'a+b')
  })
  test('a part as long as the longest path of a file is served, a longer one is 414', async () => {
    assert.equal((await anonymous.get(`/echo/${'%E6%96%87'.repeat(1_365)}`)).status, 200)
    assert.deepEqual(await anonymous.get(`/echo/${'x'.repeat(20_000)}`), { status: 414, body: { message: '414 Request-URI Too Large' } })
  })
  test('a malformed escape is a 400 in the error form of the API', async () => {
    for (const path of ['/echo/%zz', '/echo/%', '/echo/%ff', '/echo/x?a=%zz', '/echo/x?%ff']) {
      const answer = await anonymous.get(path)
      assert.equal(answer.status, 400, path)
      assert.match(answer.body.message, /^400 Bad request - malformed/, path)
      assert.equal(answer.headers['content-type'], 'application/json')
      assert.deepEqual([answer.headers['x-content-type-options'], typeof answer.headers['x-request-id']], ['nosniff', 'string'], path)
    }
  })
})

describe('parameters', () => {
  test('a write takes them from the query, the body, or both (Request conventions 1; clients.md 0.2)', async () => {
    assert.deepEqual((await anonymous.request('POST', '/echo/x', { query: { a: '1' }, body: {} })).body, { word: 'x', a: '1' })
    assert.deepEqual((await anonymous.request('PUT', '/echo/x', { query: { a: '1' }, body: { b: '2' } })).body, {
      word: 'x',
      a: '1',
      b: '2',
    })
    assert.deepEqual((await anonymous.post('/echo/x', new URLSearchParams({ a: '1 2' }))).body, { word: 'x', a: '1 2' })
  })
  test('the path wins over query and body', async () => {
    assert.equal((await anonymous.request('POST', '/echo/x', { query: { word: 'q' }, body: { word: 'b' } })).body.word, 'x')
  })
  test('a content type without a body is no parameters (clients.md 0.1)', async () => {
    for (const method of ['GET', 'DELETE', 'POST', 'PUT'])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense'])
        assert.ok((await anonymous.request(method, '/echo/x', { headers: { 'content-type': type } })).status < 300, `${method} ${type}`)
  })
  test('a body that cannot be read is refused', async () => {
    const json = (body: string) => anonymous.post('/echo/x', body, { 'content-type': 'application/json' })
    assert.deepEqual(await json('{'), { status: 400, body: { message: '400 Bad request - the body is not valid JSON' } })
    assert.equal((await json('[]')).status, 400)
    assert.equal((await anonymous.post('/echo/x', 'a', { 'content-type': 'text/csv' })).status, 415)
    assert.equal((await anonymous.post('/echo/x', { a: 'x'.repeat(11 * 1024 * 1024) })).status, 413)
  })
  test('an uploaded file exists while the endpoint runs and is removed after the answer', async () => {
    const form = new FormData()
    form.set('file', new Blob(['hello']), 'name.txt')
    assert.deepEqual(await anonymous.post('/files', form), { status: 201, body: { name: 'name.txt', size: 5, kept: true } })
    assert.equal(existsSync(seenFile), false)
  })
  test('a query string of tens of kilobytes is served, above 64 KB it is 414 (decision 16)', async () => {
    assert.equal((await anonymous.get(`/echo/x?a=${'x'.repeat(60_000)}`)).status, 200)
    for (const length of [65_600, 500_000, 2_000_000]) {
      const answer = await anonymous.get(`/echo/x?a=${'x'.repeat(length)}`)
      assert.deepEqual(answer, { status: 414, body: { message: '414 Request-URI Too Large' } }, String(length))
    }
  })
  test('bytes that are not HTTP get the error form of the API', async () => {
    const raw = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(scene.url).port), '127.0.0.1', () => socket.end('GET / NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    assert.match(raw, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(raw, /\{"message":"400 Bad request - unreadable request"\}$/)
  })
  test('a client that disconnects in the middle of its body is no server error', async () => {
    const before = scene.failures.length
    const { port } = new URL(scene.url)
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, 'content-length': 1000 }
      const request = httpRequest({ port, hostname: '127.0.0.1', path: '/api/v4/echo/x', method: 'POST', headers })
      const closed = new Promise(resolve => request.on('error', resolve))
      request.write('{"a": ', () => request.destroy())
      await closed
    }
    // The same server has read everything that came before.
    await anonymous.get('/echo/x')
    assert.equal(scene.failures.length, before)
  })
})

describe('answers', () => {
  test('are application/json without a charset (decision 19)', async () => {
    assert.equal((await anonymous.get('/shelves/1')).headers['content-type'], 'application/json')
    assert.equal((await anonymous.get('/shelves/7')).headers['content-type'], 'application/json')
    assert.equal((await anonymous.get('/page')).headers['content-type'], 'text/html; charset=utf-8')
  })
  test('of the API, refusals included, are not stored by shared caches', async () => {
    for (const path of ['/shelves/1', '/shelves/7'])
      assert.equal((await anonymous.get(path)).headers['cache-control'], 'max-age=0, private, must-revalidate', path)
  })
  test('a resource has an entity tag and answers 304 to a client that has it (decision 15)', async () => {
    const { etag } = (await anonymous.get('/shelves/1')).headers
    assert.ok(etag)
    for (const tag of [etag, etag.replace(/^W\//, ''), `"other", ${etag}`, '*'])
      assert.deepEqual(await anonymous.get('/shelves/1', {}, { 'if-none-match': tag }), { status: 304, body: undefined }, tag)
    assert.equal((await anonymous.get('/shelves/1', {}, { 'if-none-match': '"other"' })).status, 200)
    assert.equal((await anonymous.head('/shelves/1', {}, { 'if-none-match': etag })).status, 304)
  })
  test('DELETE of a resource that has changed since If-Unmodified-Since is 412 (decision 15)', async () => {
    const since = (date: string) => anonymous.delete('/shelves/1', {}, { 'if-unmodified-since': date })
    assert.deepEqual(await since('Tue, 01 Jun 2021 11:59:59 GMT'), { status: 412, body: { message: '412 Precondition Failed' } })
    // The header has whole seconds: a change in the same second does not count as later.
    assert.equal((await since('Tue, 01 Jun 2021 12:00:00 GMT')).status, 204)
    assert.equal((await since('nonsense')).status, 204)
  })
  test('an unexpected error is a 500 with a request id and no internals', async () => {
    const answer = await anonymous.get('/broken')
    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys(answer.body), ['message', 'request_id'])
    assert.equal(answer.body.message, '500 Internal Server Error')
    assert.equal(answer.body.request_id, answer.headers['x-request-id'])
    const logged = scene.failures.find(line => line.reqId === answer.body.request_id)
    assert.equal((logged?.err as Error | undefined)?.message, 'a secret of the server')
  })
  test('every answer has a request id of its own', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await anonymous.get('/shelves/1')).headers['x-request-id']))
    assert.notEqual(ids[0], ids[1])
  })
})

describe('tiers (document 1 "Notation")', () => {
  test('fields above the tier are not shown, parameters above it are ignored', async () => {
    assert.deepEqual((await anonymous.get('/tiered', { weight: 7 })).body, { free: 1, weight: 7, score: 3 })
    assert.deepEqual((await premium.anonymous.get('/tiered', { weight: 7 })).body, { free: 1, weight: 7 })
  })
  test('an endpoint above the tier is an unknown address', async () => {
    assert.equal((await anonymous.get('/paid')).status, 200)
    assert.deepEqual(await premium.anonymous.get('/paid'), { status: 404, body: { error: '404 Not Found' } })
  })
})

test('the end of the application waits for work whose client has left', async () => {
  const { app } = scene
  const asked = httpRequest(`${scene.url}/api/v4/slow`, { agent: false }).on('error', () => {})
  asked.end()
  await slow.begun.promise
  asked.destroy()
  const ended = app.close()
  setTimeout(() => slow.gate.resolve(), 50)
  await ended
  assert.equal(slow.isDone, true)
})
