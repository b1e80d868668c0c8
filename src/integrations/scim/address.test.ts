import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeGroupPath } from './address.ts'

const base = '/api/scim/v2/groups'

const addresses: readonly [address: string, routed: string | undefined][] = [
  [`${base}/a/b/Users`, `${base}/a%2Fb/Users`],
  [`${base}/a/b/Users/`, `${base}/a%2Fb/Users`],
  [`${base}/a/b/c/Users/uid-1`, `${base}/a%2Fb%2Fc/Users/uid-1`],
  [`${base}/a/b/Users/uid%2F1?x=/Users`, `${base}/a%2Fb/Users/uid%2F1?x=/Users`],
  ['//api//scim/v2/groups//a//b//Users//uid-1/', `${base}/a%2Fb/Users/uid-1`],
  [`${base}/a/Users/Users/uid-1`, `${base}/a%2FUsers/Users/uid-1`],
  // The pattern of the route fits as it is.
  [`${base}/a/Users`, undefined],
  [`${base}/a/Users/`, undefined],
  [`${base}/a%2Fb/Users/uid-1`, undefined],
  [`${base}/a/Users/Users`, undefined],
  // Other addresses.
  [`${base}/a/b`, undefined],
  [`${base}/a/b/Users/uid-1/more`, undefined],
  [`${base}/Users`, undefined],
  ['/api/v4/groups/a/b/Users', undefined],
  ['/a/b/Users', undefined],
]

test('the path of a group is one part of the address, encoded or raw, with or without a slash at the end (decision 22)', () => {
  for (const [address, routed] of addresses) assert.equal(encodeGroupPath(address), routed, address)
})
