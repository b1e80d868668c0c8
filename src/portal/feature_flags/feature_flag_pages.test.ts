import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A member of a project in a browser. */
async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

/** A row of strategies as a form sends it. */
const row = (fields: Readonly<Record<string, string>>) => Object.entries(fields).map(([name, value]) => [`rows[][${name}]`, value] as const)

test('a flag is added with its strategies, switched, changed and deleted', async () => {
  const { project } = await scene.project({})
  const developer = await memberOf(project, 30)
  const base = `/${project.full_path}/-/feature_flags`
  const api = `${project.url}/feature_flags`
  const list = await developer.submit(`/${project.full_path}/-/feature_flags_user_lists/new`, { name: 'testers', user_xids: 'ida,jo' })
  const [{ id: listId }] = (await scene.root.get(`${project.url}/feature_flags_user_lists`)).body

  const refused = await developer.submit(`${base}/new`, { name: 'Bad <name>', 'rows[][whom]': 'default' })
  const made = await developer.submit(`${base}/new`, [
    ['name', 'checkout'],
    ['description', 'The short one'],
    ['active', 'true'],
    ...row({ id: '', whom: 'flexibleRollout', value: '25', environments: 'production, review/*' }),
    ...row({ id: '', whom: `list-${listId}`, value: '', environments: '' }),
    ...row({ id: '', whom: '', value: '', environments: '' }),
  ])

  assert.equal(list.status, 303)
  assert.match(String(refused.body), /value="Bad &lt;name&gt;"[\s\S]*can contain only lowercase letters/)
  assert.equal(made.headers.location, base, String(made.body))
  const flag = (await scene.root.get(`${api}/checkout`)).body
  const shown = ({ strategies }: typeof flag) =>
    strategies.map(({ name, parameters, scopes }: typeof flag) => [
      name,
      parameters,
      scopes.map(({ environment_scope }: typeof flag) => environment_scope),
    ])
  assert.deepEqual(shown(flag), [
    ['flexibleRollout', { groupId: 'default', stickiness: 'default', rollout: '25' }, ['production', 'review/*']],
    ['gitlabUserList', {}, ['*']],
  ])
  const page = String((await developer.get(base)).body)
  assert.match(page, /checkout<\/code>[\s\S]*On[\s\S]*The short one[\s\S]*25 % of users in production, review\/\*[\s\S]*the list “testers”/)
  await developer.submit(`${base}/checkout/disable`, { active: 'false' })
  assert.equal((await scene.root.get(`${api}/checkout`)).body.active, false)
  const [first] = flag.strategies
  const form = String((await developer.get(`${base}/checkout/edit`)).body)
  assert.match(form, new RegExp(`name="rows\\[\\]\\[id\\]" value="${first.id}"[\\s\\S]*value="25"[\\s\\S]*value="production, review/\\*"`))
  const changed = await developer.submit(`${base}/checkout/edit`, [
    ['name', 'checkout'],
    ['active', 'true'],
    ...row({ id: String(first.id), whom: 'flexibleRollout', value: '50', environments: 'production' }),
  ])
  assert.equal(changed.status, 303, String(changed.body))
  const after = (await scene.root.get(`${api}/checkout`)).body
  assert.deepEqual(shown(after), [['flexibleRollout', { groupId: 'default', stickiness: 'default', rollout: '50' }, ['production']]])
  assert.deepEqual([after.strategies[0].id, after.strategies[0].scopes[0].id], [first.id, first.scopes[0].id])
  await developer.submit(`${base}/checkout/remove`, {})
  assert.equal((await scene.root.get(`${api}/checkout`)).status, 404)
  assert.equal((await (await memberOf(project, 20)).get(base)).status, 403)
})

test('the instance ID is shown on request alone, and replaced by Maintainers who give their password', async () => {
  const { project } = await scene.project({})
  const [developer, maintainer] = [await memberOf(project, 30), await memberOf(project, 40)]
  const base = `/${project.full_path}/-`
  const { instance_id, api_url } = (await scene.root.get(`${project.url}/feature_flags_client`)).body

  const page = String((await developer.get(`${base}/feature_flags`)).body)
  const revealed = String((await developer.get(`${base}/feature_flags_client/instance_id`)).body)

  assert.ok(page.includes(api_url))
  assert.ok(!page.includes(instance_id), 'the page has no instance ID')
  assert.ok(revealed.includes(instance_id))
  assert.doesNotMatch(page, /Replace the instance ID/)
  assert.match(String((await maintainer.get(`${base}/feature_flags`)).body), /Replace the instance ID/)
  assert.equal((await developer.submit(`${base}/feature_flags_client/reset_token`, {})).status, 403)
})
