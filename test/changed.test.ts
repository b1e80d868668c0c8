import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsConcerning } from './changed.ts'

const tests = [
  'src/code/forks/forks.test.ts',
  'src/planning/boards/boards.test.ts',
  'src/planning/boards/lists/lists.test.ts',
  'test/clients/git.test.ts',
  'test/derived/access.test.ts',
  'test/derived/structure.test.ts',
]

const cases: [what: string, changed: string[], concerned: string[]][] = [
  ['nothing: no test', [], []],
  ['a command: its folder, and what reads all sources', ['src/code/forks/commands.ts'], [tests[0]!, tests[5]!]],
  ['a declaration: the table of access too', ['src/planning/boards/endpoints.ts'], [tests[1]!, tests[2]!, tests[4]!, tests[5]!]],
  ['a folder without tests: the next one above', ['src/planning/boards/presenters/list.ts'], [tests[1]!, tests[2]!, tests[5]!]],
  ['a test: that test', ['test/clients/git.test.ts'], [tests[3]!, tests[5]!]],
  ['what all tests are run with: all', ['test/scene.ts'], tests],
]

for (const [what, changed, concerned] of cases)
  test(`${what}`, () => {
    assert.deepEqual(testsConcerning(tests, changed), concerned)
  })
