import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../platform/access/abilities.ts'
import { zeroId } from '../../platform/git/index.ts'
import { BranchRights } from '../protected_branches/branch_rights.ts'
import { TagRights } from '../protected_tags/rights.ts'
import { lines, type PushRights, refusalOf, rewriteRefusalOf } from './push_rules.ts'

const a = 'a'.repeat(40)
const b = 'b'.repeat(40)
const push = { id: 1, action: 'push', access_level: 40, user_id: null, group_id: null } as const
const rights = (role: number): PushRights => {
  const holder = { userId: 1, admin: false, role, canPush: true, groups: new Set<number>() }
  return {
    branches: new BranchRights(
      [
        { name: 'main', allow_force_push: false, levels: [push] },
        { name: 'safe/*', allow_force_push: true, levels: [push] },
      ],
      holder,
    ),
    tags: new TagRights([{ name: 'release-*', levels: [push] }], holder),
  }
}
const developer = rights(roles.developer)
const maintainer = rights(roles.maintainer)

const moves: readonly [ref: string, old: string, target: string, rights: PushRights, line: string | undefined][] = [
  ['refs/heads/topic', zeroId, a, developer, undefined],
  ['refs/heads/topic', a, b, developer, undefined],
  ['refs/heads/topic', a, zeroId, developer, undefined],
  ['refs/heads/main', a, b, developer, lines.pushProtected],
  ['refs/heads/main', a, b, maintainer, undefined],
  ['refs/heads/main', a, zeroId, maintainer, lines.deleteDefault],
  ['refs/heads/safe/x', zeroId, a, developer, lines.createProtected],
  ['refs/heads/safe/x', zeroId, a, maintainer, undefined],
  ['refs/heads/safe/x', a, zeroId, maintainer, lines.deleteProtected],
  ['refs/heads/-x', zeroId, a, maintainer, lines.invalidBranch],
  [`refs/heads/${a}`, zeroId, a, maintainer, lines.invalidBranch],
  ['refs/heads/HEAD', zeroId, a, maintainer, lines.invalidBranch],
  // An existing reference with an invalid name can still be deleted.
  ['refs/heads/-x', a, zeroId, maintainer, undefined],
  ['refs/tags/v1', zeroId, a, developer, undefined],
  ['refs/tags/main', a, zeroId, developer, undefined],
  ['refs/tags/-v1', zeroId, a, developer, lines.invalidTag],
  ['refs/tags/release-1', zeroId, a, developer, lines.createProtectedTag],
  ['refs/tags/release-1', zeroId, a, maintainer, undefined],
  ['refs/tags/release-1', a, b, maintainer, lines.updateProtectedTag],
  ['refs/tags/release-1', a, zeroId, maintainer, lines.deleteProtectedTag],
  ['refs/notes/commits', zeroId, a, developer, undefined],
  ['refs/custom/x', zeroId, a, maintainer, lines.otherNamespace],
  ['refs/custom/x', a, zeroId, maintainer, lines.otherNamespace],
  ['refs/merge-requests/1/head', zeroId, a, maintainer, lines.reserved],
  ['refs/keep-around/x', zeroId, a, maintainer, lines.reserved],
  ['refs/ingot/x', a, zeroId, maintainer, lines.reserved],
]

test('each move of a push is checked separately', () => {
  for (const [ref, old, target, holder, line] of moves)
    assert.equal(refusalOf({ ref, old, new: target }, holder, 'main'), line, `${ref} ${old[0]} ${target[0]}`)
})

test('protected branches without force push refuse to lose commits', () => {
  assert.equal(rewriteRefusalOf('refs/heads/main', maintainer), lines.forceProtected)
  assert.equal(rewriteRefusalOf('refs/heads/safe/x', maintainer), undefined)
  assert.equal(rewriteRefusalOf('refs/heads/topic', developer), undefined)
  assert.equal(rewriteRefusalOf('refs/tags/main', developer), undefined)
})
