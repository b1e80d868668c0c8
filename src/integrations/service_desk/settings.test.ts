/** The settings of a project's service desk, and what they change in its issues and mails, with a real mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { startMailServer } from '../../platform/mail/scene.ts'
import { startTaskWorker } from '../../server/tasks.ts'
import { mailService, takingMail } from '../incoming_mail/scene.ts'

const smtp = await startMailServer()
const scene = await openScene({ settings: { ...takingMail, smtpUrl: `smtp://127.0.0.1:${smtp.port}` } })
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const { hand } = mailService(scene)

async function desk(options: Parameters<typeof scene.project>[0] = {}) {
  const made = await scene.project(options)
  const url = `${made.project.url}/service_desk`
  const set = async (changes: object) => (await made.owner.put(url, changes)).body
  const issues = async () => (await made.owner.get(`${made.project.url}/issues`, { sort: 'asc' })).body
  return { ...made, url, set, issues, ...(await set({ service_desk_enabled: true })) }
}

const slugOf = (path: string) => path.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

test('all settings are stored, shown to maintainers alone, and cleared by an empty text', async () => {
  const { project, owner, url, set } = await desk({ initialize_with_readme: true })
  const file = { branch: 'main', commit_message: 'A template', content: 'What did you see?' }
  await owner.post(`${project.url}/repository/files/${encodeURIComponent('.gitlab/issue_templates/Lamp.md')}`, file)

  const wanted = {
    service_desk_enabled: true,
    outgoing_name: 'Lamp support',
    project_key: 'lamps',
    issue_template_key: 'Lamp',
    tickets_confidential_by_default: false,
  }
  const address = `incoming+${slugOf(project.full_path)}-lamps@example.com`
  const whole = { ...wanted, service_desk_address: address, template_file_missing: false }
  assert.deepEqual(await set(wanted), whole)
  assert.deepEqual((await owner.get(url)).body, whole)
  assert.equal((await owner.get(project.url)).body.service_desk_address, address)

  await owner.delete(`${project.url}/repository/files/${encodeURIComponent('.gitlab/issue_templates/Lamp.md')}`, {
    branch: 'main',
    commit_message: 'Gone',
  })
  assert.equal((await owner.get(url)).body.template_file_missing, true)
  const cleared = await set({ outgoing_name: '', project_key: '', issue_template_key: null })
  assert.deepEqual(
    [cleared.outgoing_name, cleared.project_key, cleared.issue_template_key, cleared.tickets_confidential_by_default],
    [null, null, null, false],
  )
})

test('a key of another form, one that leads to the address of another project, and a template that is not there are refused', async () => {
  const { project, owner, url, set } = await desk({ initialize_with_readme: true })
  for (const project_key of ['Lamps', 'a-b', 'x'.repeat(41), 'a@b'])
    assert.equal((await owner.put(url, { project_key })).status, 400, project_key)
  const long = await owner.put(url, { project_key: 'x'.repeat(40) })
  assert.equal(long.status, 200)
  const { body: template } = await owner.put(url, { issue_template_key: '../../etc/passwd' })
  assert.deepEqual(template, { message: { issue_template_key: ['does not exist'] } })

  // `team-a/b` and `team/a-b` have the same address.
  await set({ project_key: 'lamps' })
  const [group, name] = project.full_path.split('/') as [string, string]
  const other = await scene.user()
  const { body: namespace } = await other.post('/groups', { name: `${group}-${name}`, path: `${group}-${name}` })
  const { body: project2 } = await other.post('/projects', { name: 'x', path: 'x', namespace_id: namespace.id })
  await other.put(`/projects/${project2.id}/service_desk`, { service_desk_enabled: true, project_key: 'lamps' })
  await scene.root.put(`/projects/${project.id}`, { path: `${name}-x` })

  const taken = await owner.put(url, { project_key: 'other' })
  assert.equal(taken.status, 200)
  const refused = await owner.put(url, { project_key: 'lamps' })
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { message: { project_key: ['already in use for another service desk address.'] } }],
  )
})

test('of two projects whose addresses became the same, the one that has its key for longer gets the mails', async () => {
  const first = await desk()
  await first.set({ project_key: 'shared' })
  const [group, name] = first.project.full_path.split('/') as [string, string]
  const other = await scene.user()
  const { body: namespace } = await other.post('/groups', { name: `${group}-${name}`, path: `${group}-${name}` })
  const { body: thief } = await other.post('/projects', { name: 'y', path: 'y', namespace_id: namespace.id })
  const { body: settings } = await other.put(`/projects/${thief.id}/service_desk`, { service_desk_enabled: true, project_key: 'shared' })
  await first.owner.put(first.project.url, { path: `${name}-y` })
  const { body: now } = await first.owner.get(first.url)
  assert.equal(now.service_desk_address, settings.service_desk_address)

  assert.equal(await hand({ from: 'stranger@elsewhere.example', to: now.service_desk_address, subject: 'For the first' }), 200)

  assert.deepEqual(
    (await first.issues()).map(({ title }: { title: string }) => title),
    ['For the first'],
  )
  assert.deepEqual((await other.get(`/projects/${thief.id}/issues`)).body, [])
})

test('mails have the name of the project, and both addresses lead to it', async () => {
  const { set, issues, owner, project, service_desk_address: before } = await desk()
  const { service_desk_address: address } = await set({ outgoing_name: 'Lamps, "Inc" <x@evil.example>\n', project_key: 'bright_7' })

  await hand({ from: 'one@elsewhere.example', to: address.toUpperCase(), subject: 'By the key' })
  await hand({ from: 'two@elsewhere.example', to: before, subject: 'By the id' })
  await hand({ from: 'three@elsewhere.example', to: address.replace('bright_7', 'dark_7'), subject: 'By another key' })

  const made = await issues()
  assert.deepEqual(
    made.map(({ title, confidential }: { title: string; confidential: boolean }) => [title, confidential]),
    [
      ['By the key', true],
      ['By the id', true],
    ],
  )
  const thanks = await smtp.mailTo('one@elsewhere.example')
  assert.equal(thanks.header('from'), '"Lamps, \\"Inc\\" <x@evil.example>" <ingot@git.example.com>')
  assert.equal(thanks.from, 'ingot@git.example.com')
  await smtp.mailTo('two@elsewhere.example')
  await owner.post(`${project.url}/issues/1/notes`, { body: 'Which one?' })
  assert.match((await smtp.mailTo('one@elsewhere.example')).header('from') ?? '', /Lamps/)
})

test('requests that are not confidential hide the addresses of who wrote them', async () => {
  const { set, issues, owner, project, service_desk_address: to } = await desk({ visibility: 'public' })
  await set({ tickets_confidential_by_default: false })

  await hand({ from: 'ada@elsewhere.example', to, subject: '', text: 'It is dark' })
  const thanks = await smtp.mailTo('ada@elsewhere.example')
  await hand({ from: 'ada@elsewhere.example', to: thanks.header('reply-to') ?? '', text: 'Very dark' })

  const [issue] = await issues()
  assert.deepEqual([issue.title, issue.confidential], ['Request of a*****@e*****.example', false])
  const stranger = await scene.user()
  const { body: notes } = await stranger.get(`${project.url}/issues/1/notes`, { activity_filter: 'only_comments' })
  assert.equal(notes[0].body, 'By mail from `a*****@e*****.example`:\n\nVery dark')
  assert.equal((await stranger.get(`${project.url}/issues/1`)).body.service_desk_reply_to, null)
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.service_desk_reply_to, 'ada@elsewhere.example')
})

test('the template of the project stands below a request; its quick actions count, and those of the mail do not', async () => {
  const { project, owner, set, issues, service_desk_address: to } = await desk({ initialize_with_readme: true })
  await owner.post(`${project.url}/labels`, { name: 'support', color: '#123456' })
  await owner.post(`${project.url}/labels`, { name: 'urgent', color: '#123456' })
  const path = encodeURIComponent('.gitlab/issue_templates/Request.md')
  const content = '## For the team\n\n- [ ] Answered\n\n/label ~support\n/due 2021-07-01\n'
  await owner.post(`${project.url}/repository/files/${path}`, { branch: 'main', commit_message: 'A template', content })
  await set({ issue_template_key: 'Request' })

  await hand({ from: 'ada@elsewhere.example', to, subject: 'Dark', text: 'It is dark\n\n/label ~urgent\n/title Bright' })
  await owner.delete(`${project.url}/repository/files/${path}`, { branch: 'main', commit_message: 'Gone' })
  await hand({ from: 'ada@elsewhere.example', to, subject: 'Still dark', text: 'Hello?' })

  const [issue, later] = await issues()
  assert.equal(issue.description, 'It is dark\n\n/label ~urgent\n/title Bright\n\n## For the team\n\n- [ ] Answered')
  assert.deepEqual([issue.title, issue.labels, issue.due_date], ['Dark', ['support'], '2021-07-01'])
  assert.deepEqual([later.title, later.description, later.labels], ['Still dark', 'Hello?', []])
})

test('the page has the address, the templates of the repository, and says at its fields what is wrong', async () => {
  const person = await surfer()
  const { project } = await scene.project({ owner: person.person, initialize_with_readme: true })
  const page = `/${project.full_path}/-/settings/service_desk`
  assert.match((await person.get(page)).body, /no address while the service desk is off/)
  const fields = { service_desk_enabled: 'true', outgoing_name: '', issue_template_key: '', tickets_confidential_by_default: 'true' }

  const refused = await person.submit(`${page}/desk`, { ...fields, project_key: 'Not a key' })
  const saved = await person.submit(`${page}/desk`, { ...fields, outgoing_name: 'Lamps', project_key: 'lamps' })

  assert.equal(refused.status, 422)
  assert.match(refused.body, /id="field-project_key"[^>]* aria-invalid="true"[^>]*value="Not a key"/)
  assert.equal(saved.status, 303)
  const { body } = await person.get(page)
  assert.ok(body.includes(`incoming+${slugOf(project.full_path)}-lamps@example.com`))
  assert.match(body, /value="Lamps"/)
  const outsider = await surfer()
  assert.equal((await outsider.get(page)).status, 404)
})

test('changes of the settings are in the audit log', async () => {
  const { project, owner, set } = await desk()
  await set({ tickets_confidential_by_default: false, project_key: 'seen' })
  const { body } = await owner.get(`${project.url}/audit_events`)
  const changed = body.map(({ details }: { details: { change?: string } }) => details.change)
  assert.ok(changed.includes('service_desk_confidential') && changed.includes('service_desk_project_key'), changed.join())
})
