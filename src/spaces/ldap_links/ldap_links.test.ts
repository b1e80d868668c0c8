/** Links of groups to a real directory: who becomes a member, who leaves, and what cannot be linked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Scene } from '../../../test/scene.ts'
import { directoryNamed } from '../../identity/ldap/directories.ts'
import { queueDirectoryCheck } from '../../identity/ldap/presence.ts'
import { directorySkip, openDirectory, passwordOf } from '../../identity/ldap/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { providersFile } from '../../identity/providers/kinds/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const skip = await directorySkip()
const directory = skip ? (undefined as never) : await openDirectory()
const provider = {
  name: 'ldapmain',
  label: 'Example Directory',
  kind: 'ldap',
  settings: skip ? {} : directory.settings,
  allow_single_sign_on: true,
  block_auto_created_users: false,
  required_groups: ['staff'],
}
const scene: Scene = await openScene({
  settings: {
    tier: 'premium',
    providersFile: await providersFile(skip ? [] : [provider]),
    rateLimit: 'anonymous=10000,authenticated=10000,sign_in=10000',
  },
})

const { db } = scene.deps.database

const people = ['ann', 'ben', 'cas']
if (!skip) {
  for (const uid of people) await directory.add({ uid, cn: `${uid} of the directory` })
  await directory.group('staff', people)
  await directory.group('Writers', ['ann', 'ben'])
  await directory.group('editors', ['ann'])
}

/** Signs in, and answers the id of the account. */
async function signIn(login: string): Promise<number> {
  const sent = new URLSearchParams({ login, password: passwordOf(login), redirect: '/-/profile' })
  const answer = await scene.anonymous.post(`${scene.url}/users/sign_in`, sent)
  assert.equal(answer.status, 303, answer.body)
  return (await scene.root.get(`/users?username=${login}`)).body[0].id
}

/** The clock asks the directory about its people. */
const check = () => tasksOf(scene.deps).check_directory_people({ provider: 'ldapmain', after: 0 }, undefined)

const levelIn = async (group: { readonly url: string }, id: number) =>
  (await scene.root.get(`${group.url}/members/${id}`)).body.access_level as number | undefined

test('people of a linked group are members as long as they are in it, with the highest level of its links', { skip }, async () => {
  const { group, owner } = await scene.group()
  const url = `${group.url}/ldap_group_links`
  const link = (cn: string, group_access: number) => owner.post(url, { cn, group_access, provider: 'ldapmain' })
  const writers = await link('writers', 20)
  await link('editors', 40)
  assert.deepEqual([writers.status, writers.body], [201, { cn: 'writers', group_access: 20, provider: 'ldapmain', filter: null }])

  const [ann, ben, cas] = [await signIn('ann'), await signIn('ben'), await signIn('cas')]

  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben), await levelIn(group, cas)], [40, 20, undefined])
  await directory.group('editors', ['cas'])
  await check()
  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben), await levelIn(group, cas)], [20, 20, 40])
  assert.equal((await owner.delete(`${url}?cn=Writers&provider=ldapmain`)).status, 204)
  await check()
  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben), await levelIn(group, cas)], [undefined, undefined, 40])
  assert.deepEqual(
    (await owner.get(url)).body.map(({ cn }: { cn: string }) => cn),
    ['editors'],
  )
  await directory.group('editors', ['ann'])
})

test('a filter finds people, and one that the directory refuses finds nobody', { skip }, async () => {
  const { group, owner } = await scene.group()
  const url = `${group.url}/ldap_group_links`
  const filter = '(|(cn=BEN *)(uid=cas))'
  const made = await owner.post(url, { filter, group_access: 30, provider: 'ldapmain' })
  assert.deepEqual(made.body, { cn: null, group_access: 30, provider: 'ldapmain', filter })
  assert.equal((await owner.post(url, { filter: '(member:1.2.3.4:=x)', group_access: 50, provider: 'ldapmain' })).status, 201)

  const [ann, ben, cas] = [await signIn('ann'), await signIn('ben'), await signIn('cas')]

  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben), await levelIn(group, cas)], [undefined, 30, 30])
  assert.equal((await owner.delete(`${url}?${new URLSearchParams({ filter, provider: 'ldapmain' })}`)).status, 204)
  await check()
  assert.deepEqual([await levelIn(group, ben), await levelIn(group, cas)], [undefined, undefined])
})

test('a look at the directory leaves what was changed by hand meanwhile', { skip }, async () => {
  const { group, owner } = await scene.group()
  const ann = await signIn('ann')
  const link = (cn: string, group_access: number) => owner.post(`${group.url}/ldap_group_links`, { cn, group_access, provider: 'ldapmain' })
  await link('writers', 20)
  await check()
  assert.equal(await levelIn(group, ann), 20)
  await link('editors', 40)

  const { db } = scene.deps.database
  const hand = await db.startTransaction().execute()
  await hand.updateTable('members').set({ access_level: 10 }).where('namespace_id', '=', group.id).where('user_id', '=', ann).execute()
  const looking = check()
  await eventually(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return rows.length > 0
  }, 'the check to wait for the membership')
  await hand.commit().execute()
  await looking

  assert.equal(await levelIn(group, ann), 10)
})

test('a check that is asked for while another one goes on begins with the first person', { skip }, async () => {
  const { db } = scene.deps.database
  await signIn('ann')
  const { id: user_id } = await scene.user()
  const many = Array.from({ length: 100 }, (_, index) => ({ provider: 'ldapmain', extern_uid: `uid=${index},dc=elsewhere`, user_id }))
  await db.insertInto('identities').values(many).execute()
  await queueDirectoryCheck(db, 'ldapmain')

  await check()

  const { rows } = await sql<{ begins: boolean }>`select (jobs.payload ->> 'after')::bigint = 0 as begins
    from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'check_directory_people' order by 1`.execute(db)
  assert.deepEqual(rows, [{ begins: false }, { begins: true }])
  await db.deleteFrom('identities').where('user_id', '=', user_id).execute()
})

test('the last owner stays, and who was added by hand; nobody who may not sign in is a member', { skip }, async () => {
  const { group, owner } = await scene.group()
  const [ann, ben] = [await signIn('ann'), await signIn('ben')]
  await owner.post(`${group.url}/members`, { user_id: ben, access_level: 10 })
  await owner.post(`${group.url}/ldap_group_links`, { cn: 'Writers', group_access: 50, provider: 'ldapmain' })
  await check()
  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben)], [50, 10])
  await owner.delete(`${group.url}/members/${owner.id}`)

  assert.equal((await scene.root.delete(`${group.url}/ldap_group_links/ldapmain/Writers`)).status, 204)
  await check()
  assert.deepEqual([await levelIn(group, ann), await levelIn(group, ben)], [50, 10])
  await scene.root.post(`${group.url}/members`, { user_id: owner.id, access_level: 50 })
  await check()
  assert.equal(await levelIn(group, ann), undefined)

  await owner.post(`${group.url}/ldap_group_links`, { cn: 'Writers', group_access: 20, provider: 'ldapmain' })
  await check()
  assert.equal(await levelIn(group, ann), 20)
  await directory.group('staff', ['ben', 'cas'])
  await check()
  assert.equal(await levelIn(group, ann), undefined)
  await directory.group('staff', people)
})

test('the end of a link takes what it gave, also where its directory is not configured any more', { skip }, async () => {
  const { group, owner } = await scene.group()
  const url = `${group.url}/ldap_group_links`
  for (const [cn, group_access] of [
    ['writers', 20],
    ['editors', 40],
  ] as const)
    await owner.post(url, { cn, group_access, provider: 'ldapmain' })
  const [ann, ben, cas] = [await signIn('ann'), await signIn('ben'), await signIn('cas')]
  await owner.post(`${group.url}/members`, { user_id: cas, access_level: 30 })
  const levels = async () => Promise.all([ann, ben, cas].map(id => levelIn(group, id)))
  assert.deepEqual(await levels(), [40, 20, 30])
  const { config } = scene.deps
  const former = 'formerly'
  await db.updateTable('identities').set({ provider: former }).where('user_id', 'in', [ann, ben]).execute()
  await db.updateTable('ldap_group_links').set({ provider: former }).where('namespace_id', '=', Number(group.id)).execute()
  try {
    assert.equal(directoryNamed(config, former), undefined)
    assert.equal((await owner.delete(`${url}?cn=editors&provider=${former}`)).status, 204)
    assert.deepEqual(await levels(), [20, 20, 30])
    assert.equal((await owner.delete(`${url}?cn=writers&provider=${former}`)).status, 204)
    assert.deepEqual(await levels(), [undefined, undefined, 30])
  } finally {
    await db.updateTable('identities').set({ provider: 'ldapmain' }).where('provider', '=', former).execute()
  }
})

test('what is no link is refused', { skip }, async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
  const url = `${group.url}/ldap_group_links`
  const link = { cn: 'editors', group_access: 30, provider: 'ldapmain' }
  assert.deepEqual(await owner.get(url), { status: 404, body: { message: 'No linked LDAP groups found' } })
  assert.equal((await owner.post(url, link)).status, 201)
  for (const taken of [link, { ...link, cn: 'EDITORS' }])
    assert.deepEqual(await owner.post(url, taken), { status: 409, body: { message: 'Cn has already been taken' } })
  const refused: [object, string][] = [
    [{ ...link, cn: 'other', provider: 'elsewhere' }, 'provider'],
    [{ ...link, cn: undefined, filter: '(uid=' }, 'filter'],
    [{ ...link, cn: undefined, filter: `${'(&'.repeat(21)}(uid=a)${')'.repeat(21)}` }, 'filter'],
  ]
  for (const [given, attribute] of refused) {
    const { status, body } = await owner.post(url, given)
    assert.deepEqual([status, Object.keys(body.message)], [400, [attribute]], JSON.stringify(given))
  }
  for (const given of [
    { ...link, filter: '(uid=a)' },
    { ...link, cn: undefined },
    { ...link, cn: 'new', group_access: 33 },
  ])
    assert.equal((await owner.post(url, given)).status, 400, JSON.stringify(given))
  assert.equal((await maintainer.get(url)).status, 403)
  assert.deepEqual(await owner.delete(`${url}/none`), { status: 404, body: { message: '404 Linked LDAP Group Not Found' } })
  assert.equal((await owner.delete(`${url}?cn=none&provider=ldapmain`)).status, 404)
  assert.equal((await owner.delete(`${url}/editors`)).status, 204)
})

test('a synchronization is asked for, and groups of the directory are listed by the beginning of their names', { skip }, async () => {
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/ldap_group_links`, { cn: 'editors', group_access: 30, provider: 'ldapmain' })
  assert.deepEqual(await owner.post(`${group.url}/ldap_sync`), { status: 202, body: { message: '202 Accepted' } })

  assert.deepEqual((await scene.root.get('/ldap/groups')).body, [{ cn: 'Writers' }, { cn: 'editors' }, { cn: 'staff' }])
  assert.deepEqual((await scene.root.get('/ldap/ldapmain/groups?search=ed')).body, [{ cn: 'editors' }])
  assert.deepEqual((await scene.root.get('/ldap/ldapmain/groups?search=*)(cn=')).body, [])
  assert.equal((await scene.root.get('/ldap/elsewhere/groups')).status, 404)
  assert.equal((await owner.get('/ldap/groups')).status, 403)
  await directory.stop()
  const silent = await scene.root.get('/ldap/groups')
  const named = await scene.root.get('/ldap/ldapmain/groups')
  await directory.start()
  assert.deepEqual(
    [silent, named.status],
    [{ status: 503, body: { message: '503 Service Unavailable - the directory does not answer' } }, 503],
  )
})

test('owners link a group in its settings, and end the link', { skip }, async () => {
  const owner = await oauthScene(scene).surfer({ admin: true })
  const { group } = await scene.group({ owner: owner.person })
  const page = `/groups/${group.full_path}/-/settings/ldap`
  assert.match((await owner.get(page)).body, /No links/)

  const sent = await owner.submit(`${page}/new`, { provider: 'ldapmain', cn: 'editors', filter: '', group_access: '30' })

  assert.equal(sent.status, 303, sent.body)
  const shown = (await owner.get(page)).body
  assert.match(shown, /editors/)
  const [, id] = /settings\/ldap\/(\d+)\/remove/.exec(shown) ?? assert.fail('the link can be removed')
  const both = await owner.submit(`${page}/new`, { provider: 'ldapmain', cn: 'a', filter: '(uid=a)', group_access: '30' })
  assert.deepEqual([both.status, /mutually exclusive/.test(both.body)], [422, true])
  assert.equal((await owner.submit(`${page}/sync`, {})).status, 303)
  assert.equal((await owner.submit(`${page}/${id}/remove`, {})).status, 303)
  assert.match((await owner.get(page)).body, /No links/)
})
