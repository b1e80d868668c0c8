import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestionsIn } from './parse.ts'

test('suggestions are fenced blocks with that info string, and the number of surrounding lines that they replace', async () => {
  const one = (lines_above: number, lines_below: number, to_content: string) => ({ lines_above, lines_below, to_content })
  const cases: [string, Awaited<ReturnType<typeof suggestionsIn>>][] = [
    ['```suggestion\nnew\n```', [one(0, 0, 'new\n')]],
    ['Better:\r\n```suggestion:-1+2\r\na\r\n\r\nb\r\n```\r\nno?', [one(1, 2, 'a\n\nb\n')]],
    ['```suggestion:-0+0\n```', [one(0, 0, '')]],
    ['````suggestion\n```\nx\n```\n````', [one(0, 0, '```\nx\n```\n')]],
    ['~~~suggestion\nx\n~~~\n\n```suggestion\ny\n```', [one(0, 0, 'x\n'), one(0, 0, 'y\n')]],
    ['```suggestion:-999+999\nx\n```', [one(100, 100, 'x\n')]],
    ['```\n```suggestion\nx\n```', []],
    ['```suggestions\nx\n```', []],
    ['a ```suggestion\nx', []],
    ['```suggestion\nx', [one(0, 0, 'x\n')]],
  ]
  for (const [text, expected] of cases) assert.deepEqual(await suggestionsIn(text), expected, text)
})

test('blocks beyond the hundredth are no suggestions', async () => {
  const found = await suggestionsIn(Array.from({ length: 101 }, (_, at) => `\`\`\`suggestion\n${at}\n\`\`\`\n`).join(''))

  assert.deepEqual([found.length, found.at(-1)?.to_content], [100, '99\n'])
})
