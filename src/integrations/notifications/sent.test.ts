/** Notifications as a real mail server gets them, and what a large audience costs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { startMailServer } from '../../platform/mail/scene.ts'
import { startTaskWorker } from '../../server/tasks.ts'
import { notificationScene } from './scene.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}`, externalUrl: 'https://git.example.com' } })
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const quiet = await openScene({ settings: { smtpUrl: 'smtp://127.0.0.1:9' } })

test('a comment arrives with the headers of its thread, and one click unsubscribes from the item', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  assert.match((await server.mailTo(developer.email)).header('subject') ?? '', /^You are a member of the project /)
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [developer.id] })
  const first = await server.mailTo(developer.email)
  assert.equal(first.header('message-id'), `<issue_${issue.id}@git.example.com>`)
  assert.equal(first.header('subject'), `${project.name} | A lamp (#${issue.iid})`)
  assert.equal(first.header('x-gitlab-notificationreason'), 'assigned')
  assert.equal(first.header('x-gitlab-project-id'), String(project.id))
  assert.equal(first.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.match(first.header('list-id') ?? '', /<\d+\.[\w.-]+\.git\.example\.com>/)
  for (const name of ['in-reply-to', 'references', 'reply-to']) assert.equal(first.header(name), undefined, name)

  const { body: note } = await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: '**Look** <img src=x onerror=alert(1)>' })
  const second = await server.mailTo(developer.email)
  assert.equal(second.header('subject'), `Re: ${project.name} | A lamp (#${issue.iid})`)
  assert.equal(second.header('message-id'), `<note_${note.id}@git.example.com>`)
  assert.equal(second.header('references'), `<issue_${issue.id}@git.example.com>`)
  assert.match(second.html, /<strong>Look<\/strong>/)
  assert.doesNotMatch(second.html, /onerror|style="/)

  const [, path = ''] =
    /^<https:\/\/git\.example\.com(\/-\/sent_notifications\/[\w-]+\/unsubscribe)>$/.exec(second.header('list-unsubscribe') ?? '') ?? []
  const page = await scene.anonymous.get(`${scene.url}${path}`)
  assert.equal(page.status, 200)
  const before = await developer.get(`${project.url}/issues/${issue.iid}`)
  assert.equal(before.body.subscribed, true, 'looking does nothing')
  const click = await scene.anonymous.post(`${scene.url}${path}`, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }))
  assert.equal(click.status, 200)
  assert.equal((await developer.get(`${project.url}/issues/${issue.iid}`)).body.subscribed, false)
  assert.equal((await owner.get(`${project.url}/issues/${issue.iid}`)).body.subscribed, true, 'it is nobody else’s link')

  const forged = path.replace(/(\d+)-(\d+)-(\d+)-/, (_all, kind, id) => `${kind}-${id}-${owner.id}-`)
  assert.equal((await scene.anonymous.post(`${scene.url}${forged}`, new URLSearchParams())).status, 404)
})

test('an account gets a mail when an SSH key or an access token is added to it', async () => {
  const person = await scene.user()
  await person.post('/user/keys', {
    title: 'Laptop',
    key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGh0dHA6Ly9leGFtcGxlLmNvbS9leGFtcGxlLWtleS0x laptop',
  })
  const key = await server.mailTo(person.email)
  assert.equal(key.header('subject'), 'An SSH key was added to your account')
  assert.match(key.text, /Title: Laptop/)
  await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'Robot', scopes: ['api'] })
  const token = await server.mailTo(person.email)
  assert.equal(token.header('subject'), 'An access token was added to your account')
  assert.match(token.text, /Name: Robot/)
})

test('an event costs the same number of statements for one who watches and for a thousand', async () => {
  const { db } = quiet.deps.database
  const { deliver } = notificationScene(quiet)
  const { project, owner } = await quiet.project({ visibility: 'public' })
  const watch = (most: number) =>
    sql`
    with made as (
      insert into users (username, name, email, confirmed_at)
      select 'crowd-' || n, 'Crowd ' || n, 'crowd-' || n || '@example.com', now() from generate_series(1, ${most}::int) n
      on conflict do nothing returning id)
    insert into notification_settings (user_id, project_id, level) select id, ${project.id}, 'watch' from made`.execute(db)
  const mailsOf = async () =>
    Number(
      (
        await db
          .selectFrom('mails')
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  await watch(1)
  await deliver()
  const costs: number[] = []
  for (const crowd of [1, 1_000]) {
    await watch(crowd)
    const before = await mailsOf()
    await owner.post(`${project.url}/issues`, { title: `For ${crowd}`, description: 'Read this' })
    costs.push((await recordStatements(deliver)).statements.length)
    assert.equal((await mailsOf()) - before, crowd)
  }
  assert.equal(costs[0], costs[1])
})
