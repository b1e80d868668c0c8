import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from './endpoints.ts'
import { loggedPath } from './logged_path.ts'

const secret = 'Zx9_-Zx9_-Zx9_-Zx9_-'

test('no secret of a path or query is logged, whichever endpoint takes it', () => {
  const paths = endpoints.map(({ dialect, path }) => `${dialect.prefix}${path}`).filter(path => /:(\w+_token|secret)\b/.test(path))
  assert.ok(paths.length >= 5, paths.join())
  for (const path of paths) {
    const asked = path.replace(/:(\w+_token|secret)\b/, secret)
    assert.ok(!loggedPath(`${asked}?x=1`).includes(secret), path)
    assert.ok(!loggedPath(`${asked}/not-known`).includes(secret), path)
  }
  assert.equal(loggedPath(`/api/v4/user?private_token=${secret}`), '/api/v4/user')
  assert.equal(loggedPath('/uploads/-/system/user/avatar/1/a.png'), '/uploads/-/system/user/avatar/1/a.png')
})
