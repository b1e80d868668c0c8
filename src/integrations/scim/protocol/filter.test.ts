import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { readFilter } from './filter.ts'
import { inScimWords } from './refusals.ts'

const understood: readonly [filter: string, attribute: string, value: string][] = [
  ['id eq "0b1d"', 'id', '0b1d'],
  ['externalId eq "0b1d"', 'externalId', '0b1d'],
  ['userName eq "ida"', 'userName', 'ida'],
  ['emails.value eq "ida@example.com"', 'emails.value', 'ida@example.com'],
  ['EXTERNALID EQ "Ab"', 'externalId', 'Ab'],
  ['username Eq "ida"', 'userName', 'ida'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ida"', 'userName', 'ida'],
  ['  id   eq   "a"  ', 'id', 'a'],
  ['(id eq "a")', 'id', 'a'],
  ['id eq "with \\"quotes\\""', 'id', 'with "quotes"'],
  ['userName eq "DOMAIN\\\\ida"', 'userName', 'DOMAIN\\ida'],
  ['id eq "\\u00fc\\/"', 'id', 'ü/'],
  ['id eq "ü 🦊 a+b%"', 'id', 'ü 🦊 a+b%'],
  ['id eq ""', 'id', ''],
]

test('a filter compares one of four attributes with eq, named in any case of letters (document 1, List rule 2; decision 22)', () => {
  for (const [filter, attribute, value] of understood) assert.deepEqual(readFilter(filter), { attribute, value }, filter)
})

const refused: readonly string[] = [
  '',
  'id',
  'id eq',
  'id eq a',
  "id eq 'a'",
  'id eq "a',
  'id eq "a" x',
  'id eq 5',
  'id eq true',
  'id eq null',
  'id ne "a"',
  'userName co "a"',
  'userName sw "a"',
  'userName pr',
  'displayName eq "a"',
  'emails eq "a"',
  'name.formatted eq "a"',
  'active eq true',
  'constructor eq "a"',
  'id eq "a" and userName eq "b"',
  'id eq "a" or id eq "b"',
  'not (id eq "a")',
  'emails[type eq "work"].value eq "a"',
  'emails[value eq "a"]',
  'id eq "a\\q"',
  '((((((((',
  'id eq "a\u0000b"',
  'id eq "a\\u0000b"',
  'id eq "a\\ud800b"',
  // Control characters make the parser's work grow without bound.
  `id eq "${'\n'.repeat(1_000)}`,
]

test('every other filter is a 400 of the type invalidFilter', () => {
  for (const filter of refused)
    assert.throws(
      () => readFilter(filter),
      (error: unknown) =>
        error instanceof Refusal && error.status === 400 && /"scimType":"invalidFilter"/.test(JSON.stringify(inScimWords(error))),
      filter,
    )
})
