import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const secret = 'correct-horse-<battery>'

/** A maintainer in a browser, of a project in a group with a variable. */
async function maintainerBelowGroup() {
  const path = `above-${Math.random().toString(36).slice(2)}`
  const group = (await scene.root.post('/groups', { name: path, path })).body
  const project = (await scene.root.post('/projects', { name: 'Below', namespace_id: group.id })).body
  await scene.root.post(`/groups/${group.id}/variables`, { key: 'OF_THE_GROUP', value: 'hidden-value', masked: true })
  const maintainer = await surfer()
  await scene.root.post(`/projects/${project.id}/members`, { user_id: maintainer.person.id, access_level: 40 })
  return { group, project, maintainer, base: `/${project.path_with_namespace}/-/variables` }
}

test('variables are added, shown on request alone, changed and deleted; those of the groups above are named', async () => {
  const { project, maintainer, base } = await maintainerBelowGroup()
  const api = `/projects/${project.id}/variables/PASSWORD`

  const made = await maintainer.submit(`${base}/new`, {
    key: 'PASSWORD',
    value: `${secret}\r\n2`,
    variable_type: 'file',
    environment_scope: 'review/*',
  })
  const list = String((await maintainer.get(base)).body)
  const id = /variables\/(\d+)\/value/.exec(list)?.[1]
  const revealed = String((await maintainer.get(`${base}/${id}/value`)).body)
  const edit = String((await maintainer.get(`${base}/${id}/edit`)).body)

  assert.equal(made.status, 303)
  assert.ok(!/correct-horse|hidden-value/.test(list + edit), 'values are on no page but that of the value')
  assert.match(list, /OF_THE_GROUP/)
  assert.match(list, /review\/\*/)
  assert.match(revealed, /<code>correct-horse-&lt;battery&gt;\n2<\/code>/)

  assert.equal(
    (await maintainer.submit(`${base}/${id}/edit`, { value: '', protected: 'true', variable_type: 'env_var', environment_scope: '*' }))
      .status,
    303,
  )
  const { body: kept } = await scene.root.get(api)
  assert.deepEqual([kept.value, kept.protected, kept.variable_type, kept.environment_scope], [`${secret}\n2`, true, 'env_var', '*'])
  assert.equal((await maintainer.submit(`${base}/${id}/edit`, { value: '', is_empty: 'true' })).status, 303)
  assert.equal((await scene.root.get(api)).body.value, '')
  assert.equal((await maintainer.submit(`${base}/${id}/delete`, {})).status, 303)
  assert.equal((await scene.root.get(api)).status, 404)
})

test('what is refused is said at its field, and a value that was typed is kept', async () => {
  const { maintainer, base } = await maintainerBelowGroup()

  const refused = await maintainer.submit(`${base}/new`, { key: 'SHORT', value: 'abc', masked: 'true' })
  const wrong = await maintainer.submit(`${base}/new`, { key: 'A-B', value: 'abc' })

  assert.equal(refused.status, 422)
  assert.match(String(refused.body), /id="field-value-wrong">Value cannot be masked, unless it is one line of at least 8 characters/)
  assert.match(String(refused.body), />\nabc<\/textarea>/)
  assert.match(String(wrong.body), /id="field-key-wrong">Name can contain only letters/)
})

test('one key has several variables, each for its environments, and each is changed alone', async () => {
  const { project, maintainer, base } = await maintainerBelowGroup()
  for (const environment_scope of ['staging', 'production'])
    await maintainer.submit(`${base}/new`, { key: 'HOST', value: environment_scope, environment_scope })
  const ids = [...String((await maintainer.get(base)).body).matchAll(/variables\/(\d+)\/value/g)].map(([, id]) => id)

  await maintainer.submit(`${base}/${ids[1]}/edit`, { value: 'changed' })

  const { body } = await scene.root.get(`/projects/${project.id}/variables`)
  assert.deepEqual(
    body.map(({ value }: { value: string }) => value),
    ['staging', 'changed'],
  )
})

test('Developers have no such page, members of the group none of its variables, and administrators have those of the instance', async () => {
  const { group, project, maintainer, base } = await maintainerBelowGroup()
  const developer = await surfer()
  await scene.root.post(`/projects/${project.id}/members`, { user_id: developer.person.id, access_level: 30 })
  const admin = await surfer({ admin: true })

  assert.equal((await developer.get(base)).status, 403)
  assert.equal((await maintainer.get(`/groups/${group.path}/-/variables`)).status, 403)
  assert.match(String((await admin.get(`/groups/${group.path}/-/variables`)).body), /OF_THE_GROUP/)
  assert.equal((await maintainer.get('/admin/ci/variables')).status, 404)
  assert.equal((await admin.submit('/admin/ci/variables/new', { key: 'EVERYWHERE', value: 'yes' })).status, 303)
  const page = String((await admin.get('/admin/ci/variables')).body)
  const id = /variables\/(\d+)\/edit/.exec(page)?.[1]
  assert.equal((await admin.submit(`/admin/ci/variables/${id}/edit`, { value: '', masked: 'false', protected: 'true' })).status, 303)
  const { body } = await scene.root.get('/admin/ci/variables/EVERYWHERE')
  assert.deepEqual([body.value, body.protected], ['yes', true])
})

test('a variable that is added as hidden is masked, and no page shows its value again', async () => {
  const { project, maintainer, base } = await maintainerBelowGroup()
  const made = await maintainer.submit(`${base}/new`, { key: 'TOKEN', value: 'never-seen-again', masked_and_hidden: 'true' })
  assert.equal(made.status, 303)
  const { body } = await scene.root.get(`/projects/${project.id}/variables/TOKEN`)
  assert.deepEqual([body.value, body.masked], [null, true])
  const list = String((await maintainer.get(base)).body)
  assert.match(list, /Masked and hidden/)
  assert.ok(!list.includes('never-seen-again'))
  assert.match(String((await maintainer.get(`${base}/new`)).body), /name="masked_and_hidden"/)
})
