import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('a trigger is added, its token shown to its owner on request alone, used, renamed and revoked', async () => {
  const { project } = await scene.project({})
  await scene.commit(project, { '.gitlab-ci.yml': 'build: { script: [make] }\n' })
  const [maintainer, other] = [await surfer(), await surfer()]
  for (const { person } of [maintainer, other]) await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  const base = `/${project.full_path}/-/triggers`

  assert.equal((await maintainer.submit(`${base}/new`, { description: 'Docs <b>' })).status, 303)
  const list = String((await maintainer.get(base)).body)
  const id = /triggers\/(\d+)\/token/.exec(list)?.[1]
  const revealed = String((await maintainer.get(`${base}/${id}/token`)).body)
  const token = /<code>([\w-]+)<\/code>/.exec(revealed)?.[1] ?? ''
  const seen = String((await other.get(base)).body)

  assert.match(list, /Docs &lt;b&gt;/)
  assert.ok(token.length > 10)
  assert.ok(!list.includes(token), 'the list has no token')
  assert.match(seen, new RegExp(`<code>${token.slice(0, 4)}…</code>`))
  assert.match(String((await other.get(`${base}/${id}/token`)).body), new RegExp(`<code>${token.slice(0, 4)}…</code>`))
  assert.equal((await scene.anonymous.post(`${project.url}/trigger/pipeline`, { token, ref: 'main' })).status, 201)
  assert.equal((await maintainer.submit(`${base}/${id}/edit`, { description: 'Builds' })).status, 303)
  assert.match(String((await maintainer.get(base)).body), /Builds/)
  assert.equal((await maintainer.submit(`${base}/${id}/delete`, {})).status, 303)
  assert.equal((await scene.anonymous.post(`${project.url}/trigger/pipeline`, { token, ref: 'main' })).status, 404)
})
