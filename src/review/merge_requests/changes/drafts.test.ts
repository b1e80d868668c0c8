import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDraft, titleOf } from './drafts.ts'

test('the title decides whether a merge request is a draft (document 3 `draft`)', () => {
  for (const title of ['Draft: x', 'draft:x', '[Draft] x', '(DRAFT) x', 'WIP: x', '[wip]x', '  Draft: x', 'Draft:'])
    assert.equal(isDraft(title), true, title)
  for (const title of ['Drafting x', 'x Draft:', 'Undraft: x', 'draft x', 'WIPE: x', '']) assert.equal(isDraft(title), false, title)
})

test('the draft mark is added or removed once', () => {
  assert.deepEqual([titleOf('x', true), titleOf('WIP: x', true), titleOf('Draft: [WIP] x', false)], ['Draft: x', 'Draft: x', 'x'])
})
