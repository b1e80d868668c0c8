import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipsCi } from './skip.ts'

test('a commit asks for no pipeline by [skip ci] or [ci skip], in any case of letters', () => {
  const yes = ['Fix [skip ci]', '[ci skip]', 'a\n\n[CI SKIP]', '[Skip-CI] x', '[ci_skip]']
  const no = ['skip ci', '[skip] ci', '[skipci]', '']

  assert.deepEqual([yes.every(skipsCi), no.some(skipsCi)], [true, false])
})
