import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usernameFrom } from './usernames.ts'

test('a username is made of an address, of names in any script, and of endings that mean a format', () => {
  const table: readonly (readonly [given: string, username: string])[] = [
    ['ada@example.com', 'ada'],
    ['Ada Lovelace', 'ada-lovelace'],
    ['ada.git.atom', 'ada'],
    ['a da.git.', 'a-da'],
    ['.git', 'git'],
    ['Ádá', 'ada'],
    ['光', 'person'],
  ]
  for (const [given, username] of table) assert.equal(usernameFrom(given), username, given)
})
