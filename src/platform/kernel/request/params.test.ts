/** Decisions 2 and 12; document 1 "Errors"; clients.md section 0, requests 3 and 4. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type, { type TProperties } from 'typebox'
import { CommaList, DateTime, Day, File, Hash, Nullable, OneOf, onTier, type Tier, Upload } from '../declaration/types.ts'
import { Refusal } from '../errors.ts'
import { atLeast, atLeastOne, exclusive, ParameterReader, type Rule } from './params.ts'
import { decodeForm, type Wire } from './wire.ts'

const read = (properties: TProperties, wire: Wire | string, { rules = [] as Rule[], tier = 'ultimate' as Tier } = {}) =>
  new ParameterReader(properties, rules).read(typeof wire === 'string' ? decodeForm(wire) : wire, tier)

/** The `message` of the 400 for these parameters. */
function refusal(properties: TProperties, wire: Wire | string, rules: Rule[] = []): unknown {
  try {
    read(properties, wire, { rules })
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 400)
    return (error.body as { message: unknown }).message
  }
  throw new Error('the parameters were accepted')
}

const flag = { flag: Type.Optional(Type.Boolean()) }
const count = { count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })) }
const text = { text: Type.Optional(Type.String({ minLength: 2, maxLength: 5 })) }

describe('booleans', () => {
  for (const word of ['true', 'True', 'TRUE', 't', 'yes', 'Y', 'on', '1', ' true ', true, 1])
    test(`${JSON.stringify(word)} is true`, () => assert.deepEqual(read(flag, { flag: word }), { flag: true }))
  for (const word of ['false', 'False', 'f', 'no', 'N', 'off', '0', false, 0])
    test(`${JSON.stringify(word)} is false`, () => assert.deepEqual(read(flag, { flag: word }), { flag: false }))
  for (const word of ['maybe', '2', 2, [], {}, ['true']])
    test(`${JSON.stringify(word)} is neither`, () => assert.deepEqual(refusal(flag, { flag: word }), { flag: ['is invalid'] }))
})

describe('numbers', () => {
  for (const [raw, value] of [
    ['7', 7],
    [' 7 ', 7],
    ['+7', 7],
    [7, 7],
    ['007', 7],
  ])
    test(`${JSON.stringify(raw)} is ${value}`, () => assert.deepEqual(read(count, { count: raw }), { count: value }))
  for (const raw of ['seven', '7.5', 7.5, '0x7', '7e0', true, [], {}, ['7'], '٧'])
    test(`${JSON.stringify(raw)} is no integer`, () => assert.deepEqual(refusal(count, { count: raw }), { count: ['is invalid'] }))
  test('bounds are in the message', () => {
    assert.deepEqual(refusal(count, 'count=-1'), { count: ['must be greater than or equal to 0'] })
    assert.deepEqual(refusal(count, 'count=11'), { count: ['must be less than or equal to 10'] })
  })
  test('an integer beyond what a number holds exactly is refused, not rounded', () => {
    const id = { id: Type.Integer() }
    for (const raw of ['9007199254740993', '99999999999999999999999', 1e300])
      assert.deepEqual(refusal(id, { id: raw }), { id: ['is invalid'] })
    assert.deepEqual(read(id, { id: '9007199254740991' }), { id: 9_007_199_254_740_991 })
  })
  test('fractions', () => assert.deepEqual(read({ part: Type.Number() }, 'part=-0.25'), { part: -0.25 }))
})

describe('texts', () => {
  test('numbers and booleans in JSON are texts where a text is wanted', () => {
    assert.deepEqual(read(text, { text: 123 }), { text: '123' })
    assert.deepEqual(read(text, { text: true }), { text: 'true' })
  })
  test('lengths are in the message', () => {
    assert.deepEqual(refusal(text, 'text=a'), { text: ['is too short (minimum is 2 characters)'] })
    assert.deepEqual(refusal(text, 'text=abcdef'), { text: ['is too long (maximum is 5 characters)'] })
    assert.deepEqual(refusal(text, 'text='), { text: ["can't be blank"] })
  })
  test('an empty text is a text', () => assert.deepEqual(read({ text: Type.String() }, 'text='), { text: '' }))
  test('NUL is refused at any depth', () => {
    assert.deepEqual(refusal({ text: Type.String() }, 'text=a%00b'), { text: ['is invalid'] })
    assert.deepEqual(refusal({ list: Type.Array(Type.String()) }, 'list[]=a&list[]=%00'), { list: ['is invalid'] })
    assert.deepEqual(refusal({ hash: Hash() }, 'hash[a]=%00'), { 'hash[a]': ['is invalid'] })
    assert.deepEqual(refusal({ hash: Hash() }, 'hash[%00]=a'), { hash: ['is invalid'] })
  })
  test('half a surrogate pair is refused', () => {
    assert.deepEqual(refusal({ text: Type.String() }, { text: '\ud83e' }), { text: ['is invalid'] })
  })
  test('of a repeated plain key the last counts', () => assert.deepEqual(read(text, 'text=one&text=two'), { text: 'two' }))
  for (const raw of [[], {}, ['text']])
    test(`${JSON.stringify(raw)} is no text`, () => assert.deepEqual(refusal(text, { text: raw }), { text: ['is invalid'] }))
})

describe('one of a list', () => {
  const sort = { sort: Type.Optional(OneOf(['asc', 'desc'])) }
  test('a listed word', () => assert.deepEqual(read(sort, 'sort=desc'), { sort: 'desc' }))
  for (const raw of ['DESC', 'up', 1, true, ['asc'], {}])
    test(`${JSON.stringify(raw)} is not listed (decision 12)`, () =>
      assert.deepEqual(refusal(sort, { sort: raw }), { sort: ['does not have a valid value'] }))
})

describe('dates', () => {
  const at = { at: Type.Optional(DateTime('An instant')) }
  for (const raw of ['2021-06-01T12:00:00Z', '2021-06-01T12:00:00.123Z', '2021-06-01T12:00:00+02:00'])
    test(`${raw} is an instant`, () => assert.deepEqual(read(at, { at: raw }), { at: raw }))
  for (const [raw, instant] of [
    ['2021-06-01', '2021-06-01T00:00:00Z'],
    ['2021-06-01T12:00:00', '2021-06-01T12:00:00Z'],
    ['2021-06-01T12:00Z', '2021-06-01T12:00:00Z'],
    ['2021-06-01 12:00:00 UTC', '2021-06-01T12:00:00Z'],
    ['2021-06-01t12:00:00+0200', '2021-06-01T12:00:00+02:00'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999999Z'],
  ] as const)
    test(`${raw} is ${instant}`, () => assert.deepEqual(read(at, { at: raw }), { at: instant }))
  const on = { on: Type.Optional(Day('A day')) }
  for (const raw of ['2021-06-01', '2021-06-01T12:00:00Z', '2021-06-01T23:30:00.000-05:00', '2021-06-01 00:00:00'])
    test(`${raw} is of the first of June`, () => assert.deepEqual(read(on, { on: raw }), { on: '2021-06-01' }))
  for (const raw of ['2021-02-30T12:00:00Z', '2021-06-01Tea', '2021/06/01', '0000-01-01', '0000-01-01T00:00:00Z', 'soon'])
    test(`${raw} is no day`, () => assert.deepEqual(refusal(on, { on: raw }), { on: ['is invalid'] }))
  for (const raw of [
    'yesterday',
    '2021-13-01T00:00:00Z',
    '2021-02-30',
    '2021-06-01T25:00:00Z',
    '12',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])
    test(`${raw} is no instant`, () => assert.deepEqual(refusal(at, { at: raw }), { at: ['is invalid'] }))
  test('days', () => {
    assert.deepEqual(read({ day: Day('A day') }, 'day=2024-02-29'), { day: '2024-02-29' })
    assert.deepEqual(refusal({ day: Day('A day') }, 'day=2023-02-29'), { day: ['is invalid'] })
    assert.deepEqual(refusal({ day: Day('A day') }, 'day=0000-01-01'), { day: ['is invalid'] })
  })
})

describe('lists', () => {
  const ids = { ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 3 })) }
  const labels = { labels: Type.Optional(CommaList(Type.String())) }
  const readings: [string, TProperties, Wire | string, unknown][] = [
    ['brackets', ids, 'ids[]=1&ids[]=2', { ids: [1, 2] }],
    ['JSON', ids, { ids: [1, '2'] }, { ids: [1, 2] }],
    ['one value alone', ids, 'ids=1', { ids: [1] }],
    ['a plain key that comes again (perl)', ids, 'ids=1&ids=2', { ids: [1, 2] }],
    ['brackets and a plain key', ids, 'ids[]=1&ids=2', { ids: [1, 2] }],
    ['an empty text is an empty list', ids, 'ids=', { ids: [] }],
    ['commas', labels, 'labels=a,b, c,', { labels: ['a', 'b', 'c'] }],
    ['commas inside brackets', labels, 'labels[]=a,b&labels[]=c', { labels: ['a', 'b', 'c'] }],
    ['commas in JSON', labels, { labels: 'a,b' }, { labels: ['a', 'b'] }],
    ['no commas where the list does not take them', { names: Type.Array(Type.String()) }, 'names[]=a,b', { names: ['a,b'] }],
  ]
  for (const [name, properties, wire, expected] of readings) test(name, () => assert.deepEqual(read(properties, wire), expected))

  test('a message about an entry names the parameter (decision 12)', () => {
    assert.deepEqual(refusal(ids, 'ids[]=1&ids[]=x'), { ids: ['is invalid'] })
    assert.deepEqual(refusal(ids, 'ids=x'), { ids: ['is invalid'] })
    const words = Type.Array(OneOf(['a', 'b']))
    assert.deepEqual(refusal({ words }, 'words=c'), { words: ['does not have a valid value'] })
    assert.deepEqual(refusal({ not: Type.Object({ words }) }, 'not[words][]=a&not[words][]=c'), {
      'not[words]': ['does not have a valid value'],
    })
    assert.deepEqual(refusal({ all: Type.Array(Type.Object({ words })) }, { all: [{ words: ['a'] }, { words: ['c'] }, 1] }), {
      'all[1][words]': ['does not have a valid value'],
      all: ['is invalid'],
    })
  })
  test('too many and too few', () => {
    assert.deepEqual(refusal(ids, 'ids[]=1&ids[]=2&ids[]=3&ids[]=4'), { ids: ['is too long (maximum is 3 entries)'] })
    assert.deepEqual(refusal({ ids: Type.Array(Type.Integer(), { minItems: 1 }) }, 'ids='), { ids: ["can't be blank"] })
  })
  test('of a list that is too long no more is looked at than it may have, and one entry', () => {
    const seen = new Set<number>()
    const entries = Array.from({ length: 5_000 }, (_, at) => ({
      get id() {
        seen.add(at)
        return 1
      },
    }))
    const list = { list: Type.Array(Type.Object({ id: Type.Integer() }), { maxItems: 3 }) }
    assert.deepEqual(refusal(list, { list: entries }), { list: ['is too long (maximum is 3 entries)'] })
    assert.deepEqual([...seen], [0, 1, 2, 3])
  })
  test('a hash is no list', () => assert.deepEqual(refusal(ids, 'ids[a]=1'), { ids: ['is invalid'] }))
})

describe('hashes', () => {
  const position = {
    position: Type.Optional(
      Type.Object({
        line: Type.Integer(),
        note: Type.Optional(Type.String({ maxLength: 3 })),
        on: Type.Optional(Type.Boolean({ default: true })),
      }),
    ),
  }
  test('are read by their own types, with defaults, without what is unknown', () => {
    assert.deepEqual(read(position, 'position[line]=3&position[note]=ab&position[other]=1'), {
      position: { line: 3, note: 'ab', on: true },
    })
  })
  test('a message uses the form spelling of the name', () => {
    assert.deepEqual(refusal(position, 'position[line]=x&position[note]=abcd'), {
      'position[line]': ['is invalid'],
      'position[note]': ['is too long (maximum is 3 characters)'],
    })
    assert.deepEqual(refusal(position, 'position[note]=ab'), { 'position[line]': ['is missing'] })
    assert.deepEqual(refusal(position, 'position=1'), { position: ['is invalid'] })
  })
  test('lists of hashes', () => {
    const variables = { variables: Type.Array(Type.Object({ key: Type.String(), protected: Type.Optional(Type.Boolean()) })) }
    assert.deepEqual(read(variables, 'variables[][key]=a&variables[][protected]=1&variables[][key]=b'), {
      variables: [{ key: 'a', protected: true }, { key: 'b' }],
    })
    assert.deepEqual(refusal(variables, { variables: [{ key: 'a' }, { protected: 'x' }] }), {
      'variables[1][key]': ['is missing'],
      'variables[1][protected]': ['is invalid'],
    })
  })
  test('free keys', () => {
    assert.deepEqual(read({ with: Hash() }, 'with[a]=1&with[b]=two'), { with: { a: '1', b: 'two' } })
    assert.deepEqual(refusal({ with: Hash() }, 'with[a][]=1'), { 'with[a]': ['is invalid'] })
  })
})

describe('nothing', () => {
  const both = {
    name: Type.Optional(Nullable(Type.String())),
    size: Type.Optional(Nullable(Type.Integer())),
    text: Type.Optional(Type.String()),
  }
  test('null is a value where the schema has it, and "not given" elsewhere', () => {
    assert.deepEqual(read(both, { name: null, size: null, text: null }), { name: null, size: null })
  })
  test('an empty text is null for what is no text', () => {
    assert.deepEqual(read(both, 'name=&size=&text='), { name: '', size: null, text: '' })
  })
  test('an empty text is "not given" for numbers, switches and listed words', () => {
    assert.deepEqual(read({ ...flag, ...count, sort: Type.Optional(OneOf(['asc'])) }, 'flag=&count=&sort='), {})
  })
  test('defaults stand in for what is not given', () => {
    const page = { page: Type.Integer({ default: 1 }) }
    assert.deepEqual(read(page, {}), { page: 1 })
    assert.deepEqual(read(page, 'page='), { page: 1 })
    assert.deepEqual(read(page, 'page=2'), { page: 2 })
  })
  test('unknown parameters are ignored', () => assert.deepEqual(read(flag, 'other=1&flag=1&toString=x'), { flag: true }))
  test('a missing required parameter is reported alone, the first in declared order (decision 12)', () => {
    const wanted = { a: Type.String(), b: Type.Integer(), c: Type.Integer() }
    assert.equal(refusal(wanted, 'a=x&c=wrong'), '400 (Bad request) "b" not given')
    assert.equal(refusal(wanted, {}), '400 (Bad request) "a" not given')
    assert.equal(refusal(wanted, { a: null }), '400 (Bad request) "a" not given')
    assert.equal(refusal(wanted, 'a=x&b='), '400 (Bad request) "b" not given')
  })
})

describe('all together', () => {
  test('all invalid parameters are reported together (decision 12)', () => {
    assert.deepEqual(refusal({ ...flag, ...count, ...text }, 'flag=maybe&count=x&text=a'), {
      flag: ['is invalid'],
      count: ['is invalid'],
      text: ['is too short (minimum is 2 characters)'],
    })
  })
  test('a union takes the first type that fits and refuses with one message', () => {
    const either = { ref: Type.Union([Type.Integer(), OneOf(['any', 'none'])]) }
    assert.deepEqual(read(either, 'ref=7'), { ref: 7 })
    assert.deepEqual(read(either, 'ref=none'), { ref: 'none' })
    assert.deepEqual(refusal(either, 'ref=other'), { ref: ['does not have a valid value'] })
  })
  test('the message about a limit inside a nullable type names the limit', () => {
    assert.deepEqual(refusal({ name: Nullable(Type.String({ maxLength: 2 })) }, 'name=abc'), {
      name: ['is too long (maximum is 2 characters)'],
    })
  })
  test('a schema may have its own message', () => {
    assert.deepEqual(refusal({ name: Type.String({ pattern: '^a', message: 'must begin with a' }) }, 'name=b'), {
      name: ['must begin with a'],
    })
    const name = Type.String({ pattern: '^a', maxLength: 2, message: 'must begin with a' })
    assert.deepEqual(refusal({ name }, 'name=bcd'), { name: ['is too long (maximum is 2 characters)'] }, 'of length as ever')
  })
  test('parameters above the tier are unknown there', () => {
    const paid = { weight: onTier('premium', Type.Optional(Type.Integer())) }
    assert.deepEqual(read(paid, 'weight=1', { tier: 'premium' }), { weight: 1 })
    assert.deepEqual(read(paid, 'weight=heavy', { tier: 'free' }), {})
  })
})

describe('files', () => {
  const file = { file: File() }
  const upload = new Upload({ file: '/tmp/x', filename: 'x', mimetype: 'text/plain', size: 1, sha256: '00' })
  test('are the parts of a multipart body', () => assert.deepEqual(read(file, { file: upload }), { file: upload }))
  for (const raw of ['/etc/passwd', { file: '/etc/passwd', filename: 'x', mimetype: 'a/b', size: 1, sha256: '00' }, [upload]])
    test(`${JSON.stringify(raw)} is no file, whatever it contains`, () =>
      assert.deepEqual(refusal(file, { file: raw }), { file: ['is invalid'] }))
  test('a file is no text and no hash', () => {
    assert.deepEqual(refusal(text, { text: upload }), { text: ['is invalid'] })
    assert.deepEqual(refusal({ with: Hash() }, { with: upload }), { with: ['is invalid'] })
  })
})

describe('rules', () => {
  const names = { a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) }
  test('at most one (decision 12)', () => {
    assert.deepEqual(refusal(names, 'a=1&b=2', [exclusive('a', 'b')]), {
      a: ['is mutually exclusive with b'],
      b: ['is mutually exclusive with a'],
    })
    assert.deepEqual(read(names, 'a=1', { rules: [exclusive('a', 'b')] }), { a: '1' })
  })
  test('at least one', () => {
    assert.deepEqual(refusal(names, '', [atLeastOne('a', 'b')]), { a: ['is missing, at least one of a, b must be given'] })
  })
  test('at least so long', () => {
    assert.deepEqual(refusal(names, 'a=xy', [atLeast('a', 3)]), { a: ['is too short (minimum is 3 characters)'] })
  })
})
