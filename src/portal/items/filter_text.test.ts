import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueFilterKeys, paramsOfText, textOfParams } from './filter_text.ts'

const read = (text: string) => paramsOfText(issueFilterKeys, text)

test('keys become parameters, negated ones too, and the rest are words', () => {
  assert.deepEqual(read('label:bug -label:docs label:"good first" author:ada paint the shed'), {
    labels: 'bug,good first',
    'not[labels]': 'docs',
    author_username: 'ada',
    search: 'paint the shed',
  })
})

test('what is no key, has no value or cannot be negated is looked for as it is', () => {
  assert.deepEqual(read('http://example.com label: -due:week 12:30'), { search: 'http://example.com label: -due:week 12:30' })
})

test('a text comes back from its parameters', () => {
  for (const text of ['label:bug label:"good first" -label:docs milestone:None some words', 'due:overdue "two words"', ''])
    assert.equal(textOfParams(issueFilterKeys, read(text)), text)
})

test('values with quotes come back too', () => {
  for (const milestone of ['v1 "beta" of 2', '"', "it's done", "'quoted'", '5"', 'a"b'])
    assert.deepEqual(read(`${textOfParams(issueFilterKeys, { milestone, labels: 'bug' })} words`), {
      milestone,
      labels: 'bug',
      search: 'words',
    })
  assert.deepEqual(read("milestone:it's late"), { milestone: "it's", search: 'late' }, 'as people write it')
})
