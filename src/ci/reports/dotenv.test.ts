/** `dotenv` reports (`artifacts:reports:dotenv` at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../platform/kernel/errors.ts'
import { parseDotenv } from './dotenv.ts'

describe('what a report says', () => {
  const table: [string, string, Record<string, string>][] = [
    ['variables, one a line', 'A=1\nB=two\n', { A: '1', B: 'two' }],
    ['white space around is not counted', ' A = 1 \r\nB=2', { A: '1', B: '2' }],
    ['quotes, dollars and further equals signs are characters', `A="b$c='d'"`, { A: `"b$c='d'"` }],
    ['nothing is a value', 'A=', { A: '' }],
    ['the last of a name counts', 'A=1\nA=2', { A: '2' }],
  ]
  for (const [what, text, expected] of table)
    test(what, () => {
      assert.deepEqual(Object.fromEntries(parseDotenv(text, 'free').map(({ key, value }) => [key, value])), expected)
    })
})

describe('what no report says', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `K${index}=v`).join('\n')
  const table: [string, string, 'free' | 'premium', string][] = [
    ['a line without a sign', 'A', 'free', 'Invalid Format'],
    ['an empty line', 'A=1\n\nB=2', 'free', 'Invalid Format'],
    ['a comment', '# A', 'free', 'Invalid Format'],
    ['nothing', '', 'free', 'Invalid Format'],
    ['a name with a dash', 'A-B=1', 'free', 'Validation failed: Key A-B is invalid'],
    ['no name', '=1', 'free', 'Validation failed: Key  is invalid'],
    ['too many variables', many(21), 'free', 'Dotenv files cannot have more than 20 variables'],
    ['too many for everybody', many(151), 'premium', 'Dotenv files cannot have more than 150 variables'],
  ]
  for (const [what, text, tier, reason] of table)
    test(what, () => {
      assert.throws(
        () => parseDotenv(text, tier),
        error => error instanceof Refusal && error.status === 400 && JSON.stringify(error.body).includes(reason),
      )
    })

  test('as many as there may be are taken', () => {
    assert.equal(parseDotenv(many(20), 'free').length, 20)
    assert.equal(parseDotenv(many(150), 'ultimate').length, 150)
  })
})
