/** The contents of the audit log. test/derived/audit.test.ts checks that every important change leaves an entry. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawPush } from '../../../test/raw_push.ts'
import { openScene } from '../../../test/scene.ts'
import { sweepEntries } from '../../platform/events/audit/record.ts'
import { zeroId } from '../../platform/git/index.ts'

const scene = await openScene()
const { db } = scene.deps.database

interface Entry {
  id: number
  author_id: number | null
  event_name: string
  details: Record<string, unknown>
}

/** Entries of one kind about one entity, the latest first. */
const entriesOf = async (entity_type: string, entity_id: number, event_name?: string): Promise<Entry[]> =>
  (await scene.root.get('/audit_events', { entity_type, entity_id, ...(event_name && { event_name }) })).body

const signIn = (login: string, password: string) =>
  scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login, password }))

const password = 'correct horse battery staple'

test('a sign-in has an entry, and the failures of a minute are one entry with a count, without the input', async () => {
  const person = await scene.user({ password })
  scene.setTime('2021-05-01T10:00:10Z')
  for (const wrong of ['first guess', 'second guess', 'third guess']) assert.equal((await signIn(person.username, wrong)).status, 401)
  assert.equal((await signIn('nobody-of-this-name', 'hunter2-hunter2')).status, 401)
  await signIn(person.username, password)
  scene.setTime(undefined)

  const [success] = await entriesOf('User', person.id, 'session.started')
  const failures = await entriesOf('User', person.id, 'sign_in.failed')

  assert.equal(success?.author_id, person.id)
  assert.equal(success?.details.with, 'password')
  assert.equal(success?.details.ip_address, '127.0.0.1')
  assert.deepEqual(
    failures.map(({ author_id, details }) => [author_id, details.failed_login, details.occurrences]),
    [[null, 'password', 3]],
  )
  const whole = JSON.stringify(await db.selectFrom('audit_events').selectAll().execute())
  for (const secret of ['guess', 'hunter2', 'nobody-of-this-name', password]) assert.ok(!whole.includes(secret), secret)
})

test('sudo has an entry for its start and one for each write, which name the administrator', async () => {
  const { project, owner } = await scene.project()
  await scene.root.get(project.url, {}, { sudo: owner.username })
  await scene.root.put(project.url, { merge_method: 'ff' }, { sudo: owner.username })

  const entries = (await entriesOf('User', owner.id)).filter(({ event_name }) => event_name.startsWith('sudo.'))
  const [change] = await entriesOf('Project', project.id, 'project.updated')

  assert.deepEqual(
    entries.map(({ event_name, author_id }) => [event_name, author_id]),
    [
      ['sudo.wrote', scene.root.id],
      ['sudo.started', scene.root.id],
    ],
  )
  assert.match(String(entries[0]?.details.custom_message), /^By sudo: PUT \/api\/v4\/projects\//)
  assert.equal(change?.author_id, scene.root.id)
  assert.deepEqual(
    [change?.details.change, change?.details.from, change?.details.to, change?.details.acting_as],
    ['merge_method', 'merge', 'ff', owner.username],
  )
})

test('an impersonation token has an entry when it is created, when it is used and for its actions', async () => {
  const person = await scene.user()
  const { body } = await scene.root.post(`/users/${person.id}/impersonation_tokens`, { name: 'support', scopes: ['api'] })
  const impersonator = scene.as({ 'private-token': body.token })
  await impersonator.get('/user')
  await impersonator.get('/user')
  await impersonator.post('/user/emails', { email: 'extra@example.com' })

  const entries = await entriesOf('User', person.id)

  assert.deepEqual(
    entries.slice(0, 3).map(({ event_name, author_id, details }) => [event_name, author_id, details.credential]),
    [
      ['email.added', person.id, 'impersonation_token'],
      ['impersonation.started', person.id, 'impersonation_token'],
      ['token.created', scene.root.id, 'personal_access_token'],
    ],
  )
})

test('entries contain no secrets: values of variables, tokens, passwords in hook URLs', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/variables`, { key: 'DEPLOY', value: 'value-of-the-variable', masked: true })
  await owner.put(`${project.url}/variables/DEPLOY`, { value: 'another-secret-value', protected: true })
  const hook = await owner.post(`${project.url}/hooks`, { url: 'https://ci:pass-in-url@example.com/hook', token: 'token-of-the-hook' })
  await owner.put(`${project.url}/hooks/${hook.body.id}`, { url: 'https://ci:other-in-url@example.com/hook', token: 'new-hook-token' })
  const token = await owner.post(`${project.url}/deploy_tokens`, { name: 'deploy', scopes: ['read_repository'] })
  assert.deepEqual([hook.status, token.status], [201, 201])

  const entries = await entriesOf('Project', project.id)
  const whole = JSON.stringify(await db.selectFrom('audit_events').selectAll().execute())

  const secrets = ['value-of-the', 'another-secret', 'pass-in-url', 'other-in-url', 'token-of-the-hook', 'new-hook-token', token.body.token]
  for (const secret of secrets) assert.ok(!whole.includes(secret), secret)
  const changed = entries.filter(({ event_name }) => event_name === 'variable.updated').map(({ details }) => details.change)
  assert.deepEqual(changed.sort(), ['protected', 'value'])
})

test('roles, visibility, sharing and deletion have entries, which outlive their entity and author', async () => {
  const { project, owner } = await scene.project()
  const [member, { group: guests }] = [await scene.user(), await scene.group({ visibility: 'public' })]
  await owner.post(`${project.url}/members`, { user_id: member.id, access_level: 20 })
  await owner.put(`${project.url}/members/${member.id}`, { access_level: 40 })
  await owner.delete(`${project.url}/members/${member.id}`)
  await owner.put(project.url, { visibility: 'public' })
  await owner.post(`${project.url}/share`, { group_id: guests.id, group_access: 30 })
  await owner.post(`${project.url}/archive`)
  await owner.delete(project.url)
  await scene.root.delete(`/users/${owner.id}`, { hard_delete: 'true' })

  const entries = (await entriesOf('Project', project.id)).filter(({ author_id }) => author_id === owner.id)

  const shown = entries.map(({ details: { add, as, remove, change, from, to } }) => [
    add ?? remove ?? change,
    as ?? from ?? null,
    to ?? null,
  ])
  assert.deepEqual(shown.slice(0, 7), [
    ['project', null, null],
    ['archived', 'false', 'true'],
    ['group_access', 'Developer', null],
    ['visibility', 'private', 'public'],
    ['user_access', null, null],
    ['access_level', 'Reporter', 'Maintainer'],
    ['user_access', 'Reporter', null],
  ])
  assert.ok(entries.every(({ details }) => details.author_name === owner.name))
})

test('a refused request leaves no entry', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const before = (await entriesOf('Project', project.id)).length
  const refused = await developer.post(`${project.url}/variables`, { key: 'KEY', value: 'value' })
  assert.equal(refused.status, 403)
  assert.equal((await entriesOf('Project', project.id)).length, before)
})

test('Maintainers read the log of a project, owners that of a group, others neither', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const [developer, maintainer] = [await scene.user(), await scene.user()]
  await owner.post(`${group.url}/members`, { user_id: developer.id, access_level: 30 })
  await owner.post(`${group.url}/members`, { user_id: maintainer.id, access_level: 40 })

  const statuses = await Promise.all(
    [owner, maintainer, developer].map(async person => [
      (await person.get(`${project.url}/audit_events`)).status,
      (await person.get(`${group.url}/audit_events`)).status,
    ]),
  )
  const [event] = (await maintainer.get(`${project.url}/audit_events`)).body

  assert.deepEqual(statuses, [
    [200, 200],
    [200, 403],
    [403, 403],
  ])
  assert.deepEqual((await maintainer.get(`${project.url}/audit_events/${event.id}`)).body, event)
  const { project: other, owner: stranger } = await scene.project()
  assert.equal((await stranger.get(`${other.url}/audit_events/${event.id}`)).status, 404)
})

test('the log is filtered by author and kind, with keyset pages', async () => {
  const { project, owner } = await scene.project()
  for (const key of ['A', 'B', 'C']) await owner.post(`${project.url}/variables`, { key, value: 'value' })
  await scene.root.delete(`${project.url}/variables/A`)
  const keys = (entries: Entry[]) => entries.map(({ details }) => details.target_details)

  const byOwner = (await owner.get(`${project.url}/audit_events`, { author_id: owner.id, event_name: 'variable.created' })).body
  const query = { event_name: 'variable.created', pagination: 'keyset', per_page: 2 }
  const first = await owner.get(`${project.url}/audit_events`, query)
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] as string

  assert.deepEqual(keys(byOwner), ['C', 'B', 'A'])
  assert.deepEqual(keys(first.body), ['C', 'B'])
  assert.deepEqual(keys((await owner.get(next)).body), ['A'])
  assert.equal((await owner.get(`${project.url}/audit_events`, { event_name: 'unheard.of' })).status, 400)
})

test('entries are kept for the configured time', async () => {
  scene.setTime('2021-01-01T00:00:00Z')
  const { project } = await scene.project()
  scene.setTime(undefined)
  const now = new Date('2021-03-01T00:00:00Z')
  await sweepEntries(db, now)
  assert.notEqual((await entriesOf('Project', project.id)).length, 0)

  await scene.root.put('/application/settings', { audit_events_retention_days: 30 })
  await sweepEntries(db, now)

  assert.equal((await entriesOf('Project', project.id)).length, 0)
  await scene.root.put('/application/settings', { audit_events_retention_days: 0 })
})

test('a wrong password of git is a failed sign-in', async () => {
  const { project, owner } = await scene.project()
  const basic = Buffer.from(`${owner.username}:a wrong password`).toString('base64')
  const client = scene.as({ authorization: `Basic ${basic}` })
  const { status } = await client.get(`${scene.url}/${project.full_path}.git/info/refs`, { service: 'git-receive-pack' })
  assert.equal(status, 401)
  const [failure] = await entriesOf('User', owner.id, 'sign_in.failed')
  assert.equal(failure?.details.failed_login, 'git')
})

test('deleted branches and tags have entries with the address and credential, for the API and for a push', async () => {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { a: '1' })
  for (const branch of ['by-api', 'by-sudo', 'by-push']) await owner.post(`${project.url}/repository/branches`, { branch, ref: 'main' })
  await owner.delete(`${project.url}/repository/branches/by-api`)
  await scene.root.delete(`${project.url}/repository/branches/by-sudo`, {}, { sudo: owner.username })
  await rawPush(scene, project, owner, [{ ref: 'refs/heads/by-push', old: sha, new: zeroId }], { pack: Buffer.alloc(0) })

  const entries = await entriesOf('Project', project.id, 'reference.moved')

  assert.deepEqual(
    entries.map(({ author_id, details: d }) => [d.target_details, author_id, d.acting_as, d.ip_address, d.credential]),
    [
      ['by-push', owner.id, null, '127.0.0.1', 'personal_access_token'],
      ['by-sudo', scene.root.id, owner.username, '127.0.0.1', 'personal_access_token'],
      ['by-api', owner.id, null, '127.0.0.1', 'personal_access_token'],
    ],
  )
})

test('signing out has an entry, and so have the sessions that a new password or a block ends, with their number', async () => {
  const person = await scene.user({ password })
  const browse = async () => String((await signIn(person.username, password)).headers['set-cookie']).split(';')[0] as string
  const signOut = (cookie: string) => scene.anonymous.get(`${scene.url}/users/sign_out`, {}, { cookie })
  const cookie = await browse()
  assert.equal((await signOut(cookie)).status, 303)
  assert.equal((await signOut(cookie)).status, 303)
  await browse()
  await browse()
  await scene.root.post(`/users/${person.id}/block`)

  const entries = await entriesOf('User', person.id, 'session.ended')

  assert.deepEqual(
    entries.map(({ author_id, details }) => [author_id, details.custom_message, details.ip_address]),
    [
      [scene.root.id, '2 sessions ended', '127.0.0.1'],
      [person.id, 'Signed out', '127.0.0.1'],
    ],
  )
})

test('approval rules, a new password in a hook URL, an unlinked fork and a deleted branch have entries', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: 'x', commit_message: 'Begin' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await owner.delete(`${project.url}/repository/branches/topic`)
  await owner.post(`${project.url}/approvals`, { merge_requests_author_approval: true })
  const hook = await owner.post(`${project.url}/hooks`, { url: 'https://ci:one@example.com/hook' })
  await owner.put(`${project.url}/hooks/${hook.body.id}`, { url: 'https://ci:two@example.com/hook' })
  const fork = await owner.post(`${project.url}/fork`, { name: 'Fork', path: `fork-${project.id}` })
  const unlinked = await owner.delete(`/projects/${fork.body.id}/fork`)
  assert.equal(unlinked.status, 204)

  const entries = [...(await entriesOf('Project', project.id)), ...(await entriesOf('Project', fork.body.id))]
  const shown = entries.map(({ event_name, details: { change, remove, target_details } }) => [event_name, change ?? remove, target_details])

  const expected = [
    ['hook.updated', 'url', 'https://example.com/hook'],
    ['approval_settings.updated', 'merge_requests_author_approval', project.full_path],
    ['reference.moved', 'branch', 'topic'],
    ['fork_relation.deleted', 'fork_relation', project.full_path],
  ]
  for (const entry of expected)
    assert.ok(
      shown.some(other => JSON.stringify(other) === JSON.stringify(entry)),
      `${entry} among ${JSON.stringify(shown)}`,
    )
  assert.ok(entries.every(({ author_id }) => author_id === owner.id))
})

test('entries of new accounts, projects and protections say what they give', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { project: second } = await scene.project({ owner })
  const givenBy = async (type: string, id: number, kind: string) => (await entriesOf(type, id, kind))[0]?.details.as
  const account = {
    name: 'New',
    username: 'new-administrator',
    email: 'new-administrator@example.com',
    password,
    admin: true,
    external: true,
  }
  const created = (await scene.root.post('/users', { ...account, skip_confirmation: false })).body
  await scene.root.put(`/users/${created.id}`, { skip_reconfirmation: true })
  const open = (await owner.post('/projects', { name: 'Open one', visibility: 'public' })).body
  const group = (await scene.root.post('/groups', { name: 'Inside', path: 'inside', visibility: 'internal' })).body
  await owner.post(`${project.url}/protected_branches`, {
    name: 'release',
    push_access_level: 0,
    merge_access_level: 30,
    allow_force_push: true,
  })
  await owner.post(`${project.url}/protected_tags`, { name: 'v*', create_access_level: 30 })
  await owner.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ user_id: developer.id }] })
  const runner = (await scene.anonymous.post('/runners', { token: (await owner.get(project.url)).body.runners_token })).body
  await scene.root.put(`/runners/${runner.id}`, { locked: false })
  await owner.post(`${second.url}/runners`, { runner_id: runner.id })

  assert.equal(await givenBy('User', created.id, 'user.created'), 'administrator, external')
  const [confirmed] = await entriesOf('User', created.id, 'user.updated')
  assert.deepEqual([confirmed?.details.change, confirmed?.details.from], ['confirmed_at', null])
  await scene.root.put(`/users/${created.id}`, { skip_reconfirmation: true })
  assert.equal((await entriesOf('User', created.id, 'user.updated')).length, 1, 'what was confirmed already is no change')
  assert.equal(await givenBy('Project', open.id, 'project.created'), 'public')
  assert.equal(await givenBy('Group', group.id, 'group.created'), 'internal')
  assert.equal(
    await givenBy('Project', project.id, 'protected_branch.created'),
    'push: No one; merge: Developer; unprotect: Maintainer; force push',
  )
  assert.equal(await givenBy('Project', project.id, 'protected_tag.created'), 'create: Developer')
  assert.equal(await givenBy('Project', project.id, 'protected_environment.created'), `deploy: user ${developer.id}`)
  assert.equal((await entriesOf('Project', second.id, 'runner.enabled')).length, 1)
})
