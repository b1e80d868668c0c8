import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Parsed, parseQuickActions } from './parse.ts'

const isKnown = (name: string) => ['close', 'label', 'promote'].includes(name)
const parsed = async (text: string): Promise<[string, ...string[]]> => {
  const { text: rest, actions }: Parsed = await parseQuickActions(text, isKnown)
  return [rest, ...actions.map(({ name, argument }) => `${name}(${argument})`)]
}

describe('quick actions in a text', () => {
  const cases: readonly (readonly [what: string, text: string, result: readonly [string, ...string[]]])[] = [
    ['alone', '/close', ['', 'close()']],
    ['at the end, after an empty line', 'Lets do it\n\n/promote', ['Lets do it', 'promote()']],
    ['between paragraphs', 'one\n\n/close\n\ntwo', ['one\n\ntwo', 'close()']],
    ['several, with arguments', '/label ~bug  ~"in review" \n/CLOSE\n', ['', 'label(~bug  ~"in review")', 'close()']],
    ['lines that end as on Windows', 'a\r\n/close\r\n', ['a', 'close()']],
    ['not within a line', 'please /close this', ['please /close this']],
    ['not indented', '  /close', ['  /close']],
    ['not what is unknown', '/usr/bin/env\n/nothing here', ['/usr/bin/env\n/nothing here']],
    ['not in a block of code', '```\n/close\n```\n/label ~a', ['```\n/close\n```', 'label(~a)']],
    [
      'a block ends with its own mark',
      '~~~~ sh\n```\n/close\n~~~\n/close\n~~~~\n/close',
      ['~~~~ sh\n```\n/close\n~~~\n/close\n~~~~', 'close()'],
    ],
    ['a block without an end goes to the end', '```\n/close', ['```\n/close']],
    ['not in quotes', '> /close\n>>>\n/close\n>>>\n/close', ['> /close\n>>>\n/close\n>>>', 'close()']],
    ['not in comments', '<!-- a\n/close\n-->\n<!-- b -->\n/close', ['<!-- a\n/close\n-->\n<!-- b -->', 'close()']],
    ['a text without actions stays as it is', '  a\n\n\n\nb  ', ['  a\n\n\n\nb  ']],
  ]
  for (const [what, text, result] of cases) test(what, async () => assert.deepEqual(await parsed(text), result))
})

test('a long line with a separator that a dot does not match is read in one pass', async () => {
  const argument = `${' '.repeat(500_000)}\u2028x`
  assert.deepEqual(await parsed(`/close${argument}`), ['', 'close(x)'])
})
