import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternsOf } from './text_search.ts'

test('a search consists of words and quoted phrases; those below three letters are ignored beside longer ones', () => {
  const table: [string, string[]][] = [
    ['broken', ['%broken%']],
    ['  broken   build ', ['%broken%', '%build%']],
    ['"broken build" now', ['%broken build%', '%now%']],
    ['is it broken', ['%broken%']],
    ['ab', ['ab']],
    ['a b', ['a b']],
    ['100%_\\', ['%100\\%\\_\\\\%']],
    ['%', ['\\%']],
    ['twice twice', ['%twice%']],
    ['"unclosed phrase', ['%unclosed%', '%phrase%']],
  ]
  for (const [search, patterns] of table) assert.deepEqual(patternsOf(search), patterns, search)
})
