import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closedByText, type Named } from './closing.ts'
import { parseMarkdown } from './document.ts'

const nameOf = (named: Named) => ('address' in named ? named.address : named.text)

describe('closing patterns in a text', () => {
  const cases: readonly (readonly [text: string, closed: readonly string[]])[] = [
    ['Closes #3', ['#3']],
    ['closed #1, #2 and group/project#5, but not #6', ['#1', '#2', 'group/project#5']],
    ['This fixes #1. It implements: #2 and resolves issues #3, #4', ['#1', '#2', '#3', '#4']],
    ['Fix #1\n\nClosing issue #2', ['#1', '#2']],
    ['Resolving #1,#2', ['#1', '#2']],
    ['Closes https://git.example.com/a/b/-/issues/7, #8', ['https://git.example.com/a/b/-/issues/7', '#8']],
    ['Closes #1 , and #2,and #3', ['#1', '#2']],
    ['Related to #1; see #2', []],
    ['encloses #1, prefix #2, fixture #3', []],
    ['Closes !4', []],
    ['Closes ~bug #5', []],
  ]
  for (const [text, closed] of cases) {
    test(text, () => {
      assert.deepEqual(closedByText(text).map(nameOf), closed)
      assert.deepEqual(parseMarkdown(text).closes.map(nameOf), closed)
    })
  }

  test('not in code', () => assert.deepEqual(parseMarkdown('Closes `#3` and\n\n    Closes #4\n').closes, []))
})

test('references with a long gap between are read in one pass', () => {
  assert.deepEqual(closedByText(`Closes #1${' '.repeat(500_000)}, #2${' '.repeat(500_000)}x #3`).map(nameOf), ['#1', '#2'])
})
