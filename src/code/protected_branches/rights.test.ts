import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../platform/access/abilities.ts'
import {
  ADMINISTRATORS,
  BranchRights,
  defaultProtection,
  fitsName,
  type Holder,
  mayFitBoth,
  NO_ONE,
  type Protection,
} from './branch_rights.ts'
import type { AccessLevel } from './queries.ts'

const names: readonly [pattern: string, branch: string, fits: boolean][] = [
  ['main', 'main', true],
  ['main', 'main2', false],
  ['main', 'Main', false],
  ['*', 'anything/at/all', true],
  ['release-*', 'release-1.0', true],
  ['release-*', 'release-', true],
  ['release-*', 'my-release-1', false],
  ['*-stable', '14-0-stable', true],
  ['*-stable', 'stable', false],
  ['feature/*/x', 'feature/a/b/x', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['*a*b*', 'ba', false],
  ['v1.*', 'v1x2', false],
]

test('a protected name matches itself, and `*` in it any text', () => {
  for (const [pattern, branch, fits] of names) assert.equal(fitsName(pattern, branch), fits, `${pattern} ${branch}`)
})

let ids = 0
const level = (action: AccessLevel['action'], access_level: number, of: { user_id?: number; group_id?: number } = {}): AccessLevel => ({
  id: ++ids,
  action,
  access_level,
  user_id: null,
  group_id: null,
  ...of,
})
const protection = (name: string, levels: AccessLevel[], allow_force_push = false): Protection => ({ name, levels, allow_force_push })
const holder = (role: number, of: Partial<Holder> = {}): Holder => ({
  userId: 1,
  admin: false,
  role,
  canPush: role >= roles.developer,
  groups: new Set(),
  ...of,
})
const admin = holder(roles.none, { admin: true, canPush: true })
const developer = holder(roles.developer)
const maintainer = holder(roles.maintainer)

const pushes: readonly [says: string, AccessLevel[], Holder, boolean][] = [
  ['maintainers for a developer', [level('push', 40)], developer, false],
  ['maintainers for a maintainer', [level('push', 40)], maintainer, true],
  ['developers for a developer', [level('push', 30)], developer, true],
  ['developers for a reporter', [level('push', 30)], holder(roles.reporter), false],
  ['no one for an owner', [level('push', NO_ONE)], holder(roles.owner), false],
  ['no one for an administrator', [level('push', NO_ONE)], admin, false],
  ['maintainers for an administrator', [level('push', 40)], admin, true],
  ['administrators for an owner', [level('push', ADMINISTRATORS)], holder(roles.owner), false],
  ['administrators for an administrator', [level('push', ADMINISTRATORS)], admin, true],
  ['this user', [level('push', 40, { user_id: 1 })], developer, true],
  ['this user, who has lost the role', [level('push', 40, { user_id: 1 })], holder(roles.none, { canPush: true }), false],
  ['another user', [level('push', 40, { user_id: 2 })], maintainer, false],
  ['a group of theirs', [level('push', 40, { group_id: 5 })], holder(roles.developer, { groups: new Set([5]) }), true],
  ['a group of others', [level('push', 40, { group_id: 6 })], holder(roles.maintainer, { groups: new Set([5]) }), false],
  ['no one, or this user', [level('push', NO_ONE), level('push', 40, { user_id: 1 })], developer, true],
  ['only merging', [level('merge', 30)], developer, false],
]

test('access levels decide who may push to a protected branch', () => {
  for (const [says, levels, holder, may] of pushes)
    assert.equal(new BranchRights([protection('main', levels)], holder).mayPush('main'), may, says)
})

test('if several names match, any of them grants, and force is allowed only if all allow it', () => {
  const rights = new BranchRights(
    [protection('main', [level('push', 40)], true), protection('m*', [level('push', 30)]), protection('x', [], true)],
    developer,
  )
  assert.equal(rights.mayPush('main'), true)
  assert.equal(rights.allowsForce('main'), false)
  assert.equal(rights.allowsForce('x'), true)
  assert.equal(rights.allowsForce('unprotected'), true)
})

test('merging takes a merge or push level, deleting the Maintainer role and a push level', () => {
  const levels = [level('push', 40), level('merge', 30)]
  const forDeveloper = new BranchRights([protection('main', levels)], developer)
  assert.deepEqual([forDeveloper.mayMerge('main'), forDeveloper.mayDelete('main'), forDeveloper.mayDelete('other')], [true, false, true])
  const forMaintainer = new BranchRights([protection('main', levels)], maintainer)
  assert.deepEqual([forMaintainer.mayMerge('main'), forMaintainer.mayDelete('main')], [true, true])
  const pushable = new BranchRights([protection('main', [level('push', 30)])], developer)
  assert.equal(pushable.mayDelete('main'), false)
})

test('the rights of developers are reported for protected branches only', () => {
  const rights = new BranchRights([protection('main', [level('push', 40), level('merge', 30)])], admin)
  assert.deepEqual([rights.developersMay('push', 'main'), rights.developersMay('merge', 'main')], [false, true])
  assert.equal(rights.developersMay('push', 'other'), false)
})

test('the first push to an empty repository is refused to developers if the branch will be fully protected', () => {
  const first = (protectionLevel: number, holder: Holder) => new BranchRights([], holder, protectionLevel).mayPush('main')
  assert.equal(first(defaultProtection.full, developer), false)
  assert.equal(first(defaultProtection.developersMerge, developer), false)
  assert.equal(first(defaultProtection.developersPush, developer), true)
  assert.equal(first(defaultProtection.none, developer), true)
  assert.equal(first(defaultProtection.full, maintainer), true)
  assert.equal(first(defaultProtection.full, admin), true)
  assert.equal(first(defaultProtection.none, holder(roles.reporter)), false)
})

test('two patterns may fit one name', () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['main', 'main', true],
    ['main', 'mail', false],
    ['main', 'mai*', true],
    ['main', '*', true],
    ['main', 'main*', true],
    ['main', '*x', false],
    ['a*', '*b', true],
    ['a*', 'b*', false],
    ['a*b*c', '*x*', true],
    ['release/*', '*/1', true],
    ['release/*', 'feature/*', false],
    ['*-stable', 'release-*-old', false],
    ['', '*', true],
  ]
  for (const [one, other, may] of pairs) {
    assert.equal(mayFitBoth(one, other), may, `${one} ${other}`)
    assert.equal(mayFitBoth(other, one), may, `${other} ${one}`)
  }
})
