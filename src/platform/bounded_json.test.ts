/** JSON that clients write: what would hold up everybody else is refused before it is parsed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JsonTooComplex, parseJson } from './bounded_json.ts'

const bounds = { depth: 3, values: 8, keys: 2 }
const refused = (what: string) => (error: unknown) => error instanceof JsonTooComplex && error.what === what

describe('JSON with bounds', () => {
  const taken = [
    '1',
    '"[[[[[[[[[["',
    '{"a":{"b":{"c":1}}}',
    '[[[]],[[]]]',
    '[1,2,3,4,5,6,7]',
    '["\\"[[[[","\\\\",["a,b,c,d,e,f,g,h"]]',
    '{"a,b":1,"c":[1,2,3]}',
  ]
  for (const text of taken) test(`takes ${text}`, () => assert.deepEqual(parseJson(text, bounds), JSON.parse(text)))

  const refusals: [string, string][] = [
    ['[[[[1]]]]', 'depth'],
    ['{"a":[{"b":[]}]}', 'depth'],
    ['[1,2,3,4,5,6,7,8,9]', 'values'],
    ['[{},{},{},{},{}]', 'values'],
    ['{"a":1,"b":2,"c":3}', 'keys'],
    ['["\\\\",[[[]]]]', 'depth'],
    ['["a\\\\\\"",[[[]]]]', 'depth'],
    ['["[[[[', 'none'],
    ['[,,,,,,,,,,', 'values'],
    [']]]][[[[', 'depth'],
  ]
  for (const [text, what] of refusals)
    test(`refuses ${text}`, () => assert.throws(() => parseJson(text, bounds), what === 'none' ? SyntaxError : refused(what)))

  test('a long text of what a parser is slow at is refused in no time', () => {
    for (const part of ['[', '{"a":', '[[],', '{},', '{"a":[']) {
      const began = performance.now()
      assert.throws(() => parseJson(part.repeat((4 * 1024 * 1024) / part.length)), JsonTooComplex)
      assert.ok(performance.now() - began < 500, part)
    }
  })

  test('a string as long as a body may be is read', () => {
    const text = `["${'\\\\\\"'.repeat(500_000)}",1]`
    assert.deepEqual(parseJson(text), JSON.parse(text))
  })
})
