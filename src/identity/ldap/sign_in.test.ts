/** Accounts of people of a real directory: how they come in, what their groups give them, and what happens once they are gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Scene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { providersFile } from '../providers/kinds/scene.ts'
import { ProviderFailed } from '../providers/provider.ts'
import { directorySkip, openDirectory, passwordOf, personDn } from './scene.ts'

const skip = await directorySkip()
const directory = skip ? (undefined as never) : await openDirectory()
const provider = {
  name: 'ldapmain',
  label: 'Example Directory',
  kind: 'ldap',
  settings: skip ? {} : directory.settings,
  allow_single_sign_on: true,
  block_auto_created_users: false,
  auto_link_user: true,
  admin_groups: ['admins'],
  roles: [
    { group: 'developers', path: 'team', access_level: 'developer' },
    { group: 'owners', path: 'team', access_level: 'maintainer' },
  ],
}
const scene: Scene = await openScene({
  settings: { providersFile: await providersFile(skip ? [] : [provider]), rateLimit: 'anonymous=10000,authenticated=10000,sign_in=10000' },
})
const { group, owner } = await scene.group({ path: 'team', name: 'team' })
const { project } = await scene.project({ group, owner })
await scene.commit(project, { 'README.md': 'hello' })

const signIn = (login: string, password: string) =>
  scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login, password, redirect: '/-/profile' }))

/** A client with the session of a sign-in that must work. */
async function signedIn(login: string, password = passwordOf(login)) {
  const answer = await signIn(login, password)
  assert.equal(answer.status, 303, answer.body)
  return scene.as({ cookie: String(answer.headers['set-cookie']).split(';')[0] as string })
}

const git = (login: string, password: string) =>
  scene
    .as({ authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` })
    .get(`${scene.url}/${project.full_path}.git/info/refs?service=git-upload-pack`)

/** The clock asks the directory about its people. */
async function check(): Promise<void> {
  const tasks = tasksOf(scene.deps)
  await tasks.check_directories({}, undefined)
  await tasks.check_directory_people({ provider: 'ldapmain', after: 0 }, undefined)
}

const account = async (id: number) => (await scene.root.get(`/users/${id}`)).body
const level = async (id: number) => (await scene.root.get(`${group.url}/members/${id}`)).body.access_level as number | undefined
const kindsOf = async (id: number) => {
  const rows = await scene.deps.database.db
    .selectFrom('audit_events')
    .select('kind')
    .where('entity_type', '=', 'User')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

test('a first sign-in makes an account with the name, the address and the roles that the directory gives', { skip }, async () => {
  await directory.add({ uid: 'ida', cn: 'Ida Example', mail: 'ida.example@example.com' })
  await directory.group('developers', ['ida'])

  const { body } = await (await signedIn('ida')).get('/user')

  assert.deepEqual([body.username, body.name, body.email, body.is_admin], ['ida', 'Ida Example', 'ida.example@example.com', undefined])
  assert.ok(body.confirmed_at)
  assert.deepEqual(body.identities, [{ provider: 'ldapmain', extern_uid: personDn('ida') }])
  assert.equal(await level(body.id), 30)
  const again = (await (await signedIn('ida.example@example.com', passwordOf('ida'))).get('/user')).body
  assert.equal(again.id, body.id)
})

test('the sign-in page says whose name and password it takes', { skip }, async () => {
  const { body } = await scene.anonymous.get(`${scene.url}/users/sign_in`)
  assert.match(body, /id="login" [^>]*aria-describedby="login-note"/)
  assert.match(body, /id="login-note">With an account at Example Directory: the name and password that you have there\./)
})

test('a wrong password, an unknown name, an empty password and a name that is a filter are refused alike', { skip }, async () => {
  await directory.add({ uid: 'anna' })
  for (const [login, password] of [
    ['anna', 'wrong'],
    ['nobody-at-all', passwordOf('anna')],
    ['*', passwordOf('anna')],
    ['*)(uid=*', passwordOf('anna')],
    ['anna)(|(uid=*', passwordOf('anna')],
    [`${'a'.repeat(254)}*`, passwordOf('anna')],
  ] as const) {
    const answer = await signIn(login, password)
    assert.equal(answer.status, 401)
    assert.match(answer.body, /Wrong username, email or password\./)
    assert.doesNotMatch(answer.body, /cannot be reached/)
  }
  // Never a bind without a password, which a directory answers with success; nor a character that no name has.
  for (const [login, password] of [
    ['anna', ''],
    ['anna\0', passwordOf('anna')],
  ] as const)
    assert.ok([400, 401].includes((await signIn(login, password)).status))
  assert.deepEqual((await scene.root.get('/users', { username: 'anna' })).body, [])
})

test('too many wrong passwords close the name here, without the directory being asked', { skip }, async () => {
  await directory.add({ uid: 'ben' })
  for (let attempt = 0; attempt < 10; attempt++) assert.equal((await signIn('ben', 'wrong')).status, 401)
  assert.equal((await signIn('ben', passwordOf('ben'))).status, 429)
})

test('an account with the same confirmed address is linked, and keeps its own password', { skip }, async () => {
  const person = await scene.user({ username: 'carla-here', password: 'a very long pass phrase' })
  await directory.add({ uid: 'carla', mail: person.email })

  const { body } = await (await signedIn('carla')).get('/user')

  assert.equal(body.id, person.id)
  assert.equal((await signIn('carla-here', 'a very long pass phrase')).status, 303)
  // The name here leads to the entry of the directory, whatever that is called.
  assert.equal((await signIn('carla-here', passwordOf('carla'))).status, 303)
})

test('git over HTTP takes the password of the directory, of people who have an account here', { skip }, async () => {
  await directory.add({ uid: 'dora' })
  await directory.group('owners', ['dora'])
  assert.equal((await git('dora', passwordOf('dora'))).status, 401)
  await signedIn('dora')

  assert.equal((await git('dora', passwordOf('dora'))).status, 200)
  assert.equal((await git('dora', 'wrong')).status, 401)
  assert.equal((await git('dora', '')).status, 401)
  // Only the directory knows whether the password was changed: the client sends it each time, and gets no token for it.
  const batch = await fetch(`${scene.url}/${project.full_path}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`dora:${passwordOf('dora')}`).toString('base64')}`,
      'content-type': 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({ operation: 'upload', objects: [{ oid: '0'.repeat(64), size: 1 }] }),
  })
  const { objects } = (await batch.json()) as { objects: { authenticated?: boolean; actions: { upload: object } }[] }
  assert.deepEqual([objects[0]?.authenticated, Object.keys(objects[0]?.actions.upload ?? {})], [undefined, ['href']])
  const { user, proof } = await scene.run(undefined, async ctx => {
    const { accountByPassword } = await import('../sessions/passwords.ts')
    return (await accountByPassword(ctx, 'dora', passwordOf('dora'), 'git')) ?? assert.fail('the password is right')
  })
  // What goes on by this password goes on while the account is linked.
  const { currentActor } = await import('../../platform/access/current_actor.ts')
  const now = () => currentActor(scene.deps.database.db, { kind: 'password', id: user.id, proof }, new Date())
  assert.equal((await now())?.user?.id, user.id)
  assert.equal((await scene.root.delete(`/users/${user.id}/identities/ldapmain`)).status, 204)
  assert.equal(await now(), undefined)
})

test('who leaves the directory is blocked and loses their roles by the next check, and has both again once they are back', {
  skip,
}, async () => {
  await directory.add({ uid: 'emil' })
  await directory.add({ uid: 'frieda' })
  await directory.group('developers', ['emil', 'frieda'])
  await directory.group('admins', ['emil'])
  const browser = await signedIn('emil')
  const { id } = (await browser.get('/user')).body
  const stays = (await (await signedIn('frieda')).get('/user')).body.id
  const token = await scene.token({ id })
  assert.deepEqual([(await account(id)).is_admin, await level(id)], [true, 30])
  await check()
  assert.deepEqual([(await account(id)).state, (await account(id)).is_admin, await level(id)], ['active', true, 30])

  await directory.remove('emil')
  await directory.group('developers', ['frieda'])
  await directory.group('admins', [])
  await check()

  assert.deepEqual([(await account(id)).state, (await account(id)).is_admin, await level(id)], ['blocked', false, undefined])
  assert.equal((await browser.get('/user')).status, 401)
  assert.notEqual((await scene.as({ 'private-token': token }).get('/user')).status, 200)
  assert.equal((await signIn('emil', passwordOf('emil'))).status, 401)
  assert.deepEqual([(await account(stays)).state, await level(stays)], ['active', 30])
  // Who is unblocked by hand, but is in no directory, is blocked by the next check.
  assert.equal((await scene.root.post(`/users/${id}/unblock`)).status, 201)
  await check()
  assert.equal((await account(id)).state, 'blocked')

  await directory.add({ uid: 'emil' })
  await directory.group('developers', ['emil', 'frieda'])
  await check()

  assert.deepEqual([(await account(id)).state, await level(id)], ['active', 30])
  await signedIn('emil')
  const kinds = await kindsOf(id)
  for (const kind of ['identity.left', 'identity.returned', 'user.state_changed']) assert.ok(kinds.includes(kind), kind)
})

test('the last administrator is neither blocked nor one no more when the directory says so, until there is another', { skip }, async () => {
  const { db } = scene.deps.database
  const rootIs = (admin: boolean) => db.updateTable('users').set({ admin }).where('id', '=', scene.root.id).execute()
  await directory.add({ uid: 'last' })
  await directory.group('admins', ['last'])
  const { id } = (await (await signedIn('last')).get('/user')).body
  const now = () => db.selectFrom('users').select(['admin', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
  await rootIs(false)
  try {
    await directory.group('admins', [])
    await check()
    assert.deepEqual(await now(), { admin: true, state: 'active' })
    await directory.remove('last')
    await check()
    assert.deepEqual(await now(), { admin: true, state: 'active' })
  } finally {
    await rootIs(true)
  }
  await check()
  assert.deepEqual(await now(), { admin: false, state: 'blocked' })
})

test('who is back in the directory need not wait for the check', { skip }, async () => {
  await directory.add({ uid: 'gerd' })
  const { id } = (await (await signedIn('gerd')).get('/user')).body
  await directory.remove('gerd')
  await check()
  assert.equal((await account(id)).state, 'blocked')
  await directory.add({ uid: 'gerd' })
  await signedIn('gerd')
  assert.equal((await account(id)).state, 'active')
})

test('whom an administrator blocked stays blocked, whatever the directory says', { skip }, async () => {
  await directory.add({ uid: 'hans' })
  const { id } = (await (await signedIn('hans')).get('/user')).body
  assert.equal((await scene.root.post(`/users/${id}/block`)).status, 201)
  await check()
  assert.equal((await account(id)).state, 'blocked')
  await directory.remove('hans')
  await check()
  await directory.add({ uid: 'hans' })
  await check()
  assert.equal((await account(id)).state, 'blocked')
  assert.match((await signIn('hans', passwordOf('hans'))).body, /blocked/)
})

test('the same where the directory had blocked them before', { skip }, async () => {
  await directory.add({ uid: 'hilde' })
  const { id } = (await (await signedIn('hilde')).get('/user')).body
  await directory.remove('hilde')
  await check()
  assert.equal((await scene.root.post(`/users/${id}/block`)).status, 201)
  await directory.add({ uid: 'hilde' })
  await check()
  assert.equal((await account(id)).state, 'blocked')
  assert.match((await signIn('hilde', passwordOf('hilde'))).body, /blocked/)
})

test('a role that was given by hand stays when the directory takes its own away', { skip }, async () => {
  await directory.add({ uid: 'jana' })
  const { id } = (await (await signedIn('jana')).get('/user')).body
  assert.equal((await owner.post(`${group.url}/members`, { user_id: id, access_level: 20 })).status, 201)
  await directory.group('developers', ['frieda', 'jana'])
  await check()
  assert.equal(await level(id), 20)
  await directory.group('developers', ['frieda'])
  await check()
  assert.equal(await level(id), 20)
})

test('an identity that the API sets is the entry, however its name is written', { skip }, async () => {
  await directory.add({ uid: 'kurt', mail: '' })
  const person = await scene.user()
  const extern_uid = 'UID=Kurt, ou=People,dc=example,dc=com'
  assert.equal((await scene.root.put(`/users/${person.id}`, { provider: 'ldapmain', extern_uid })).status, 200)

  assert.equal((await (await signedIn('kurt')).get('/user')).body.id, person.id)
})

test('nobody unlinks their directory, and stays by a password of this server when they are gone', { skip }, async () => {
  await directory.add({ uid: 'nora', mail: '' })
  const person = await scene.user({ password: 'a very long pass phrase' })
  await scene.root.put(`/users/${person.id}`, { provider: 'ldapmain', extern_uid: personDn('nora') })
  const session = await signedIn(person.username, 'a very long pass phrase')
  assert.doesNotMatch((await session.get(`${scene.url}/-/profile/identities`)).body, /Unlink/)

  assert.equal((await person.delete('/user/identities/ldapmain')).status, 409)

  assert.equal((await scene.root.delete(`/users/${person.id}/identities/ldapmain`)).status, 204)
})

test('a directory that is down changes nobody, and lets passwords of this server in', { skip }, async () => {
  await directory.add({ uid: 'lena' })
  const { id } = (await (await signedIn('lena')).get('/user')).body
  const local = await scene.user({ password: 'a very long pass phrase' })
  await directory.stop()
  try {
    await assert.rejects(check(), ProviderFailed)
    assert.equal((await account(id)).state, 'active')
    for (const login of ['lena', local.username, 'nobody-else']) {
      const answer = await signIn(login, 'some password')
      assert.equal(answer.status, 401)
      assert.match(answer.body, /Wrong username, email or password\. Example Directory cannot be reached at the moment\./)
    }
    assert.equal((await signIn(local.username, 'a very long pass phrase')).status, 303)
  } finally {
    await directory.start()
  }
  await signedIn('lena')
})

test('settings of a directory that cannot be stop the start with a line that says why', { skip }, async () => {
  const { parseProviders } = await import('../providers/file.ts')
  const { Secret } = await import('../../platform/secret.ts')
  const refused = (settings: object, message: RegExp) =>
    assert.throws(() => parseProviders(new Secret(JSON.stringify({ providers: [{ ...provider, settings }] }))), message)
  const { password: _, ...withoutPassword } = directory.settings
  refused({ ...directory.settings, user_filter: '(uid=' }, /ldapmain.*user_filter is no filter/)
  refused({ ...directory.settings, ca_file: '/no/such/file' }, /ldapmain.*ENOENT/)
  refused({ ...directory.settings, encryption: 'none' }, /ldapmain.*encryption/)
  refused({ ...directory.settings, uid: 'uid)(x' }, /ldapmain.*uid/)
  refused(withoutPassword, /bind_dn and password belong together/)
})
