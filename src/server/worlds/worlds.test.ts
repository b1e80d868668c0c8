import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertGenerated } from '../../../test/golden.ts'
import { ConfigError } from '../../platform/config.ts'
import type { World as PublicWorld } from '../testing/client/types.d.ts'
import { parseWorld } from './read.ts'
import { schemaText, type World } from './schema.ts'

const messageOf = (text: string): string => {
  try {
    parseWorld(text, 'world.yml')
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the world was taken')
}

test('the published schema is the one that files are checked by', async () => {
  await assertGenerated('docs/world.schema.json', () => schemaText)
})

test('the published types are those of the schema', () => {
  const toPublic = (world: World): PublicWorld => world
  const fromPublic = (world: PublicWorld): World => world

  assert.deepEqual(fromPublic(toPublic({ people: [{ username: 'ada' }] })), { people: [{ username: 'ada' }] })
})

test('a world is read, and an empty file is an empty one', () => {
  const { world } = parseWorld(
    'time: 2026-03-02T09:00:00Z\nprojects:\n  - { path: root/hello, milestones: [{ title: One, due_date: 2026-04-01 }] }\n',
    'w',
  )

  assert.deepEqual(world, {
    time: '2026-03-02T09:00:00Z',
    projects: [{ path: 'root/hello', milestones: [{ title: 'One', due_date: '2026-04-01' }] }],
  })
  assert.deepEqual(parseWorld('', 'w').world, {})
})

const wrong: Readonly<Record<string, readonly [text: string, says: string]>> = {
  'an unknown key': ['people:\n  - username: ada\n    pasword: secret', 'world.yml:3: people[0].pasword is not known here'],
  'an unknown key at the top': ['persons: []', 'world.yml:1: persons is not known here'],
  'a missing key': ['people:\n  - name: Ada', 'world.yml:2: people[0] must have required properties username'],
  'a wrong type': ['people:\n  - username: [ada]', 'world.yml:2: people[0].username must be string'],
  'a word that is none of those': [
    'projects:\n  - path: root/a\n    visibility: secret',
    'world.yml:3: projects[0].visibility must be one of private, internal, public',
  ],
  'a role that is none': [
    'people:\n  - username: ada\ngroups:\n  - path: a\n    members: { ada: king }',
    'world.yml:5: groups[0].members.ada must be one of guest, reporter, developer, maintainer, owner',
  ],
  'a user who is not there': [
    'projects:\n  - path: root/a\n    issues:\n      - title: A\n        author: ada',
    'world.yml:5: projects[0].issues[0].author names "ada", who is not among the people of the world',
  ],
  'a group that is not there': [
    'projects:\n  - path: a/b',
    'world.yml:2: projects[0].path is in "a", which is no group and nobody of the world',
  ],
  'a group below one that comes later': [
    'groups:\n  - path: a/b\n  - path: a',
    'world.yml:2: groups[0].path is in "a", which no group before it is',
  ],
  'a path that is taken': ['groups:\n  - path: a\n  - path: a', 'world.yml:3: groups[1].path is taken: there is another "a"'],
  'a token that two users have': [
    'people:\n  - { username: a, token: 01234567890123456789 }\n  - { username: b, token: 01234567890123456789 }'.replaceAll(
      '0123',
      't123',
    ),
    'world.yml:3: people[1].token is the token of another user',
  ],
  'no YAML': ['people: [', 'world.yml:1: unexpected end of the stream within a flow collection'],
  'a list': ['- a', 'world.yml: the world must be object'],
  'two mistakes': ['a: 1\nb: 2', 'world.yml:1: a is not known here; world.yml:2: b is not known here'],
}

for (const [what, [text, says]] of Object.entries(wrong)) test(`${what} is named with its line`, () => assert.equal(messageOf(text), says))
