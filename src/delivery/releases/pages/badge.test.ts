/** The badge of the latest release. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

test('the badge names the latest release, to those who may see releases', async () => {
  const { project, owner } = await scene.project({ visibility: 'public', initialize_with_readme: true })
  const badge = `${scene.url}/${project.full_path}/-/badges/release.svg`
  assert.match((await scene.anonymous.get(badge)).body, /Latest Release: none/)
  for (const tag of ['v1.0.0', 'v1.1.0']) await owner.post(`${project.url}/releases`, { tag_name: tag, ref: 'main' })
  await owner.post(`${project.url}/releases`, { tag_name: 'v2.0.0', ref: 'main', released_at: '2099-01-01T00:00:00Z' })

  const shown = await scene.anonymous.get(badge)

  assert.equal(shown.headers['content-type'], 'image/svg+xml')
  assert.match(shown.body, /Latest Release: v1\.1\.0/)
  assert.match((await scene.anonymous.get(badge, { key_text: 'newest', order_by: 'created_at' })).body, /newest: v1\.1\.0/)
  assert.equal((await scene.as({ 'if-none-match': String(shown.headers.etag) }).get(badge)).status, 304)
  const hidden = await scene.project({ visibility: 'private' })
  assert.equal((await scene.anonymous.get(`${scene.url}/${hidden.project.full_path}/-/badges/release.svg`)).status, 404)
})

test('the tag is not named to guests of a private project, who may not read the code', async () => {
  const { project, owner, guest } = await scene.project({ visibility: 'private', initialize_with_readme: true, members: ['guest'] })
  await owner.post(`${project.url}/releases`, { tag_name: 'v1.0.0', ref: 'main' })
  const shownTo = async (token: string) =>
    (await scene.as({ 'private-token': token }).get(`${scene.url}/${project.full_path}/-/badges/release.svg`)).body

  assert.match(await shownTo(owner.token), /Latest Release: v1\.0\.0/)
  assert.match(await shownTo(guest.token), /Latest Release: Release-\d+</)
})
