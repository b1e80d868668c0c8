/** Issues that people make by mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { contentOf, mailsWithBodies } from '../../platform/mail/outbox.ts'
import { mailService, multipart, takingMail } from '../incoming_mail/scene.ts'
import { mailedItemAddress } from './addresses.ts'

const scene = await openScene({ settings: takingMail })
const silent = await openScene()
const { surfer } = oauthScene(scene)
const { hand } = mailService(scene)
const { db } = scene.deps.database

const addressOf = async (project: SceneProject, person: { readonly id: number }) =>
  (await mailedItemAddress({ db, deps: scene.deps }, project, person.id)) as string

const issuesOf = async (reader: Person, { url }: SceneProject) => (await reader.get(`${url}/issues`)).body

/** The words of the last mail that says why a mail was not taken. */
async function refusalTo(address: string): Promise<string> {
  const row = await mailsWithBodies(db)
    .where('recipient', '=', address)
    .where('mails.kind', '=', 'mail_refused')
    .orderBy('mails.id', 'desc')
    .executeTakeFirst()
  return row ? contentOf(row, scene.deps.secrets).text : ''
}

test('a mail becomes an issue of its sender, with quotes, quick actions and files', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const address = await addressOf(project, developer)
  assert.match(address, /^incoming\+[a-z0-9-]+-\d+-i_[0-9a-z]+_0_[0-9a-z]{21}-issue@example\.com$/)
  assert.ok(address.indexOf('@') <= 64)
  const parts = multipart([
    'Content-Type: text/plain; charset=utf-8\r\n\r\nIt **flickers**.\r\n\r\n> said the lamp\r\n\r\n/confidential',
    'Content-Disposition: attachment; filename="lamp.txt"\r\nContent-Type: text/plain\r\n\r\ndark',
  ])

  const mail = { from: `Dev <${developer.email}>`, to: address.toUpperCase(), subject: 'A lamp', messageId: '<1@dev.example>', ...parts }
  assert.equal(await hand(mail), 200)
  assert.equal(await hand(mail), 200)

  const [issue, ...more] = await issuesOf(developer, project)
  assert.deepEqual([issue.title, issue.author.id, issue.confidential, more], ['A lamp', developer.id, true, []])
  assert.match(issue.description, /^It \*\*flickers\*\*\.\n\n> said the lamp\n\n\[lamp\.txt\]\(\/uploads\/[0-9a-f]{32}\/lamp\.txt\)$/)
})

test('the subject is enough, and a mail without one is answered', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const to = await addressOf(project, developer)

  await hand({ from: developer.email, to, subject: 'Subject alone', text: '' })
  await hand({ from: developer.email, to, subject: '', text: 'Text alone' })

  assert.deepEqual(
    (await issuesOf(developer, project)).map(({ title, description }: { title: string; description: string }) => [
      title,
      description || '',
    ]),
    [['Subject alone', '']],
  )
  assert.match(await refusalTo(developer.email), /has no subject/)
})

test('nothing comes of mails of others, of programs, with a forged key, and where the sender may not write', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const to = await addressOf(project, developer)
  const outsider = await scene.user()

  await hand({ from: owner.email, to, subject: 'Forged sender' })
  assert.match(await refusalTo(owner.email), /takes mails of another person/)
  await hand({ from: developer.email, to, subject: 'By a program', headers: ['Auto-Submitted: auto-replied'] })
  await hand({ from: developer.email, to: to.replace(/i_(\w)/, 'i_zz'), subject: 'Of another account' })
  await hand({ from: developer.email, to: to.replace('-issue@', '-merge-request@'), subject: 'Of another kind' })
  await hand({ from: outsider.email, to: await addressOf(project, outsider), subject: 'Not a member' })
  assert.match(await refusalTo(outsider.email), /is gone, or you have no access/)
  await owner.post(`${project.url}/archive`)
  await hand({ from: developer.email, to, subject: 'Archived' })
  assert.match(await refusalTo(developer.email), /may not create issues/)
  await owner.post(`${project.url}/unarchive`)
  await scene.root.post(`/users/${developer.id}/block`)
  await hand({ from: developer.email, to, subject: 'Blocked' })
  assert.match(await refusalTo(developer.email), /blocked/)

  assert.deepEqual(await issuesOf(owner, project), [])
})

test('the page shows the address to those who may create issues, and a replaced token ends it', async () => {
  const person = await surfer()
  const { project } = await scene.project({ visibility: 'public', owner: person.person })
  const page = `/${project.full_path}/-/issues/by_mail`
  const address = await addressOf(project, person.person)
  assert.ok((await person.get(page)).body.includes(address))
  assert.ok((await person.get(`/${project.full_path}/-/issues`)).body.includes(page))
  assert.equal((await scene.anonymous.get(`${scene.url}${page}`)).status, 302)
  const other = await surfer()
  assert.ok(!(await other.get(page)).body.includes(address))

  assert.equal((await person.submit('/-/profile/incoming_email_token/reset', {})).status, 303)

  await hand({ from: person.person.email, to: address, subject: 'To the former address' })
  assert.match(await refusalTo(person.person.email), /was replaced/)
  assert.notEqual(await addressOf(project, person.person), address)
  assert.match((await person.get('/-/profile/incoming_email_token')).body, /i_[0-9a-z]+_1_[0-9a-z]{21}/)
})

test('there is no address where the instance takes no mail', async () => {
  const { surfer: silentSurfer } = oauthScene(silent)
  const person = await silentSurfer()
  const { project } = await silent.project({ owner: person.person })
  assert.equal((await person.get(`/${project.full_path}/-/issues/by_mail`)).status, 404)
  assert.ok(!(await person.get(`/${project.full_path}/-/issues`)).body.includes('by_mail'))
})
