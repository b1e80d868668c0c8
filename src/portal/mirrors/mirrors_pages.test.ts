import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { pullMirror } from '../../integrations/mirrors/pull/update.ts'
import { updateRemoteMirror } from '../../integrations/mirrors/push/update.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { surfer } = oauthScene(scene)
const nobody = 'http://name:hush-hush@127.0.0.1:1/copy.git'

test('push mirrors are added, shown with what went wrong, changed, updated and removed', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const [maintainer, developer] = [await surfer(), await surfer()]
  for (const [{ person }, access_level] of [[maintainer, 40] as const, [developer, 30] as const])
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level })
  const base = `/${project.full_path}/-/settings/mirrors`

  assert.match(String((await maintainer.get(base)).body), /Nothing here yet[\s\S]*A push mirror is/)
  assert.match(String((await maintainer.submit(`${base}/new`, { url: 'nonsense' })).body), /is not a valid URL/)
  assert.equal((await maintainer.submit(`${base}/new`, { url: nobody, enabled: 'true' })).headers.location, base)
  const [mirror] = (await scene.root.get(`${project.url}/remote_mirrors`)).body
  await updateRemoteMirror(scene.deps, { mirror_id: mirror.id })
  const shown = String((await maintainer.get(base)).body)
  assert.match(shown, /\*{5}:\*{5}@127\.0\.0\.1:1\/copy\.git[\s\S]*Tried again soon[\s\S]*no connection, or no answer/)
  assert.doesNotMatch(shown, /hush-hush/)

  assert.equal((await maintainer.submit(`${base}/${mirror.id}/sync`, {})).headers.location, base)
  const edit = String((await maintainer.get(`${base}/${mirror.id}/edit`)).body)
  assert.match(edit, /value="http:\/\/\*{5}:\*{5}@127/)
  await maintainer.submit(`${base}/${mirror.id}/edit`, { url: mirror.url, enabled: 'false', keep_divergent_refs: 'true' })
  const changed = (await scene.root.get(`${project.url}/remote_mirrors/${mirror.id}`)).body
  assert.deepEqual([changed.url, changed.enabled, changed.keep_divergent_refs], [mirror.url, false, true])
  assert.equal((await developer.get(base)).status, 403)
  assert.equal((await maintainer.submit(`${base}/${mirror.id}/remove`, {})).status, 303)
  assert.deepEqual((await scene.root.get(`${project.url}/remote_mirrors`)).body, [])
})

test('a project is set to pull, and shows how that goes', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const maintainer = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: maintainer.person.id, access_level: 40 })
  const base = `/${project.full_path}/-/settings/mirrors`

  assert.match(String((await maintainer.get(base)).body), /The project does not pull/)
  assert.match(String((await maintainer.get(`${base}/pull`)).body), /Address of the repository[\s\S]*Make pipelines for what is pulled/)
  const sent = { import_url: nobody, mirror: 'true', mirror_trigger_builds: 'true' }
  const answer = await maintainer.submit(`${base}/pull/pull`, sent)
  assert.equal(answer.status, 303, String(answer.body))
  await pullMirror(scene.deps, { project_id: project.id })
  const shown = String((await maintainer.get(base)).body)
  assert.match(shown, /http:\/\/127\.0\.0\.1:1\/copy\.git[\s\S]*Tried again soon[\s\S]*no connection, or no answer/)
  assert.doesNotMatch(shown, /hush-hush/)
  assert.equal((await maintainer.submit(`${base}/pull/now`, {})).headers.location, base)
})
