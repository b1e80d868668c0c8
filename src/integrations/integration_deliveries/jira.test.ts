/** Jira, servers that build, and mail: each notified in its own form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { workOf } from '../hooks/scene.ts'
import { type Asked, openServer } from './scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A Jira with one issue, LAMP-1: it asks for a user, keeps comments, and resolves by transition 31. */
async function openJira() {
  const comments: { body: string }[] = []
  let resolution: object | null = null
  const server = await openServer(({ method, path, body, headers }) => {
    if (headers.authorization !== basic('bot', 'hush')) return { status: 401 }
    if (path.startsWith('/rest/api/2/myself')) return { body: { name: 'bot', displayName: 'Bot' } }
    if (!path.startsWith('/rest/api/2/issue/LAMP-1')) return { status: 404 }
    if (path.endsWith('/comment')) comments.push(body)
    else if (path.endsWith('/transitions') && method === 'GET')
      return {
        body: {
          transitions: [
            { id: '11', to: { statusCategory: { key: 'indeterminate' } } },
            { id: '31', to: { statusCategory: { key: 'done' } } },
          ],
        },
      }
    else if (path.endsWith('/transitions')) resolution = { name: body.transition.id }
    else return { body: { key: 'LAMP-1', fields: { comment: { comments }, resolution } } }
    return { status: 204 }
  })
  return { ...server, comments, resolution: () => resolution }
}

async function withJira(settings: object = {}) {
  const { owner, project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const jira = await openJira()
  const given = { url: 'https://jira.example.com', api_url: jira.url, username: 'bot', password: 'hush', ...settings }
  assert.equal((await owner.put(`${project.url}/services/jira`, given)).status, 200)
  return { owner, project, jira }
}

test('commits that name an issue of Jira leave a comment there, and close it from the default branch', async () => {
  const { owner, project, jira } = await withJira({ jira_issue_transition_automatic: true })
  const id = await scene.commit(project, { 'b.txt': 'b' }, { branch: 'side', start_branch: 'main', message: 'Fixes LAMP-1, UTF-8 and #3' })
  await deliver()
  assert.equal(jira.comments.length, 1)
  assert.match(String(jira.comments[0]?.body), new RegExp(`named this issue in \\[a commit of [^|]+\\|http[^\\]]+/-/commit/${id}\\]`))
  assert.equal(jira.resolution(), null)

  await scene.commit(project, { 'c.txt': 'c' }, { message: 'Closes LAMP-1' })
  await deliver()
  assert.deepEqual([jira.comments.length, jira.resolution()], [2, { name: '31' }])
  const log = await scene.deps.database.db.selectFrom('integration_deliveries').selectAll().where('project_id', '=', project.id).execute()
  assert.ok(log.length > 0 && log.every(({ status }) => status === 'delivered'))
  assert.ok(!JSON.stringify(log).includes('hush') && !JSON.stringify(log).includes(basic('bot', 'hush').slice(6)))
  assert.equal((await owner.get(`${project.url}/services/jira`)).body.properties.jira_issue_transition_automatic, true)
})

test('a merge request that names an issue comments there, and closes it by named transitions once it is merged', async () => {
  const { owner, project, jira } = await withJira({ jira_issue_transition_id: '21; 31', commit_events: false })
  await scene.mergeRequest(project, { author: owner, title: 'Light', description: 'Implements LAMP-1' })
  await deliver()
  assert.deepEqual([jira.comments.length, jira.resolution()], [1, null])
  assert.match(String(jira.comments[0]?.body), /a merge request of/)
  assert.equal((await owner.put(`${project.url}/merge_requests/1/merge`)).status, 200)
  await deliver()
  const moved = jira.asked
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/transitions'))
    .map(({ body }) => body.transition.id)
  assert.deepEqual([moved, jira.comments.length], [['21', '31'], 1])
})

test('without comments issues are only moved; the log says that a password is wrong', async () => {
  const { owner, project, jira } = await withJira({ comment_on_event_enabled: false, jira_issue_transition_id: '31' })
  await scene.commit(project, { 'b.txt': 'b' }, { message: 'Closes LAMP-1' })
  await deliver()
  assert.deepEqual([jira.comments.length, jira.resolution()], [0, { name: '31' }])
  await owner.put(`${project.url}/services/jira`, { url: 'https://jira.example.com', username: 'bot', password: 'wrong' })
  await scene.commit(project, { 'c.txt': 'c' }, { message: 'LAMP-1' })
  await deliver()
  const { db } = scene.deps.database
  const last = await db
    .selectFrom('integration_deliveries')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  assert.deepEqual([last?.status, last?.error], ['failed', 'The server answered 401'])
})

test('keys and numbers of a tracker outside are links in texts, and numbers of issues here stay theirs', async () => {
  const { owner, project } = await withJira()
  const htmlOf = async (text: string) =>
    (await owner.post('/markdown', { text, gfm: true, project: project.full_path })).body.html as string
  assert.match(await htmlOf('See LAMP-12, not `LAMP-13`.'), /<a href="https:\/\/jira\.example\.com\/browse\/LAMP-12"[^>]*>LAMP-12<\/a>/)
  assert.doesNotMatch(await htmlOf('#12'), /<a /)
  await owner.delete(`${project.url}/services/jira`)
  const urls = {
    project_url: 'https://r.example.com/p',
    issues_url: 'https://r.example.com/issues/:id',
    new_issue_url: 'https://r.example.com/new',
  }
  await owner.put(`${project.url}/services/redmine`, urls)
  await owner.post(`${project.url}/issues`, { title: 'Ours' })
  const html = await htmlOf('#1 and #12')
  assert.match(html, /\/-\/issues\/1"/)
  assert.match(html, /href="https:\/\/r\.example\.com\/issues\/12"/)
  await owner.delete(`${project.url}/services/redmine`)
  await owner.put(`${project.url}/services/ewm`, urls)
  assert.match(await htmlOf('work item 7'), /href="https:\/\/r\.example\.com\/issues\/7"/)
  assert.doesNotMatch(await htmlOf('LAMP-12'), /<a /)
})

test('Jenkins, Drone and TeamCity are notified of a push, with their credentials', async () => {
  const { owner, project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const server = await openServer()
  const at = (slug: string) => `${project.url}/services/${slug}`
  await owner.put(at('jenkins'), { jenkins_url: `${server.url}/ci/`, project_name: 'lamp/main', username: 'u', password: 'api-token' })
  await owner.put(at('drone-ci'), { drone_url: server.url, token: 'drone-token' })
  await owner.put(at('teamcity'), { teamcity_url: server.url, build_type: 'Lamp_"1"', username: 't', password: 'p' })
  const id = await scene.commit(project, { 'b.txt': 'b' })
  await deliver()
  const named = (start: string) => server.asked.find(({ path }) => path.startsWith(start)) as Asked
  const jenkins = named('/ci/project/lamp/main')
  assert.deepEqual(
    [jenkins.headers.authorization, jenkins.headers['x-gitlab-event'], jenkins.body.after],
    [basic('u', 'api-token'), 'Push Hook', id],
  )
  const [owns, name] = project.full_path.split('/') as [string, string]
  const drone = named('/hook')
  assert.equal(drone.path, `/hook?owner=${owns}&name=${name}&access_token=drone-token`)
  assert.equal(drone.body.object_kind, 'push')
  const teamcity = named('/httpAuth/app/rest/buildQueue')
  assert.deepEqual(
    [teamcity.headers.authorization, teamcity.text],
    [basic('t', 'p'), '<build branchName="main"><buildType id="Lamp_&#34;1&#34;"/></build>'],
  )
  const log = await scene.deps.database.db
    .selectFrom('integration_deliveries')
    .select('exchanges')
    .where('project_id', '=', project.id)
    .execute()
  assert.ok(!JSON.stringify(log).includes('drone-token'))
})

test('pushes are mailed with their differences to the addresses that are named', async () => {
  const { owner, project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'one\n' })
  await deliver()
  await owner.put(`${project.url}/services/emails-on-push`, { recipients: 'ada@example.com ben@example.com' })
  const { body } = await owner.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Say two',
    actions: [{ action: 'update', file_path: 'a.txt', content: 'two\n' }],
  })
  assert.ok(body.id)
  await deliver()
  const mails = await scene.deps.database.db
    .selectFrom('mails')
    .select(['recipient', 'subject', 'kind', 'id'])
    .where('kind', '=', 'pushed')
    .execute()
  assert.deepEqual(mails.map(({ recipient }) => recipient).sort(), ['ada@example.com', 'ben@example.com'])
  assert.equal(mails[0]?.subject, `[${project.full_path}][main] Say two`)
  const shown = await scene.run(scene.root, async ctx => {
    const { contentOf, keptMail } = await import('../../platform/mail/outbox.ts')
    return contentOf((await keptMail(ctx.db, mails[0]?.id as number)) as never, ctx.deps.secrets)
  })
  assert.match(shown.text, /-one\n\+two/)
})
