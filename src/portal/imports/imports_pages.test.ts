import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { github } from '../../integrations/github_imports/scene.ts'
import { runExport } from '../../integrations/project_archives/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { surfer } = oauthScene(scene)
const { db } = scene.deps.database

test('an archive is downloaded by the user who asked for it; others see that there is one', async () => {
  const [owner, maintainer] = [await surfer(), await surfer()]
  const { project } = await scene.project({ owner: owner.person })
  await scene.root.post(`${project.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  const address = `/${project.full_path}/-/settings/export`
  assert.equal((await owner.submit(address, { description: 'As it was' })).headers.location, address)
  await runExport(scene, project.id)

  assert.match(String((await owner.get(address)).body), /Finished[\s\S]*\/download_export"/)
  const foreign = String((await maintainer.get(address)).body)
  assert.match(foreign, /Another user has asked for it/)
  assert.doesNotMatch(foreign, /download_export"/)
})

test('an export that has failed says why, and exports that are switched off are not offered', async () => {
  const owner = await surfer()
  const { project } = await scene.project({ owner: owner.person })
  const address = `/${project.full_path}/-/settings/export`
  await owner.submit(address, { upload_url: 'http://127.0.0.1:1/lamp.tar.gz', upload_http_method: 'POST' })
  await runExport(scene, project.id)
  assert.match(String((await owner.get(address)).body), /Failed[\s\S]*The archive could not be sent/)

  await scene.root.put('/application/settings', { project_export_enabled: false })
  try {
    assert.match(String((await owner.get(address)).body), /Exports are switched off/)
    assert.equal((await owner.submit(address, {})).status, 404)
  } finally {
    await scene.root.put('/application/settings', { project_export_enabled: true })
  }
})

test('sources that are switched off are not offered, and their form says so', async () => {
  const person = await surfer()
  const { body: before } = await scene.root.get('/application/settings')
  await scene.root.put('/application/settings', { import_sources: 'git' })
  try {
    const shown = String((await person.get('/projects/import')).body)
    assert.match(shown, /\/import\/bulk_imports\/new/)
    assert.doesNotMatch(shown, /\/import\/(github|gitlab_project)/)
    assert.match(String((await person.get('/import/github/new')).body), /has switched off imports from here/)
    const refused = await person.submit('/import/github/new', {
      personal_access_token: 'x',
      repository: 'octo/lamp',
      target_namespace: person.person.username,
    })
    assert.equal(refused.status, 403)
  } finally {
    await scene.root.put('/application/settings', { import_sources: before.import_sources })
  }
})

test('a repository of GitHub is found by its name, and a wrong token is marked', async () => {
  const server = await github('token-of-github', { name: 'lamp', full_name: 'octo/lamp' }, () => ({}))
  const person = await surfer()
  const sent = {
    personal_access_token: 'wrong',
    repository: 'octo/lamp',
    target_namespace: person.person.username,
    github_hostname: server.url,
  }
  const wrong = String((await person.submit('/import/github/new', sent)).body)
  assert.match(wrong, /name="personal_access_token"[^>]*aria-invalid="true"/)
  assert.match(String((await person.submit('/import/github/new', { ...sent, repository: '../lamp/x' })).body), /must be like owner\/name/)
  const { status, headers } = await person.submit('/import/github/new', { ...sent, personal_access_token: 'token-of-github' })
  assert.equal(status, 303)
  assert.match(String((await person.get(String(headers.location))).body), /Waits for its turn[\s\S]*from GitHub/)
})

test('migrations are seen by their user alone, by state and page by page', async () => {
  const [one, other] = [await surfer(), await surfer()]
  const rows = [
    { 'rows[][kind]': 'project', 'rows[][path]': 'team/a<b>', 'rows[][into]': '', 'rows[][slug]': 'a' },
    { 'rows[][kind]': 'group', 'rows[][path]': 'team/b', 'rows[][into]': '', 'rows[][slug]': '' },
  ].flatMap(row => Object.entries(row))
  const answer = await one.submit('/import/bulk_imports/new', [['url', 'http://127.0.0.1:1'], ['access_token', 'hush-hush'], ...rows])
  const address = String(answer.headers.location)
  const id = Number(address.split('/').at(-1))
  await db
    .updateTable('bulk_import_entities')
    .set({ status: 'failed' })
    .where('bulk_import_id', '=', id)
    .where('source_full_path', '=', 'team/b')
    .execute()

  const shown = String((await one.get(address)).body)
  assert.match(shown, /1 of 2 groups and projects have ended/)
  assert.match(shown, /team\/a&lt;b&gt;/)
  assert.doesNotMatch(shown, /hush-hush/)
  const failed = String((await one.get(address, { status: 'failed' })).body)
  assert.match(failed, /team\/b/)
  assert.doesNotMatch(failed, /team\/a/)
  assert.equal((await other.get(address)).status, 404)
  assert.match(String((await other.get('/import/bulk_imports')).body), /No migrations/)
})

test('a migration shows where things are now to those who may still see them', async () => {
  const person = await surfer()
  const { project, owner } = await scene.project({ visibility: 'private' })
  await owner.post(`${project.url}/members`, { user_id: person.person.id, access_level: 30 })
  const row = { 'rows[][kind]': 'project', 'rows[][path]': 'team/a', 'rows[][into]': '', 'rows[][slug]': 'a' }
  const sent = [['url', 'http://127.0.0.1:1'], ['access_token', 'hush-hush'], ...Object.entries(row)] as [string, string][]
  const address = String((await person.submit('/import/bulk_imports/new', sent)).headers.location)
  const id = Number(address.split('/').at(-1))
  await db.updateTable('bulk_import_entities').set({ project_id: project.id }).where('bulk_import_id', '=', id).execute()
  const shows = async () => String((await person.get(address)).body).includes(project.full_path)
  assert.ok(await shows())

  await owner.delete(`${project.url}/members/${person.person.id}`)

  assert.equal(await shows(), false)
})

test('a file that is no archive is refused in words', async () => {
  const person = await surfer()
  const address = `${scene.url}/import/gitlab_project/new`
  const token = /name="authenticity_token" value="([^"]+)"/.exec((await person.get('/import/gitlab_project/new')).body)?.[1] ?? ''
  const form = new FormData()
  for (const [name, value] of Object.entries({ authenticity_token: token, path: 'lamp', namespace: person.person.username }))
    form.set(name, value)
  form.set('file', new File(['lamp'], 'lamp.zip'))
  const refused = await person.client.post(address, form)
  assert.equal(refused.status, 422)
  assert.match(String(refused.body), /role="alert"[\s\S]*You need to upload/)
  assert.doesNotMatch(String(refused.body), /&quot;You need/)
})
