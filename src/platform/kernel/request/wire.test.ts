/** Document 1 "Request conventions" 1 to 3 and 5; clients.md section 0, requests 1 to 4. */
import assert from 'node:assert/strict'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { atEnd } from '../../../../test/at_end.ts'
import { Refusal } from '../errors.ts'
import { type Body, decodeForm, Repeated, readBody } from './wire.ts'

/** The values without their null prototypes, so that `deepEqual` sees only what came. */
const plain = (value: unknown): unknown => {
  if (value instanceof Repeated) return { repeated: value.values.map(plain) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

const refusedWith = (status: number, text: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.status === status && text.test(JSON.stringify(error.body))

describe('forms', () => {
  const readings: [string, string, unknown][] = [
    ['nothing', '', {}],
    ['pairs', 'a=1&b=two', { a: '1', b: 'two' }],
    ['a key without a value is an empty text', 'a&b=', { a: '', b: '' }],
    ['empty pairs are skipped', '&&a=1&', { a: '1' }],
    ['only the first equals sign separates', 'a=b=c', { a: 'b=c' }],
    [
      'a plus is a space and %2B a plus (Request conventions 5)',
      'a=2021-01-01T00:00:00%2B02:00&b=x+y',
      { a: '2021-01-01T00:00:00+02:00', b: 'x y' },
    ],
    ['UTF-8, also in keys', 'na%C3%AFve=%F0%9F%A6%8A', { naïve: '🦊' }],
    ['a plain key that comes again keeps all its values', 'a=1&a=2&a=3', { a: { repeated: ['1', '2', '3'] } }],
    ['lists', 'a[]=1&a[]=2', { a: ['1', '2'] }],
    ['lists with encoded brackets', 'a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }],
    ['a list that holds an empty text', 'a[]=', { a: [''] }],
    ['hashes', 'a[k]=1&a[l]=2', { a: { k: '1', l: '2' } }],
    ['hashes in hashes', 'a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['lists in hashes', 'a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    [
      'a list of hashes: a key that comes again begins the next hash',
      'v[][key]=a&v[][value]=1&v[][key]=b&v[][value]=2',
      {
        v: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ],
      },
    ],
    [
      'hashes and lists inside a list of hashes',
      'v[][k]=1&v[][o][x]=2&v[][l][]=3&v[][l][]=4&v[][k]=5',
      {
        v: [{ k: '1', o: { x: '2' }, l: ['3', '4'] }, { k: '5' }],
      },
    ],
    ['a nested key that comes again begins the next hash', 'v[][o][x]=1&v[][o][x]=2', { v: [{ o: { x: '1' } }, { o: { x: '2' } }] }],
    ['brackets that do not match are part of the name', 'a[b=1&c]=2&[d]=3', { 'a[b': '1', 'c]': '2', '[d]': '3' }],
  ]
  for (const [name, text, expected] of readings)
    test(name, () => {
      assert.deepEqual(plain(decodeForm(text)), expected)
    })

  const refusals: [string, string, RegExp][] = [
    ['half an escape', 'a=%4', /percent-encoding/],
    ['an escape that is not hex', 'a%zz=1', /percent-encoding/],
    ['bytes that are not UTF-8', 'a=%ff%fe', /percent-encoding/],
    ['a list that is also a hash', 'a[]=1&a[k]=2', /two forms/],
    ['a hash that is also a list', 'a[k]=1&a[]=2', /two forms/],
    ['a text that is also a hash', 'a=1&a[k]=2', /two forms/],
    ['a text that is also a list', 'a=1&a[]=2', /two forms/],
    ['nesting without end', `a${'[b]'.repeat(100)}=1`, /too deeply/],
    ['keys without end', 'a&'.repeat(10_001), /too many/],
  ]
  for (const [name, text, words] of refusals)
    test(`${name} is a 400`, () => {
      assert.throws(() => decodeForm(text), refusedWith(400, words))
    })

  test('names of built-in properties are names like others and reach no prototype', () => {
    const read = decodeForm('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1&toString=x')

    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    assert.deepEqual(Object.keys(read), ['__proto__', 'constructor', 'a', 'toString'])
  })
})

describe('bodies', () => {
  const uploadDirectory = join(tmpdir(), `ingot-wire-${process.pid}`)
  atEnd(() => rm(uploadDirectory, { recursive: true, force: true }))
  const read = (type: string | undefined, content: string | Buffer, limit = 1_000_000): Promise<Body> =>
    readBody(type === undefined ? {} : { 'content-type': type }, Readable.from(content.length === 0 ? [] : [Buffer.from(content)]), {
      limit,
      uploadDirectory,
    })
  /** The temporary files that this process has open. */
  const openUploads = async () => {
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map(descriptor => readlink(`/proc/self/fd/${descriptor}`).catch(() => 'closed meanwhile')),
    )
    return open.filter(file => file.startsWith(uploadDirectory))
  }
  const valuesOf = async (type: string | undefined, content: string | Buffer) => plain((await read(type, content)).values)

  for (const type of [undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'])
    test(`an empty body of type ${type} is no parameters (clients.md 0.1)`, async () => {
      assert.deepEqual(await valuesOf(type, ''), {})
    })

  test('JSON, with a charset, in any case, and of types that end in +json', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/scim+json'])
      assert.deepEqual(await valuesOf(type, '{"a":[{"k":1}],"b":null}'), { a: [{ k: 1 }], b: null })
  })

  test('JSON that is only white space is no parameters', async () => {
    assert.deepEqual(await valuesOf('application/json', ' \n'), {})
  })

  for (const content of ['{"a":', '{a:1}', 'x', '{"a":1}}'])
    test(`malformed JSON is a 400: ${content}`, async () => {
      await assert.rejects(read('application/json', content), refusedWith(400, /not valid JSON/))
    })

  for (const content of ['[1]', '"text"', '1', 'null', 'true'])
    test(`JSON that is not an object is a 400: ${content}`, async () => {
      await assert.rejects(read('application/json', content), refusedWith(400, /JSON object/))
    })

  test('JSON nested without end is a 400', async () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    await assert.rejects(read('application/json', deep), refusedWith(400, /too deeply/))
  })

  test('JSON that a parser takes seconds for is refused before it is parsed', async () => {
    const began = performance.now()
    await assert.rejects(read('application/json', '['.repeat(999_999)), refusedWith(400, /too deeply/))
    assert.ok(performance.now() - began < 250)
  })

  test('JSON of values without end is a 400', async () => {
    await assert.rejects(read('application/json', `{"a":[${'{},'.repeat(100_000)}{}]}`), refusedWith(400, /too many/))
  })

  test('a JSON object of very many keys is a 400, and many objects of few keys are read', async () => {
    const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])))
    for (const content of [keys(60_000), `{"a":[{"b":${keys(2_001)}}]}`])
      await assert.rejects(read('application/json', content), refusedWith(400, /too many parameters/))
    assert.equal(Object.keys((await read('application/json', keys(2_000))).values).length, 2_000)
    const { values } = await read('application/json', `{"a":[${'{"b":1,"c":2},'.repeat(10_000)}{}]}`)
    assert.equal((values.a as unknown[]).length, 10_001)
  })

  test('JSON reaches no prototype', async () => {
    const { values } = await read('application/json', '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}')

    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    assert.equal((values as Record<string, unknown>).polluted, undefined)
  })

  test('urlencoded', async () => {
    assert.deepEqual(await valuesOf('application/x-www-form-urlencoded', 'a[]=1&b=x%20y'), { a: ['1'], b: 'x y' })
  })

  test('a body of a type that nothing reads is a 415', async () => {
    await assert.rejects(read('text/csv', 'a,b'), refusedWith(415, /text\/csv/))
    await assert.rejects(read(undefined, 'a'), refusedWith(415, /not supported/))
  })

  test('a body above the limit is a 413', async () => {
    await assert.rejects(read('application/json', `{"a":"${'x'.repeat(100)}"}`, 100), refusedWith(413, /100 bytes/))
  })

  const boundary = 'xxBOUNDARYxx'
  const multipart = (...parts: [disposition: string, content: string][]) =>
    `${parts.map(([disposition, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`
  const type = `multipart/form-data; boundary=${boundary}`

  test('multipart fields nest like forms', async () => {
    const values = await valuesOf(
      type,
      multipart(['name="position[base_sha]"', 'abc'], ['name="l[]"', '1'], ['name="l[]"', '2'], ['name="t"', 'a&b=c%20']),
    )

    assert.deepEqual(values, { position: { base_sha: 'abc' }, l: ['1', '2'], t: 'a&b=c%20' })
  })

  test('a file is kept until the body is discarded, with its size and digest', async () => {
    const body = await read(type, multipart(['name="file"; filename="../../evil/name.txt"', 'hello'], ['name="after"', 'x']))
    const file = body.values.file as { file: string; filename: string; size: number; sha256: string }

    assert.equal(await readFile(file.file, 'utf8'), 'hello')
    assert.equal(file.filename, 'name.txt')
    assert.equal(file.size, 5)
    assert.equal(file.sha256, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
    assert.equal(body.values.after, 'x')
    await body.discard()
    assert.deepEqual(await readdir(uploadDirectory), [])
  })

  test('a file above the limit is a 413 and leaves nothing behind', async () => {
    const content = multipart(['name="file"; filename="big"', 'x'.repeat(10_000)])
    await assert.rejects(read(type, content, 1_000), refusedWith(413, /1000 bytes/))
    assert.deepEqual(await readdir(uploadDirectory), [])
  })

  test('fields above the limit, however many, are a 413 for the body as a whole', async () => {
    const fields = Array.from({ length: 20 }, (_, index): [string, string] => [`name="f${index}"`, 'x'.repeat(100)])
    await assert.rejects(read(type, multipart(...fields), 1_000), refusedWith(413, /1000 bytes/))
  })

  const linuxAlone = { skip: process.platform === 'linux' ? false : 'open files are listed on Linux alone' }
  test('a client that goes away in the middle of a file leaves nothing open and nothing behind', linuxAlone, async () => {
    const stream = new PassThrough()
    stream.write(multipart(['name="file"; filename="a"', 'x'.repeat(1_000)]).slice(0, 500))
    const reading = readBody({ 'content-type': type }, stream, { limit: 10_000, uploadDirectory })
    while ((await openUploads()).length === 0) await setImmediate()

    stream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))

    await assert.rejects(reading, refusedWith(400, /ended early/))
    assert.deepEqual(await openUploads(), [])
    assert.deepEqual(await readdir(uploadDirectory), [])
  })

  test('multipart that ends early or has no boundary is a 400', async () => {
    await assert.rejects(read(type, multipart(['name="file"; filename="a"', 'hello']).slice(0, -20)), refusedWith(400, /malformed|early/))
    await assert.rejects(read('multipart/form-data', multipart(['name="a"', '1'])), refusedWith(400, /malformed/))
    await assert.rejects(read(type, 'no parts here'), refusedWith(400, /malformed/))
  })

  test('multipart nested wrongly is a 400', async () => {
    await assert.rejects(read(type, multipart(['name="a"', '1'], ['name="a[k]"', '2'])), refusedWith(400, /two forms/))
  })
})
