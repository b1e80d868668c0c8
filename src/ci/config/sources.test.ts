import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elsewhereOf } from './sources.ts'

test('the CI file of a project is a path, an address, or a file of another project', () => {
  assert.equal(elsewhereOf('ci/main.yml'), undefined)
  assert.equal(elsewhereOf('main.yml@project'), undefined)
  assert.equal(elsewhereOf('main.yml@/project'), undefined)
  assert.deepEqual(elsewhereOf('https://example.com/a.yml'), { remote: 'https://example.com/a.yml' })
  assert.deepEqual(elsewhereOf('a/main.yml@group/project'), { project: 'group/project', file: 'a/main.yml' })
  assert.deepEqual(elsewhereOf('main.yml@group/sub/project:v1'), { project: 'group/sub/project', file: 'main.yml', ref: 'v1' })
})
