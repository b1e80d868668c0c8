import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { type Changes, changesOf, type Operation } from './patch.ts'
import { inScimWords } from './refusals.ts'

const replace = (path: string, value: unknown): Operation => ({ op: 'Replace', path, value })

const understood: readonly [what: string, operations: readonly Operation[], changes: Changes][] = [
  ['the whole mapping table', [replace('id', 'new')], { externUid: 'new' }],
  ['', [replace('externalId', 'new')], { externUid: 'new' }],
  ['', [replace('name.formatted', 'Ida Example')], { name: 'Ida Example' }],
  ['', [replace('emails[type eq "work"].value', 'ida@example.com')], { email: 'ida@example.com' }],
  ['', [replace('active', false)], { active: false }],
  ['', [replace('userName', 'ida')], { userName: 'ida' }],
  ['operations and paths in any case of letters', [{ op: 'REPLACE', path: 'USERNAME', value: 'ida' }], { userName: 'ida' }],
  ['', [{ op: 'add', path: 'Emails[Type EQ "Work"].Value', value: 'ida@example.com' }], { email: 'ida@example.com' }],
  ['', [{ op: 'Add', path: ' emails[ type  eq "work" ].value ', value: 'ida@example.com' }], { email: 'ida@example.com' }],
  ['attributes named in full', [replace('urn:ietf:params:scim:schemas:core:2.0:User:userName', 'ida')], { userName: 'ida' }],
  ['booleans as texts', [replace('active', 'False')], { active: false }],
  ['', [replace('active', 'True')], { active: true }],
  [
    'emails as a list: the one for work',
    [
      replace('emails', [
        { value: 'home@example.com', type: 'home' },
        { value: 'work@example.com', type: 'WORK' },
      ]),
    ],
    { email: 'work@example.com' },
  ],
  ['', [replace('emails', [{ value: 'a@example.com' }, { value: 'b@example.com', primary: true }])], { email: 'b@example.com' }],
  ['', [replace('emails[type eq "work"]', { value: 'ida@example.com' })], { email: 'ida@example.com' }],
  ['a name in parts', [replace('name', { givenName: 'Ida', familyName: 'Example' })], { name: 'Ida Example' }],
  ['a value without a path', [{ op: 'replace', value: { active: false } }], { active: false }],
  [
    '',
    [{ op: 'replace', value: { Active: 'False', userName: 'ida', name: { formatted: 'Ida' } } }],
    { active: false, userName: 'ida', name: 'Ida' },
  ],
  [
    '',
    [{ op: 'Add', value: { 'name.formatted': 'Ida', 'emails[type eq "work"].value': 'ida@example.com' } }],
    { name: 'Ida', email: 'ida@example.com' },
  ],
  ['', [{ op: 'replace', value: { id: 'same', schemas: ['x'], meta: {}, active: true } }], { externUid: 'same', active: true }],
  ['Remove where it makes sense', [{ op: 'Remove', path: 'active' }], { active: false }],
  [
    'several operations: the last one counts',
    [replace('userName', 'one'), replace('userName', 'two'), replace('active', true)],
    { userName: 'two', active: true },
  ],
]

for (const [what, operations, changes] of understood)
  test(`PATCH understands ${what || JSON.stringify(operations)}`, () => {
    assert.deepEqual(changesOf(operations), changes)
  })

const refused: readonly [scimType: string, operations: readonly Operation[]][] = [
  ['invalidPath', [replace('displayName', 'Ida')]],
  ['invalidPath', [replace('name.givenName', 'Ida')]],
  ['invalidPath', [replace('emails[type eq "home"].value', 'ida@example.com')]],
  ['invalidPath', [replace('', 'x')]],
  ['invalidPath', [replace('constructor', 'x')]],
  ['invalidPath', [replace('__proto__', 'x')]],
  ['invalidPath', [{ op: 'replace', value: { active: true, title: 'Tester' } }]],
  ['invalidPath', [{ op: 'remove', path: 'title' }]],
  ['invalidSyntax', [{ op: 'move', path: 'userName', value: 'x' }]],
  ['invalidSyntax', [{ op: 'constructor', path: 'userName', value: 'x' }]],
  ['invalidValue', [replace('active', 'maybe')]],
  ['invalidValue', [replace('active', 1)]],
  ['invalidValue', [replace('active', undefined)]],
  ['invalidValue', [replace('userName', undefined)]],
  ['invalidValue', [replace('userName', ' ')]],
  ['invalidValue', [replace('userName', ['x'])]],
  ['invalidValue', [replace('userName', 'x'.repeat(256))]],
  ['invalidValue', [replace('name.formatted', 'x'.repeat(1024 * 1024))]],
  ['invalidValue', [replace('name', 'Ida')]],
  ['invalidValue', [replace('name', {})]],
  ['invalidValue', [replace('emails', [])]],
  ['invalidValue', [replace('emails', ['ida@example.com'])]],
  ['invalidValue', [replace('emails', 'not an address')]],
  ['invalidValue', [replace('emails[type eq "work"].value', `${'x'.repeat(250)}@example.com`)]],
  ['invalidValue', [{ op: 'replace', value: 'x' }]],
  ['noTarget', [{ op: 'remove' }]],
  ['mutability', [{ op: 'remove', path: 'userName' }]],
]

for (const [scimType, operations] of refused)
  test(`PATCH refuses ${JSON.stringify(operations).slice(0, 90)} with ${scimType}`, () => {
    assert.throws(
      () => changesOf(operations),
      (error: unknown) =>
        error instanceof Refusal && error.status === 400 && (inScimWords(error) as { scimType: string }).scimType === scimType,
    )
  })
