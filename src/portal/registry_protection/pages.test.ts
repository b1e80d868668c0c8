/** The pages of protected packages and images. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

test('packages are protected by a form, and a rule is changed and removed', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const [page, api] = [`/${project.full_path}/-/settings/protected_packages`, `${project.url}/packages/protection/rules`]
  assert.match((await owner.get(page)).body, /Protect packages/)
  const sent = { package_type: 'npm', package_name_pattern: '@team/*', minimum_access_level_for_push: 'owner' }
  assert.equal((await owner.submit(`${page}/new`, { ...sent, minimum_access_level_for_delete: '' })).status, 303)
  const [rule] = (await by.get(api)).body
  assert.deepEqual(rule, { id: rule.id, project_id: project.id, ...sent, minimum_access_level_for_delete: null })
  assert.match((await owner.get(page)).body, /@team\/\*.*npm.*Publish: Owners/s)

  const refused = await owner.submit(`${page}/${rule.id}/edit`, {
    ...sent,
    minimum_access_level_for_push: '',
    minimum_access_level_for_delete: '',
  })
  assert.match(refused.body, /at least a minimum access role/)
  const changed = { ...sent, minimum_access_level_for_push: '', minimum_access_level_for_delete: 'admin' }
  assert.equal((await owner.submit(`${page}/${rule.id}/edit`, changed)).status, 303)
  assert.match((await owner.get(page)).body, /Delete: Administrators/)
  assert.equal((await by.get(api)).body[0].minimum_access_level_for_push, null)
  assert.equal((await owner.submit(`${page}/${rule.id}/remove`, {})).status, 303)
  assert.deepEqual((await by.get(api)).body, [])
})

test('images are protected by a form that begins with the path of the project', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const page = `/${project.full_path}/-/settings/protected_images`
  const path = project.full_path.toLowerCase()
  assert.ok((await owner.get(`${page}/new`)).body.includes(`value="${path}*"`))
  const sent = { repository_path_pattern: `${path}/web`, minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: '' }
  assert.match((await owner.submit(`${page}/new`, { ...sent, repository_path_pattern: 'other' })).body, /should start with/)
  assert.equal((await owner.submit(`${page}/new`, sent)).status, 303)
  assert.match((await owner.get(page)).body, /\/web.*Push: Maintainers/s)
})

test('tags of images are protected by a form, or are immutable', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const page = `/${project.full_path}/-/settings/protected_image_tags`
  const sent = { tag_name_pattern: '^v', minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: '' }
  assert.match((await owner.submit(`${page}/new`, sent)).body, /both be present or both be nil/)
  assert.equal((await owner.submit(`${page}/new`, { ...sent, minimum_access_level_for_push: '' })).status, 303)
  assert.match((await owner.get(page)).body, /\^v.*Immutable/s)
  const [rule] = (await by.get(`${project.url}/registry/protection/tag/rules`)).body
  assert.equal((await owner.submit(`${page}/${rule.id}/edit`, { ...sent, minimum_access_level_for_delete: 'owner' })).status, 303)
  assert.match((await owner.get(page)).body, /Push: Maintainers.*Delete: Owners/s)
})
