import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Ability,
  type AbilitySubject,
  abilities,
  allows,
  type Feature,
  type FeatureLevel,
  openToAnonymous,
  roles,
  type Visibility,
} from './abilities.ts'
import { type Actor, anonymous } from './actor.ts'

const userActor = (attributes: object = {}): Actor => ({
  user: {
    id: 1,
    username: 'a',
    name: 'A',
    email: 'a@example.com',
    admin: false,
    external: false,
    state: 'active',
    kind: 'human',
    avatar_url: null,
    creator_id: null,
    ...attributes,
  },
  credential: undefined,
  sudoBy: undefined,
})
const admin = userActor({ id: 2, admin: true })

const features = (level: FeatureLevel): Record<Feature, FeatureLevel> => ({
  issues: level,
  repository: level,
  merge_requests: level,
  forking: level,
  wiki: level,
  builds: level,
  snippets: level,
  analytics: level,
  operations: level,
  pages: level,
  requirements: level,
  container_registry: level,
})

const project = (
  role: keyof typeof roles,
  visibility: Visibility = 'private',
  level: FeatureLevel = 'enabled',
  archived = false,
): AbilitySubject => ({
  on: 'project',
  role: roles[role],
  visibility,
  archived,
  publicJobs: true,
  features: features(level),
})
const group = (role: keyof typeof roles, visibility: Visibility = 'private'): AbilitySubject => ({
  on: 'group',
  role: roles[role],
  visibility,
})

test('a role has an ability from the row’s role upward and not below', () => {
  for (const [name, rule] of Object.entries(abilities)) {
    if ('who' in rule) continue
    for (const [role, level] of Object.entries(roles)) {
      const subject: AbilitySubject = (rule.on === 'project' ? project : group)(role as keyof typeof roles)
      assert.equal(allows(userActor(), name as Ability, subject), level >= rule.role ? 'yes' : 'no', `${name} of ${role}`)
    }
  }
})

test('administrators have every ability in private places they are no members of (decision 43)', () => {
  for (const [name, rule] of Object.entries(abilities)) {
    // Only the group's SCIM token provisions users.
    if (rule.on === 'provisioning') continue
    const actor = 'bySession' in rule ? { ...admin, credential: { kind: 'session' as const, id: 1, confirmedAt: 0 } } : admin
    const subject: AbilitySubject =
      rule.on === 'project'
        ? project('none')
        : rule.on === 'group'
          ? group('none')
          : rule.on === 'user'
            ? { on: 'user', userId: 99, kind: 'human' }
            : { on: 'instance' }
    assert.equal(allows(actor, name as Ability, subject), 'yes', name)
  }
})

test('the primary address is changed in a session alone, not even by the token of an administrator', () => {
  const own: AbilitySubject = { on: 'user', userId: 1, kind: 'human' }
  const inSession: Actor = { ...userActor(), credential: { kind: 'session', id: 1, confirmedAt: 0 } }
  assert.equal(allows(inSession, 'change_own_email', own), 'yes')
  assert.equal(allows(inSession, 'change_own_email', { ...own, userId: 2 }), 'no')
  for (const actor of [userActor(), admin]) assert.equal(allows(actor, 'change_own_email', own), 'no')
})

test('an account that is not active has no ability anywhere, whatever credential acts for it', () => {
  for (const state of ['blocked', 'banned', 'deactivated', 'blocked_pending_approval'] as const)
    for (const [name, rule] of Object.entries(abilities)) {
      const subject: AbilitySubject =
        rule.on === 'project'
          ? ({ ...project('owner', 'public'), own: true } as AbilitySubject)
          : rule.on === 'group'
            ? ({ ...group('owner', 'public'), own: true } as AbilitySubject)
            : rule.on === 'user'
              ? { on: 'user', userId: 1 }
              : { on: 'instance' }
      if (rule.on === 'provisioning') continue
      for (const actor of [userActor({ state }), userActor({ state, admin: true })])
        assert.equal(allows(actor, name as Ability, subject), 'no', `${name}, ${state}`)
    }
})

test('credentials are added to accounts of people and never to bots, whatever the role of the caller', () => {
  const at = (kind?: string): AbilitySubject => ({ on: 'user', userId: 1, ...(kind && { kind }) })
  assert.equal(allows(userActor(), 'add_own_credential', at('human')), 'yes')
  assert.equal(allows(userActor({ kind: 'project_bot' }), 'add_own_credential', at('project_bot')), 'no')
  assert.equal(allows(userActor(), 'add_own_credential', at()), 'no')
  for (const kind of ['project_bot', 'ghost']) assert.equal(allows(admin, 'add_credential_for_user', at(kind)), 'no')
})

test('deploy keys and deploy tokens have the abilities of their role in git, packages and images, and otherwise those of the public', () => {
  const machines: Actor[] = [
    { ...anonymous, credential: { kind: 'deploy_key', id: 1, creatorId: null } },
    { ...anonymous, credential: { kind: 'deploy_token', id: 1, scopes: ['read_repository'], place: { projectId: 1 }, creatorId: null } },
  ]
  for (const machine of machines)
    for (const [name, rule] of Object.entries(abilities)) {
      if (rule.on !== 'project') continue
      const may = (actor: Actor, subject: AbilitySubject) => allows(actor, name as Ability, subject)
      const isForMachines = ['read_project', 'read_code', 'push_code', 'push_to_branch', 'read_package', 'read_container_image'].includes(
        name,
      )
      assert.equal(may(machine, project('developer')), isForMachines ? 'yes' : may(anonymous, project('none')), name)
    }
})

test('a deploy token that writes packages publishes and deletes them where it has a role, and nothing else', () => {
  const place = { projectId: 1 }
  const scopes = ['write_package_registry'] as const
  const publisher: Actor = { ...anonymous, credential: { kind: 'deploy_token', id: 1, scopes, place, creatorId: null } }
  for (const ability of ['create_package', 'destroy_package'] as const) {
    assert.equal(allows(publisher, ability, project('reporter')), 'yes')
    assert.equal(allows(publisher, ability, project('none', 'public')), 'no')
  }
  for (const ability of ['push_code', 'admin_project', 'create_issue', 'create_container_image'] as const)
    assert.equal(allows(publisher, ability, project('reporter')), 'no')
})

test('a deploy token that writes to the registry pushes images where it has a role, and deletes none', () => {
  const pusher: Actor = {
    ...anonymous,
    credential: { kind: 'deploy_token', id: 1, scopes: ['write_registry'], place: { projectId: 1 }, creatorId: null },
  }
  assert.equal(allows(pusher, 'create_container_image', project('reporter')), 'yes')
  assert.equal(allows(pusher, 'create_container_image', project('none', 'public')), 'no')
  for (const ability of ['destroy_container_image', 'admin_container_image', 'create_package'] as const)
    assert.equal(allows(pusher, ability, project('reporter')), 'no')
})

test('only the SCIM token of the group provisions users, and no user does', () => {
  const subject: AbilitySubject = { on: 'provisioning', topGroupId: 7 }
  const provider = (groupId: number): Actor => ({ ...anonymous, credential: { kind: 'scim_token', groupId } })
  assert.equal(allows(provider(7), 'provision_group_users', subject), 'yes')
  for (const other of [provider(8), admin, userActor(), anonymous]) assert.equal(allows(other, 'provision_group_users', subject), 'no')
  for (const [name, rule] of Object.entries(abilities)) {
    if (rule.on !== 'group' && rule.on !== 'project') continue
    const place = rule.on === 'project' ? project('none') : group('none')
    assert.equal(allows(provider(7), name as Ability, place), 'no', name)
  }
})

test('public abilities hold in public places and need membership in private ones', () => {
  for (const [name, rule] of Object.entries(abilities)) {
    if ('who' in rule) continue
    const at = (visibility: Visibility) => (rule.on === 'project' ? project('none', visibility) : group('none', visibility))
    const ability = name as Ability
    assert.equal(allows(anonymous, ability, at('private')), 'no', name)
    assert.equal(allows(anonymous, ability, at('public')), rule.public === 'anyone' ? 'yes' : 'no', name)
    assert.equal(allows(userActor(), ability, at('public')), rule.public ? 'yes' : 'no', name)
    assert.equal(openToAnonymous(ability), rule.public === 'anyone', name)
  }
})

const featureTable: [FeatureLevel, Actor, keyof typeof roles, Visibility, string][] = [
  ['enabled', anonymous, 'none', 'public', 'yes'],
  ['enabled', userActor(), 'none', 'internal', 'yes'],
  ['enabled', userActor(), 'guest', 'private', 'no'],
  ['enabled', userActor(), 'reporter', 'private', 'yes'],
  ['private', anonymous, 'none', 'public', 'hidden'],
  ['private', userActor(), 'none', 'public', 'hidden'],
  ['private', userActor(), 'guest', 'public', 'yes'],
  ['private', userActor(), 'guest', 'private', 'no'],
  ['private', userActor(), 'reporter', 'private', 'yes'],
  ['private', admin, 'none', 'private', 'yes'],
  ['disabled', userActor(), 'owner', 'public', 'hidden'],
  ['disabled', admin, 'owner', 'public', 'hidden'],
]

for (const [level, actor, role, visibility, verdict] of featureTable) {
  const who = actor.user ? (actor.user.admin ? 'an administrator' : `a signed-in person with role ${role}`) : 'an anonymous caller'
  test(`code in a ${visibility} project whose repository is ${level}: ${verdict} for ${who}`, () => {
    assert.equal(allows(actor, 'read_code', project(role, visibility, level)), verdict)
  })
}

test('an archived project is read and administered, and its contents do not change', () => {
  for (const actor of [userActor(), admin]) {
    assert.equal(allows(actor, 'read_code', project('owner', 'private', 'enabled', true)), 'yes')
    assert.equal(allows(actor, 'push_code', project('owner', 'private', 'enabled', true)), 'no')
    assert.equal(allows(actor, 'admin_project', project('owner', 'private', 'enabled', true)), 'yes')
  }
})

test('what belongs to a person is theirs and the administrators’', () => {
  assert.equal(allows(userActor(), 'update_own', { on: 'user', userId: 1 }), 'yes')
  assert.equal(allows(userActor(), 'update_own', { on: 'user', userId: 3 }), 'no')
  assert.equal(allows(admin, 'update_own', { on: 'user', userId: 3 }), 'yes')
  assert.equal(allows(anonymous, 'update_own', { on: 'user', userId: 3 }), 'no')
  assert.equal(allows(userActor(), 'admin_user', { on: 'user', userId: 1 }), 'no')
})

test('anyone reads the instance, signed-in users use it, and administrators administer it', () => {
  const verdicts = (actor: Actor) =>
    (['read_instance', 'use_instance', 'admin_instance'] as const).map(ability => allows(actor, ability, { on: 'instance' }))
  assert.deepEqual(verdicts(anonymous), ['yes', 'no', 'no'])
  assert.deepEqual(verdicts(userActor()), ['yes', 'yes', 'no'])
  assert.deepEqual(verdicts(admin), ['yes', 'yes', 'yes'])
})

test('a subject of the wrong kind is a programming error', () => {
  assert.throws(() => allows(admin, 'read_project', { on: 'instance' }), /about a project/)
})

test('the author may change an issue without the role, except where the feature is hidden or the project archived', () => {
  const own = { ...project('guest'), own: true } as AbilitySubject

  assert.equal(allows(userActor(), 'update_issue', project('guest')), 'no')
  assert.equal(allows(userActor(), 'update_issue', own), 'yes')
  assert.equal(allows(userActor(), 'admin_issue', own), 'no')
  assert.equal(allows(userActor(), 'update_issue', { ...project('none', 'public', 'private'), own: true } as AbilitySubject), 'hidden')
  assert.equal(allows(userActor(), 'update_issue', { ...project('guest', 'private', 'enabled', true), own: true } as AbilitySubject), 'no')
})

test('an administrator who acts as a user in the browser adds and renews no credential of theirs', () => {
  const subject: AbilitySubject = { on: 'user', userId: 1, kind: 'human' }
  const acting = {
    ...userActor(),
    credential: { kind: 'session', id: 1, confirmedAt: 0 } as const,
    sudoBy: userActor({ admin: true }).user,
  }
  for (const ability of ['add_own_credential', 'renew_own_credential'] as const) {
    assert.equal(allows({ ...acting, sudoBy: undefined }, ability, subject), 'yes')
    assert.equal(allows(acting, ability, subject), 'no')
  }
  assert.equal(allows(acting, 'update_own', subject), 'yes')
})
