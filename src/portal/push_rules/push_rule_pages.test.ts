import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('push rules of a project are set, refused at their field, changed and removed', async () => {
  const { project } = await scene.project({})
  const [maintainer, developer] = [await surfer(), await surfer()]
  for (const [{ person }, access_level] of [[maintainer, 40] as const, [developer, 30] as const])
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level })
  const base = `/${project.full_path}/-/settings/push_rules`

  assert.match(String((await maintainer.get(base)).body), /No push rules/)
  const refused = await maintainer.submit(`${base}/new`, { commit_message_regex: '(', max_file_size: '0' })
  const made = await maintainer.submit(`${base}/new`, { commit_message_regex: '^<Fixes>', member_check: 'true', max_file_size: '0' })

  assert.match(String(refused.body), /Messages must have is no valid RE2 pattern/)
  assert.equal(made.headers.location, base, String(made.body))
  assert.match(String((await maintainer.get(base)).body), /Messages must have[\s\S]*\^&lt;Fixes&gt;[\s\S]*are users[\s\S]*yes/)
  await maintainer.submit(`${base}/edit`, { commit_message_regex: '', member_check: 'false', max_file_size: '7' })
  const { commit_message_regex, member_check, max_file_size } = (await scene.root.get(`${project.url}/push_rule`)).body
  assert.deepEqual([commit_message_regex, member_check, max_file_size], ['', false, 7])
  assert.equal((await developer.get(base)).status, 403)
  assert.equal((await maintainer.submit(`${base}/remove`, {})).status, 303)
  assert.equal((await scene.root.get(`${project.url}/push_rule`)).body, null)
})

test('those of a group are set by its Owners', async () => {
  const { group } = await scene.group({})
  const owner = await surfer()
  await scene.root.post(`${group.url}/members`, { user_id: owner.person.id, access_level: 50 })

  const made = await owner.submit(`/groups/${group.full_path}/-/settings/push_rules/new`, { prevent_secrets: 'true', max_file_size: '0' })

  assert.equal(made.status, 303, String(made.body))
  assert.equal((await scene.root.get(`${group.url}/push_rule`)).body.prevent_secrets, true)
})

test('those of the instance are set by administrators, and do not exist for others', async () => {
  const [admin, other] = [await surfer(), await surfer()]
  await scene.root.put(`/users/${admin.person.id}`, { admin: true })

  const made = await admin.submit('/admin/push_rules/new', { deny_delete_tag: 'true', max_file_size: '0' })

  assert.equal(made.status, 303, String(made.body))
  assert.match(String((await admin.get('/admin/push_rules')).body), /Pushes delete no tags/)
  assert.equal((await other.get('/admin/push_rules')).status, 404)
  assert.equal((await admin.submit('/admin/push_rules/remove', {})).status, 303)
})
