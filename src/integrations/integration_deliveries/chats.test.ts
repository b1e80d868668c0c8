/** Chats are notified of what happens, each in its own form, by the settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { workOf } from '../hooks/scene.ts'
import { openServer } from './scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)

async function chatting(slug: string, settings: object = {}) {
  const { owner, project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const server = await openServer()
  const answer = await owner.put(`${project.url}/integrations/${slug}`, {
    webhook: `${server.url}/in`,
    branches_to_be_notified: 'all',
    ...settings,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { owner, project, server, home: answer.body }
}

test('Slack gets pushes, issues, merge requests and comments, in the channels that are named for them', async () => {
  const { owner, project, server } = await chatting('slack', {
    username: 'lamp',
    channel: 'all',
    issue_channel: '#one, #two',
    push_channel: 'code',
  })
  const id = await scene.commit(project, { 'b.txt': 'b' }, { message: 'Trim the <wick> & more' })
  await owner.post(`${project.url}/issues`, { title: 'Smoke <!channel>', description: 'It smokes.' })
  await owner.post(`${project.url}/issues/1/notes`, { body: 'Open a window' })
  await owner.put(`${project.url}/issues/1`, { weight: 3 })
  await owner.put(`${project.url}/issues/1`, { state_event: 'close' })
  await scene.mergeRequest(project, { title: 'New wick', author: owner })

  await deliver()

  const messages = server.asked.map(({ body }) => body)
  const of = (channel: string) => messages.filter(message => message.channel === channel)
  assert.deepEqual(server.asked.map(({ path, method }) => `${method} ${path}`)[0], 'POST /in')
  const push = of('code').find(({ text }) => text.includes('main'))
  assert.equal(push.username, 'lamp')
  assert.match(push.text, /pushed to the branch <http[^|]+\/-\/commits\/main\|main> of <http/)
  assert.match(push.attachments[0].text, new RegExp(`^<http[^|]+/-/commit/${id}\\|${id.slice(0, 8)}>: Trim the &lt;wick&gt; &amp; more - `))
  // Opened and closed, in both channels; a change of the title is not notified of.
  assert.deepEqual([of('#one').length, of('#two').length], [2, 2])
  assert.match(of('#one')[0].text, /opened the issue <http[^|]+\/-\/issues\/1\|#1 Smoke &lt;!channel&gt;>/)
  assert.equal(of('#one')[0].attachments[0].text, 'It smokes.')
  assert.match(of('#two')[1].text, /closed the issue/)
  const others = of('all').map(({ text }) => text)
  assert.ok(others.some(text => /commented.* on the issue #1 Smoke/.test(text)))
  assert.ok(others.some(text => /opened the merge request <http[^|]+\/-\/merge_requests\/1\|!1 New wick>/.test(text)))
})

test('switches, branches and labels say what a chat is notified of', async () => {
  const { owner, project, server } = await chatting('mattermost', {
    branches_to_be_notified: 'default',
    labels_to_be_notified: 'bug,~urgent',
    merge_requests_events: false,
    note_events: false,
    confidential_issues_events: false,
  })
  await scene.commit(project, { 'c.txt': 'c' }, { branch: 'side', start_branch: 'main' })
  await scene.commit(project, { 'd.txt': 'd' })
  await owner.post(`${project.url}/issues`, { title: 'Plain' })
  await owner.post(`${project.url}/issues`, { title: 'Loud', labels: 'bug' })
  await owner.post(`${project.url}/issues`, { title: 'Hidden', labels: 'bug', confidential: true })
  await owner.post(`${project.url}/issues/2/notes`, { body: 'A word' })
  await scene.mergeRequest(project, { author: owner })
  await deliver()
  assert.deepEqual(server.asked.map(({ body }) => /(branch <[^|]*\|\w+|#\d \w+)/.exec(body.text)?.[0].replace(/<[^|]*\|/, '')).sort(), [
    '#2 Loud',
    'branch main',
  ])
  await owner.put(`${project.url}/integrations/mattermost`, {
    webhook: `${server.url}/in`,
    branches_to_be_notified: 'all',
    labels_to_be_notified_behavior: 'match_all',
  })
  await owner.post(`${project.url}/issues`, { title: 'Half', labels: 'bug' })
  await owner.post(`${project.url}/issues`, { title: 'Whole', labels: 'bug,urgent' })
  await deliver()
  assert.match(server.asked.at(-1)?.body.text, /#5 Whole/)
  assert.equal(server.asked.length, 3)
})

test('Teams, Discord, Google Chat, Webex and Circuit get their own forms, with nothing of a text as markup', async () => {
  const forms: Readonly<Record<string, (body: never) => void>> = {
    'microsoft-teams'({
      '@type': type,
      sections: [section],
      summary,
    }: {
      '@type': string
      summary: string
      sections: { activityTitle: string }[]
    }) {
      assert.deepEqual([type, /opened the issue/.test(summary)], ['MessageCard', true])
      assert.match(String(section?.activityTitle), /\[\\#1 \\\*loud\\\* \\\[x\\\]\\\(y\\\)\]\(http/)
    },
    discord({ embeds: [embed], allowed_mentions }: { embeds: { description: string }[]; allowed_mentions: object }) {
      assert.deepEqual(allowed_mentions, { parse: [] })
      assert.match(String(embed?.description), /opened the issue \[/)
    },
    'hangouts-chat'({ text }: { text: string }) {
      assert.match(text, /opened the issue <http[^|]+\|#1 \*loud\* \[x\]\(y\)>/)
    },
    'webex-teams'({ markdown }: { markdown: string }) {
      assert.match(markdown, /opened the issue \[/)
    },
    'unify-circuit'({ text, markdown, subject }: { text: string; markdown: boolean; subject: string }) {
      assert.deepEqual([markdown, subject.includes('/')], [true, true])
      assert.match(text, /opened the issue \[/)
    },
  }
  for (const [slug, check] of Object.entries(forms)) {
    const { owner, project, server } = await chatting(slug)
    await owner.post(`${project.url}/issues`, { title: '*loud* [x](y)' })
    await deliver()
    assert.equal(server.asked.length, 1, slug)
    check(server.asked[0]?.body as never)
  }
})

test('pipelines that fail are reported, and those that succeed where they are asked for', async () => {
  const { owner, project, server } = await chatting('slack', { push_events: false })
  const { db } = scene.deps.database
  await scene.commit(project, { '.gitlab-ci.yml': 'one:\n  script: "true"\n' })
  const { body: pipeline } = await owner.post(`${project.url}/pipeline`, { ref: 'main' })
  const [job] = (await owner.get(`${project.url}/pipelines/${pipeline.id}/jobs`)).body
  await db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', job.id).execute()
  for (const status of ['success', 'failed', 'running'])
    await db
      .insertInto('events')
      .values({ kind: 'pipeline.updated', payload: JSON.stringify({ pipeline_id: pipeline.id, status }), project_id: project.id })
      .execute()
  await deliver()
  assert.deepEqual(
    server.asked.map(({ body }) => [/(passed|failed)/.exec(body.text)?.[0], body.attachments[0].text]),
    [['failed', 'Failed: one (test)']],
  )
})

test('a chat that fails is tried again without repeating what was done, and one at an internal address is never called', async () => {
  const { owner, project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  let broken = true
  const server = await openServer(({ body }) => (body.channel === 'two' && broken ? { status: 503 } : undefined))
  const slack = `${project.url}/integrations/slack`
  await owner.put(slack, { webhook: `${server.url}/in`, channel: 'one,two' })
  await owner.post(`${project.url}/issues`, { title: 'Once' })
  await deliver()
  broken = false
  await deliver()
  assert.deepEqual(
    server.asked.map(({ body }) => body.channel),
    ['one', 'two', 'two'],
  )
  const { db } = scene.deps.database
  const log = () => db.selectFrom('integration_deliveries').selectAll().where('project_id', '=', project.id).orderBy('id').execute()
  assert.deepEqual(
    (await log()).map(({ status, attempts, error }) => [status, attempts, error]),
    [['delivered', 2, null]],
  )
  // A name that resolves to another place after it was checked is refused when it is called.
  await db
    .updateTable('integrations')
    .set({ properties: JSON.stringify({ webhook: 'http://127.0.0.2:9/in' }) })
    .where('project_id', '=', project.id)
    .execute()
  await owner.post(`${project.url}/issues`, { title: 'Twice' })
  await deliver()
  const last = (await log()).at(-1)
  assert.deepEqual([last?.status, last?.error], ['failed', 'Requests to the local network are not allowed: 127.0.0.2'])
})

test('the integration of a group reports its projects, until they turn it off', async () => {
  const { owner, group } = await scene.group()
  const { project } = await scene.project({ owner, group })
  const server = await openServer()
  await owner.put(`${group.url}/integrations/discord`, { webhook: `${server.url}/in` })
  await owner.post(`${project.url}/issues`, { title: 'Heard' })
  await deliver()
  assert.equal(server.asked.length, 1)
  await owner.put(`${project.url}/integrations/discord`, { webhook: `${server.url}/in`, active: false })
  await owner.post(`${project.url}/issues`, { title: 'Unheard' })
  await deliver()
  assert.equal(server.asked.length, 1)
})
