import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'

test('a plain ASCII name has only one form: some clients take everything after it for the name (clients.md b.9)', () => {
  assert.equal(contentDisposition('attachment', 'tool-main-1a2b.tar.gz'), 'attachment; filename="tool-main-1a2b.tar.gz"')
})

test('a name with other characters or quotes has both forms', () => {
  assert.equal(contentDisposition('inline', 'größe.txt'), `inline; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`)
  assert.equal(contentDisposition('inline', 'a"b\r\n.txt'), `inline; filename="a_b__.txt"; filename*=UTF-8''a%22b%0D%0A.txt`)
  assert.equal(contentDisposition('inline', '100%.txt'), `inline; filename="100_.txt"; filename*=UTF-8''100%25.txt`)
})
