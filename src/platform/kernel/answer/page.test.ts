/** Document 1 "Pagination" and decisions 1 to 5. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { type Answer, openScene } from '../../../../test/scene.ts'
import { endpoint, pageOf } from '../declaration/endpoint.ts'
import { scope } from '../declaration/scope.ts'
import { plain } from './entity.ts'
import { slicesOf } from './page.ts'

const Row = plain('Row', Type.Object({ n: Type.Integer() }))

const inRows = scope({
  name: 'inRows',
  path: { length: Type.Integer() },
  load: async (_ctx, { length }) => ({ length }),
  subject: () => ({ on: 'instance' as const }),
})

/** A list as long as its path says; it takes a filter that it has no use for. */
const listRows = endpoint({
  route: 'GET /rows/:length',
  summary: 'List rows',
  scope: inRows,
  can: 'read_instance',
  params: { labels: Type.Optional(Type.Array(Type.String())) },
  answers: pageOf(Row),
  run: ({ length }) => slicesOf(Array.from({ length }, (_, n) => ({ n }))),
})

const scene = await openScene({ endpoints: [listRows] })
const whole = await openScene()

const numbers = (answer: Answer) => (answer.body as { n: number }[]).map(row => row.n)

/** The relations of a `Link` header with their addresses. */
const linksOf = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    [...(answer.headers.link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"(?:, |$)/g)].map(([, url, relation]) => [relation, url]),
  )

const headersOf = ({ headers }: Answer) =>
  Object.fromEntries(['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'].map(name => [name, headers[name]]))

describe('offset pages (document 1 "Pagination")', () => {
  test('the first page has 20 rows, all six headers, and no prev (decision 1)', async () => {
    const answer = await scene.anonymous.get('/rows/45')

    assert.deepEqual(
      numbers(answer),
      Array.from({ length: 20 }, (_, n) => n),
    )
    assert.deepEqual(headersOf(answer), {
      'x-page': '1',
      'x-per-page': '20',
      'x-next-page': '2',
      'x-prev-page': '',
      'x-total': '45',
      'x-total-pages': '3',
    })
    assert.deepEqual(Object.keys(linksOf(answer)), ['next', 'first', 'last'])
  })

  test('the last page has no next (decision 1)', async () => {
    const answer = await scene.anonymous.get('/rows/45', { page: 3 })

    assert.deepEqual(numbers(answer), [40, 41, 42, 43, 44])
    assert.equal(answer.headers['x-next-page'], '')
    assert.equal(answer.headers['x-prev-page'], '2')
    assert.deepEqual(Object.keys(linksOf(answer)), ['prev', 'first', 'last'])
  })

  test('a page that is exactly full is the last one where no row follows', async () => {
    const answer = await scene.anonymous.get('/rows/40', { page: 2 })

    assert.equal(numbers(answer).length, 20)
    assert.equal(answer.headers['x-next-page'], '')
  })

  test('a page beyond the end is empty, and has prev only where that page exists (decision 1)', async () => {
    const [next, far] = [await scene.anonymous.get('/rows/45', { page: 4 }), await scene.anonymous.get('/rows/45', { page: 9 })]

    assert.deepEqual([next.body, next.headers['x-prev-page'], Object.keys(linksOf(next))], [[], '3', ['prev', 'first', 'last']])
    assert.deepEqual([far.body, far.headers['x-prev-page'], Object.keys(linksOf(far))], [[], '', ['first', 'last']])
  })

  test('an empty list is one page of nothing (decision 1: glab would loop for ever on 0 pages)', async () => {
    const answer = await scene.anonymous.get('/rows/0')

    assert.deepEqual(answer.body, [])
    assert.deepEqual(headersOf(answer), {
      'x-page': '1',
      'x-per-page': '20',
      'x-next-page': '',
      'x-prev-page': '',
      'x-total': '0',
      'x-total-pages': '1',
    })
    assert.deepEqual(Object.keys(linksOf(answer)), ['first', 'last'])
  })

  test('following next reads every row once, with the filters kept', async () => {
    const seen: number[] = []
    let url: string | undefined = `${scene.url}/api/v4/rows/45?per_page=7&labels[]=a%2Cb&labels[]=c%3Bd&unknown=%2B`
    for (let requests = 0; url; requests++) {
      assert.ok(requests < 10)
      const answer: Answer = await scene.anonymous.get(url)
      seen.push(...numbers(answer))
      url = linksOf(answer).next
      if (!url) break
      const query = new URL(url).searchParams
      assert.deepEqual(query.getAll('labels[]'), ['a,b', 'c;d'])
      assert.equal(query.get('unknown'), '+')
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 45 }, (_, n) => n),
    )
  })

  test('commas and semicolons inside a link stay encoded, for clients that split on them (clients.md 0.9)', async () => {
    const { headers } = await scene.anonymous.get(`${scene.url}/api/v4/rows/45?labels[]=a%2Cb%3Bc`)

    for (const url of String(headers.link).match(/<[^>]+>/g) ?? []) assert.doesNotMatch(url, /[,;]/)
  })

  test('slashes before the path do not turn its first part into the host of the links (decision 18)', async () => {
    const { status, headers } = await fetch(`${scene.url}//api//v4/rows/45?page=2`)

    assert.equal(status, 200)
    assert.match(String(headers.get('link')), new RegExp(`^<${scene.url}/api//v4/rows/45\\?page=1&`))
  })

  test('links use the host that the client asked for (clients.md 0.9)', async () => {
    const port = new URL(scene.url).port
    const answer = await scene.anonymous.get('/rows/45', {}, { host: `localhost:${port}` })

    assert.match(String(linksOf(answer).next), new RegExp(`^http://localhost:${port}/api/v4/rows/45\\?`))
  })

  test('per_page above 100 is served as 100 (decision 2)', async () => {
    const answer = await scene.anonymous.get('/rows/250', { per_page: 500 })

    assert.equal(numbers(answer).length, 100)
    assert.equal(answer.headers['x-per-page'], '100')
    assert.equal(new URL(linksOf(answer).next as string).searchParams.get('per_page'), '100')
  })

  test('page 0 is the first one', async () => {
    const [zero, first] = [await scene.anonymous.get('/rows/45', { page: 0 }), await scene.anonymous.get('/rows/45', { page: 1 })]

    assert.deepEqual(numbers(zero), numbers(first))
    assert.equal(zero.headers['x-page'], '1')
    assert.deepEqual(linksOf(zero), linksOf(first))
  })

  for (const query of [{ per_page: 0 }, { page: -1 }, { per_page: 'x' }, { page: '1.5' }])
    test(`${JSON.stringify(query)} is a 400 (decision 2)`, async () => {
      const answer = await scene.anonymous.get('/rows/5', query)

      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(answer.body.message), Object.keys(query))
    })

  test('totals are exact up to 10,000 rows and left out above (decision 3)', async () => {
    const exact = await scene.anonymous.get('/rows/10000')
    const beyond = await scene.anonymous.get('/rows/10001')

    assert.equal(exact.headers['x-total'], '10000')
    assert.equal(exact.headers['x-total-pages'], '500')
    assert.equal(beyond.headers['x-total'], undefined)
    assert.equal(beyond.headers['x-total-pages'], undefined)
    assert.equal(beyond.headers['x-next-page'], '2')
    assert.deepEqual(Object.keys(linksOf(beyond)), ['next', 'first'])
  })

  test('a page far beyond the end is empty', async () => {
    const answer = await scene.anonymous.get('/rows/5', { page: 9_007_199_254_740 })

    assert.deepEqual(answer, { status: 200, body: [] })
    assert.equal(answer.headers['x-next-page'], '')
  })

  test('a query of kilobytes leaves an answer that clients can read: next alone, then no links', async () => {
    const long = await scene.anonymous.get('/rows/45', { labels: ['x'.repeat(5_000)] })
    const longer = await scene.anonymous.get('/rows/45', { labels: ['x'.repeat(20_000)] })

    assert.deepEqual(Object.keys(linksOf(long)), ['next'])
    assert.equal(longer.headers.link, undefined)
    assert.equal(longer.headers['x-next-page'], '2')
  })
})

describe('the projects list', () => {
  test('keyset pages by id read every project once, both ways, and end with an empty page without links (decision 4)', async () => {
    const { group } = await whole.group()
    for (let n = 0; n < 5; n++) await whole.project({ group, visibility: 'private' })
    const all = (await whole.root.get('/projects', { per_page: 100, order_by: 'id', sort: 'asc' })).body.map(
      (row: { id: number }) => row.id,
    )

    for (const sort of ['asc', 'desc']) {
      const seen: number[] = []
      let answer = await whole.root.get('/projects', { pagination: 'keyset', order_by: 'id', sort, per_page: 2 })
      while (answer.headers.link) {
        assert.equal(answer.headers.links, answer.headers.link)
        assert.equal(answer.headers['x-total'], undefined)
        seen.push(...answer.body.map((row: { id: number }) => row.id))
        const next = linksOf(answer).next as string
        assert.equal(new URL(next).searchParams.get(sort === 'asc' ? 'id_after' : 'id_before'), String(seen.at(-1)))
        answer = await whole.root.get(next)
      }
      assert.deepEqual(answer.body, [])
      assert.deepEqual(seen, sort === 'asc' ? all : all.toReversed())
    }
  })

  test('keyset pages in another order are a 405 with a message (decision 4)', async () => {
    const answer = await whole.root.get('/projects', { pagination: 'keyset', order_by: 'name' })

    assert.equal(answer.status, 405)
    assert.match(answer.body.message, /Keyset pagination/)
  })

  test('a list without keyset pages ignores the parameter (decision 4)', async () => {
    const answer = await whole.root.get('/groups', { pagination: 'keyset' })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers['x-page'], '1')
  })

  test('offset pages end at 50,000 rows, and the refusal names keyset pagination (decision 5)', async () => {
    const within = await whole.root.get('/projects', { page: 500, per_page: 100 })
    const beyond = await whole.root.get('/projects', { page: 501, per_page: 100 })

    assert.equal(within.status, 200)
    assert.equal(beyond.status, 405)
    assert.match(beyond.body.message, /keyset pagination/)
  })
})
