import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newToken } from './secrets.ts'

test('tokens have 20 characters, and none is an option to a command line', () => {
  for (let n = 0; n < 1000; n++) assert.match(newToken().reveal(), /^[A-Za-z0-9_][A-Za-z0-9_-]{19}$/)
})
