/** Coverage by a regular expression in linear time (`coverage` of CI files at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { coverageIn } from './coverage.ts'

/** The pieces of a log, the last first. */
async function* fromEnd(log: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(log)
  for (let end = bytes.length; end > 0; end -= size) yield bytes.subarray(Math.max(0, end - size), end)
}

describe('coverage', () => {
  const table: [string, string, string, number | undefined][] = [
    ['a number in the match', '\\d+\\.\\d+\\% covered', 'Coverage 1033 / 1051 LOC (98.29%) covered.\n98.29% covered', 98.29],
    ['with slashes around it', '/\\(\\d+.\\d+\\%\\) covered/', 'Coverage 1033 / 1051 LOC (98.29%) covered', 98.29],
    ['the last line that matches', 'Code coverage: \\d+\\.\\d+', 'Code coverage: 10.5\nCode coverage: 20.5\nend\n', 20.5],
    ['the last match of a line', '\\d+%', 'from 10% to 30%', 30],
    ['the group, where there is one', 'TOTAL.*?(\\d+)%', 'TOTAL 100 20 80%', 80],
    ['the last group that matched', '(a (\\d+))|(b (\\d+))', 'b 7', 7],
    ['whole numbers', '\\d+', 'done 100', 100],
    ['no match', '\\d+% covered', 'nothing\n', undefined],
    ['a match without a number', 'covered', '5 covered', undefined],
    ['no line at all', '\\d+', '', undefined],
    ['an expression that is none', '(\\d+', '5', undefined],
    ['an expression that RE2 does not know', '(?<=a)\\d+', 'a5', undefined],
    ['lines of Windows', '^(\\d+)%$', '50%\r\n60%\r\nend', 60],
    ['an expression that takes others for ever', '(a+)+$(\\d)', `${'a'.repeat(50_000)}1!`, undefined],
  ]
  for (const [what, expression, log, expected] of table)
    test(what, async () => {
      for (const size of [1, 7, 65_536]) {
        if (size === 1 && log.length > 10_000) continue
        assert.equal(await coverageIn(expression, fromEnd(log, size)), expected, `in pieces of ${size} bytes`)
      }
    })
})

test('a log is searched from its end, and only so far', async () => {
  let read = 0
  async function* endless() {
    for (; ; read++) yield Buffer.from('a line without what is looked for\n'.repeat(2_000))
  }
  assert.equal(await coverageIn('\\d+%', endless()), undefined)
  assert.ok(read > 10 && read < 1_000)
})
