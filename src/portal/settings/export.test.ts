import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { openScene } from '../../../test/scene.ts'
import { oauthScene, password, type Surfer } from '../../identity/oauth/scene.ts'
import { expireAccountExports } from '../../integrations/account_exports/commands.ts'
import { exportAccount } from '../../integrations/account_exports/task.ts'
import { contentOf, mailsWithBodies } from '../../platform/mail/outbox.ts'
import { formWith } from '../../spaces/uploads/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { db } = scene.deps.database
const PAGE = '/-/profile/export'

const rowOf = ({ person }: Surfer) => db.selectFrom('account_exports').selectAll().where('user_id', '=', person.id).executeTakeFirst()

/** Asks for an export, and makes it. */
async function made(owner: Surfer): Promise<void> {
  assert.equal((await owner.submit(PAGE, {})).status, 303)
  const { request_key = '' } = (await rowOf(owner)) ?? {}
  await exportAccount(scene.deps, { user_id: owner.person.id, request_key })
}

/** The files of the archive, by their names. */
async function filesOf(owner: Surfer): Promise<Map<string, string>> {
  const answer = await owner.get(`${PAGE}/download`)
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/gzip'])
  const files = new Map<string, string>()
  const reading = extract()
  reading.end(gunzipSync(answer.bytes))
  for await (const entry of reading) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    files.set(entry.header.name.replace('./', ''), Buffer.concat(chunks).toString())
  }
  return files
}

const rows = (files: ReadonlyMap<string, string>, name: string) =>
  (files.get(`${name}.ndjson`) ?? '')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

test('the archive has what is known of a person, with texts of places that they may see, and without secrets', async () => {
  const owner = await surfer()
  const { person } = owner
  const { project, owner: boss } = await scene.project({ visibility: 'private' })
  const open = await scene.project({ visibility: 'public', owner: boss })
  for (const { url } of [project, open.project]) {
    await boss.post(`${url}/members`, { user_id: person.id, access_level: 30 })
    const issue = await person.post(`${url}/issues`, { title: `Lamp of ${url}`, description: 'It flickers' })
    await person.post(`${url}/issues/${issue.body.iid}/notes`, { body: `Said in ${url}` })
    await boss.post(`${open.project.url}/issues`, { title: 'Of another person' })
    await person.post(`${url}/uploads`, formWith('file', 'lamp.txt', Buffer.from(`File of ${url}`)))
  }
  await person.post('/user/emails', { email: `second-${person.id}@example.com` })
  await boss.delete(`${project.url}/members/${person.id}`)
  await scene.root.put(`/users/${person.id}`, { note: 'What administrators think' })

  await made(owner)
  const files = await filesOf(owner)

  const [account] = rows(files, 'account')
  assert.deepEqual([account.id, account.email], [person.id, person.email])
  assert.deepEqual(
    rows(files, 'emails').map(({ email }) => email),
    [`second-${person.id}@example.com`],
  )
  assert.deepEqual(
    rows(files, 'issues').map(({ title, description }) => [title, description]),
    [
      [`Lamp of ${open.project.url}`, 'It flickers'],
      [null, null],
    ],
  )
  assert.deepEqual(
    rows(files, 'comments').map(({ body }) => body),
    [`Said in ${open.project.url}`, null],
  )
  assert.deepEqual(
    [...files].filter(([name]) => name.startsWith('uploads/')).map(([, text]) => text),
    [`File of ${open.project.url}`],
  )
  assert.equal(rows(files, 'access_tokens').length, 1)
  assert.equal(rows(files, 'sessions').length, 1)
  assert.ok(rows(files, 'audit_log').some(({ kind, by_oneself }) => kind === 'session.started' && by_oneself))
  const all = [...files.values()].join('\n')
  for (const hidden of ['What administrators think', 'Of another person', 'digest', person.token]) assert.ok(!all.includes(hidden), hidden)
  assert.match(files.get('README.txt') ?? '', new RegExp(`knows of ${person.username}`))

  const mails = await mailsWithBodies(db).where('user_id', '=', person.id).where('kind', '=', 'account_exported').execute()
  assert.equal(mails.length, 1)
  assert.match(contentOf(mails[0] as never, scene.deps.secrets).text, /\/-\/profile\/export/)
})

test('one is made at a time, is one’s own, is forgotten after a day, and is not made for a blocked account', async () => {
  const owner = await surfer()
  assert.equal((await owner.get(`${PAGE}/download`)).status, 404)
  assert.equal((await owner.submit(PAGE, {})).status, 303)
  assert.equal((await owner.submit(PAGE, {})).status, 409)
  assert.match((await owner.get(PAGE)).body, /is being exported/)
  const { request_key = '' } = (await rowOf(owner)) ?? {}
  await exportAccount(scene.deps, { user_id: owner.person.id, request_key: 'of another request' })
  assert.equal((await rowOf(owner))?.state, 'queued')

  await exportAccount(scene.deps, { user_id: owner.person.id, request_key })

  assert.match((await owner.get(PAGE)).body, /Download<\/a>/)
  assert.equal((await (await surfer()).get(`${PAGE}/download`)).status, 404)
  const later = { ...scene.deps, now: () => new Date(Date.now() + 25 * 60 * 60 * 1000) }
  await expireAccountExports(later)
  assert.equal(await rowOf(owner), undefined)

  assert.equal((await owner.submit(PAGE, {})).status, 303)
  const again = (await rowOf(owner))?.request_key ?? ''
  await scene.root.post(`/users/${owner.person.id}/block`)
  await exportAccount(scene.deps, { user_id: owner.person.id, request_key: again })
  assert.deepEqual([(await rowOf(owner))?.state, (await rowOf(owner))?.error], ['failed', 'The account is not active any more.'])
})

test('asking for it and downloading it take a confirmation, where there was none lately', async () => {
  const owner = await surfer()
  await made(owner)
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', owner.person.id)
    .execute()

  assert.equal((await owner.get(`${PAGE}/download`)).status, 403)
  assert.match((await owner.get(PAGE)).body, /Open the download/)
  assert.match((await owner.submit(PAGE, {})).body, /password/i)
  assert.equal((await rowOf(owner))?.state, 'finished')
  const opened = await owner.submit(`${PAGE}/open`, { confirmation_password: password })
  assert.equal(opened.status, 307)
  assert.equal((await owner.get(`${PAGE}/download`)).status, 200)
})
