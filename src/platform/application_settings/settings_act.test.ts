/** What the settings of the instance change. Each test puts back what it changed: others of the file see the standard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const url = '/application/settings'
const standard = (await scene.root.get(url)).body

/** Runs with settings that are put back afterwards. */
async function having<T>(settings: Record<string, unknown>, run: () => Promise<T>): Promise<T> {
  const { status, body } = await scene.root.put(url, settings)
  assert.equal(status, 200, JSON.stringify(body))
  for (const [name, value] of Object.entries(settings)) assert.deepEqual(body[name], value, name)
  try {
    return await run()
  } finally {
    await scene.root.put(url, Object.fromEntries(Object.keys(settings).map(name => [name, standard[name]])))
  }
}

/** A new account with what is given. */
const account = (name: string, more: Record<string, unknown> = {}) =>
  scene.root.post('/users', {
    name,
    username: name,
    email: `${name}@example.com`,
    password: 'wide lanterns hum',
    skip_confirmation: true,
    ...more,
  })

test('settings without an effect are kept, with the platform’s values until then, and what is unknown is ignored', async () => {
  assert.deepEqual(
    [standard.id, standard.plantuml_enabled, standard.repository_storages, standard.deletion_adjourned_period, standard.terms],
    [1, false, ['default'], 7, null],
  )

  const changed = await scene.root.put(url, { plantuml_enabled: true, plantuml_url: 'http://plantuml', no_such_setting: 7 })

  assert.equal(changed.status, 200)
  assert.deepEqual(
    [changed.body.plantuml_enabled, changed.body.plantuml_url, changed.body.no_such_setting],
    [true, 'http://plantuml', undefined],
  )
  assert.deepEqual((await scene.root.get(url)).body, changed.body)
  assert.equal((await scene.root.put(url, { plantuml_enabled: 'perhaps' })).status, 400)
  assert.equal((await (await scene.user()).get(url)).status, 403)
})

test('new users: projects, external, length of passwords', async () => {
  await having({ default_projects_limit: 3, user_default_external: true, minimum_password_length: 20 }, async () => {
    const short = await account('ned')
    assert.deepEqual(short, { status: 400, body: { message: { password: ['is too short (minimum is 20 characters)'] } } })
    const { body } = await account('ned', { password: 'wide lanterns hum over the bay' })
    assert.deepEqual([body.projects_limit, body.external], [3, true])
    const chosen = await account('ona', { password: 'wide lanterns hum over the bay', projects_limit: 9, external: false })
    assert.deepEqual([chosen.body.projects_limit, chosen.body.external], [9, false])
  })
  assert.equal((await scene.root.put(url, { minimum_password_length: 7 })).status, 400)
})

test('new groups and projects: protection, who creates, runners, CI file, first branch', async () => {
  await having(
    {
      default_branch_protection: 0,
      default_project_creation: 1,
      shared_runners_enabled: false,
      default_ci_config_path: 'ci/all.yml',
      default_branch_name: 'trunk',
    },
    async () => {
      const { body: group } = await scene.root.post('/groups', { name: 'begun', path: 'begun' })
      assert.deepEqual([group.default_branch_protection, group.project_creation_level], [0, 'maintainer'])
      const { body: project } = await scene.root.post('/projects', { name: 'first', namespace_id: group.id, initialize_with_readme: true })
      assert.deepEqual([project.default_branch, project.ci_config_path, project.shared_runners_enabled], ['trunk', 'ci/all.yml', false])
      const { body: empty } = await scene.root.post('/projects', { name: 'second', namespace_id: group.id, ci_config_path: 'own.yml' })
      assert.equal(empty.ci_config_path, 'own.yml')
      const begun = await scene.root.post(`/projects/${empty.id}/repository/branches`, { branch: 'topic', ref: 'trunk' })
      assert.equal(begun.status, 201)
      assert.equal((await scene.root.get(`/projects/${empty.id}`)).body.default_branch, 'trunk')
    },
  )
})

test('levels of visibility that only administrators give', async () => {
  const person = await scene.user()
  const { project: source } = await scene.project({ visibility: 'public', initialize_with_readme: true })
  const { body: kept } = await person.post('/projects', { name: 'kept' })
  await having({ restricted_visibility_levels: ['public', 'private'] }, async () => {
    const refused = { status: 400, body: { message: { visibility_level: ['public has been restricted by your administrator'] } } }
    assert.deepEqual(await person.post('/projects', { name: 'open', visibility: 'public' }), refused)
    assert.deepEqual(await person.put(`/projects/${kept.id}`, { visibility: 'public' }), refused)
    assert.deepEqual(await person.post('/groups', { name: 'open', path: 'open', visibility: 'public' }), refused)
    // What they do not choose is what they may have.
    assert.equal((await person.post('/projects', { name: 'quiet' })).body.visibility, 'internal')
    assert.equal((await person.post(`${source.url}/fork`)).body.visibility, 'internal')
    assert.equal((await person.put(`/projects/${kept.id}`, { visibility: 'private', description: 'As before' })).status, 200)
    assert.equal((await scene.root.put(`/projects/${kept.id}`, { visibility: 'public' })).body.visibility, 'public')
  })
})

test('SSH keys: types and sizes that are taken', async () => {
  const person = await scene.user()
  const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'
  const add = () => person.post('/user/keys', { title: 'laptop', key: ed25519 })
  await having({ ed25519_key_restriction: -1, rsa_key_restriction: 4096 }, async () => {
    assert.deepEqual(await add(), {
      status: 400,
      body: { message: { key: ['type is forbidden. Must be RSA, DSA, ECDSA, ECDSA_SK, ED25519_SK'] } },
    })
  })
  assert.equal((await add()).status, 201)
})

test('access tokens begin as the setting says', async () => {
  await having({ personal_access_token_prefix: 'lamp-' }, async () => {
    const { body } = await scene.root.post('/users/1/personal_access_tokens', { name: 'marked', scopes: ['api'] })
    assert.match(body.token, /^lamp-[\w-]{20}$/)
    assert.equal((await scene.as({ 'private-token': body.token }).get('/user')).status, 200)
  })
})

test('uploads of more megabytes than the setting says are refused', async () => {
  const { project, owner } = await scene.project()
  const upload = (bytes: number) => {
    const form = new FormData()
    form.append('file', new Blob(['x'.repeat(bytes)]), 'notes.txt')
    return owner.post(`${project.url}/uploads`, form)
  }
  await having({ max_attachment_size: 1 }, async () => {
    assert.equal((await upload(1024 * 1024 + 1)).status, 413)
    assert.equal((await upload(1024)).status, 201)
  })
})

test('git is served by the protocols of the setting, and takes passwords as it says', async () => {
  const { body: person } = await account('gita')
  const { project, owner } = await scene.project({ visibility: 'internal', initialize_with_readme: true })
  const fetchAs = async (username: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const { status } = await scene
      .as({ authorization })
      .get(`${scene.url}/${project.full_path}.git/info/refs`, { service: 'git-upload-pack' })
    return status
  }
  const both = async () => [await fetchAs(person.username, 'wide lanterns hum'), await fetchAs(owner.username, owner.token)]

  assert.deepEqual(await both(), [200, 200])
  await having({ enabled_git_access_protocol: 'ssh' }, async () => assert.deepEqual(await both(), [403, 403]))
  await having({ enabled_git_access_protocol: 'http' }, async () => assert.deepEqual(await both(), [200, 200]))
  await having({ password_authentication_enabled_for_git: false }, async () => assert.deepEqual(await both(), [401, 200]))
})

test('webhooks may call what is not public where the setting says so', async () => {
  const { project, owner } = await scene.project()
  const add = (address: string) => owner.post(`${project.url}/hooks`, { url: address })
  const system = (address: string) => scene.root.post('/hooks', { url: address })
  assert.equal((await add('http://10.1.2.3/')).status, 422)
  await having({ outbound_local_requests_whitelist: ['10.1.2.0/24'] }, async () => {
    assert.equal((await add('http://10.1.2.3/')).status, 201)
    assert.equal((await add('http://10.1.3.3/')).status, 422)
  })
  await having({ allow_local_requests_from_web_hooks_and_services: true }, async () => {
    assert.equal((await add('http://192.168.1.1:8080/')).status, 201)
    assert.equal((await system('http://192.168.1.1/')).status, 422)
  })
  await having({ allow_local_requests_from_system_hooks: true }, async () => {
    assert.equal((await system('http://192.168.1.1/')).status, 201)
    assert.equal((await add('http://192.168.1.2/')).status, 422)
  })
})

test('texts and addresses of the instance are on its pages', async () => {
  const page = async (path: string) => {
    const { status, body, headers } = await scene.as({ accept: 'text/html' }).get(`${scene.url}${path}`)
    return { status, body: String(body), location: headers.location }
  }
  await having(
    { sign_in_text: 'Lamps <b>only</b>\n\nAsk Ida', help_page_text: 'House rules', help_page_support_url: 'https://help.example.com/' },
    async () => {
      assert.match((await page('/users/sign_in')).body, /<p>Lamps &lt;b&gt;only&lt;\/b&gt;<\/p><p>Ask Ida<\/p>/)
      const help = (await page('/help')).body
      assert.match(help, /<p>House rules<\/p>/)
      assert.match(help, /<a href="https:\/\/help\.example\.com\/">Get help<\/a>/)
    },
  )
  assert.equal((await page('/')).location, '/users/sign_in?redirect=%2F')
  await having({ home_page_url: 'https://example.com/lamps' }, async () =>
    assert.equal((await page('/')).location, 'https://example.com/lamps'),
  )
  assert.equal((await scene.root.put(url, { home_page_url: 'javascript:alert(1)' })).status, 400)
  for (const path of ['//elsewhere.example', 'https://elsewhere.example', '/\\elsewhere'])
    assert.equal((await scene.root.put(url, { after_sign_out_path: path })).status, 400, path)
  await having({ after_sign_out_path: '/explore/projects' }, async () =>
    assert.equal((await page('/users/sign_out')).location, '/explore/projects'),
  )
})

test('issues and comments that a user may make in a minute, by each way; others have a count of their own', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  const refusal = { message: { error: 'This endpoint has been requested too many times. Try again later.' } }
  const issues = `${project.url}/issues`
  const notes = `${issues}/1/notes`
  const mutation = `mutation { createIssue(input: { projectPath: "${project.full_path}", title: "Third" }) { errors issue { iid } } }`
  await having({ issues_create_limit: 2, notes_create_limit: 2 }, async () => {
    for (const title of ['First', 'Second']) assert.equal((await owner.post(issues, { title, labels: title })).status, 201)
    const third = await owner.post(issues, { title: 'Third' })
    assert.deepEqual([third.status, third.body, Number(third.headers['retry-after']) > 0], [429, refusal, true])
    const asked = await owner.post(`${scene.url}/api/graphql`, { query: mutation })
    assert.equal(asked.body.data?.createIssue?.issue ?? null, null, JSON.stringify(asked.body))
    assert.equal((await owner.get(issues)).body.length, 2)
    assert.equal((await reporter.post(issues, { title: 'Of another' })).status, 201)
    assert.equal((await owner.put(`${issues}/1`, { title: 'Changed' })).status, 200)

    assert.equal((await owner.post(notes, { body: 'One' })).status, 201)
    const { status, body: thread } = await owner.post(`${issues}/1/discussions`, { body: 'Two' })
    assert.equal(status, 201)
    for (const place of [notes, `${issues}/1/discussions`, `${issues}/1/discussions/${thread.id}/notes`]) {
      const refused = await owner.post(place, { body: 'Three' })
      assert.deepEqual([refused.status, refused.body], [429, refusal], place)
    }
    assert.equal((await reporter.post(notes, { body: 'Of another' })).status, 201)
  })
  assert.equal((await owner.post(issues, { title: 'Third' })).status, 201)
  assert.equal((await owner.post(notes, { body: 'Three' })).status, 201)
})

test('copies of issues count as issues, and the comments that they bring as comments', async () => {
  const { project, owner } = await scene.project()
  const { project: other, owner: second } = await scene.project()
  const [issue, mine] = [`${project.url}/issues/1`, `${other.url}/issues/1`]
  for (const [who, url] of [
    [owner, project.url],
    [second, other.url],
  ] as const) {
    await who.post(`${url}/issues`, { title: 'Shed' })
    for (const body of ['One', 'Two']) await who.post(`${url}/issues/1/notes`, { body })
  }
  await having({ issues_create_limit: 2, notes_create_limit: 0 }, async () => {
    assert.equal((await owner.post(`${issue}/clone`, { to_project_id: project.id, with_notes: true })).status, 201)
    assert.equal((await owner.post(`${issue}/notes`, { body: '/clone --with_notes' })).status, 202)
    assert.equal((await owner.post(`${issue}/notes`, { body: '/clone' })).status, 429)
    assert.equal((await owner.post(`${issue}/clone`, { to_project_id: project.id })).status, 429)
    assert.equal((await owner.get(`${project.url}/issues`)).body.length, 3)
  })
  await having({ notes_create_limit: 3 }, async () => {
    assert.equal((await second.post(`${mine}/clone`, { to_project_id: other.id, with_notes: true })).status, 201)
    assert.equal((await second.post(`${mine}/clone`, { to_project_id: other.id, with_notes: true })).status, 429)
    assert.equal((await second.post(`${mine}/clone`, { to_project_id: other.id })).status, 201)
  })
})

test('drafts of comments count when they are written, and are published then', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const mergeRequest = await scene.mergeRequest(project, { author: developer, files: { 'f.txt': 'one\n' } })
  const drafts = `${mergeRequest.url}/draft_notes`
  await having({ notes_create_limit: 2 }, async () => {
    for (const note of ['One', 'Two']) assert.equal((await developer.post(drafts, { note })).status, 201)
    assert.equal((await developer.post(drafts, { note: 'Three' })).status, 429)
    assert.equal((await developer.post(`${drafts}/bulk_publish`)).status, 204)
    assert.equal((await developer.post(`${mergeRequest.url}/notes`, { body: 'Three' })).status, 429)
  })
  assert.deepEqual((await developer.get(drafts)).body, [])
})
