/** The pages of the container registry, and the form of the expiration policy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { imageClient } from '../../delivery/container_registry/distribution/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function push(project: SceneProject, name: string, tags: readonly string[]) {
  const { username, token } = owner.person
  const image = await imageClient(scene, [project.full_path, name].filter(part => part !== '').join('/'), { username, password: token })
  const digests = []
  for (const tag of tags) digests.push(await image.image(tag))
  return digests
}

const listed = (body: string): string[] => [...body.matchAll(/\/-\/container_registry\/\d+">([^<]*)</g)].map(([, name]) => name as string)
const tagsOn = (body: string): string[] =>
  [...body.matchAll(/<span class="mono">([^<]*)<\/span><clipboard/g)].map(([, tag]) => tag as string)

test('a project shows its images, and each image its tags with size, digest and the line that pulls it', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const list = `/${project.full_path}/-/container_registry`
  const none = (await owner.get(list)).body
  assert.match(none, /No images[\s\S]*docker login [^\s/]+<[\s\S]*docker push [^<]*/)
  const [digest] = await push(project, 'web', ['1.0', 'latest'])
  await push(project, '', ['latest'])
  const { body } = await reader.get(list)
  assert.deepEqual(listed(body), [`${project.full_path}/web`, project.full_path])
  assert.match(body, /2 tags/)
  assert.doesNotMatch(body, /docker push/)
  assert.match((await reader.get(`/${project.full_path}/-/issues`)).body, new RegExp(`href="${list}"`))

  const [{ id }] = (await by.get(`${project.url}/registry/repositories`)).body
  const page = (await reader.get(`${list}/${id}`)).body
  assert.deepEqual(tagsOn(page), ['1.0', 'latest'])
  assert.ok(page.includes(String(digest)))
  assert.match(page, /docker pull [^<]*\/web:1\.0</)
  assert.doesNotMatch(page, /docker login|\/delete"|bulk_destroy/)
  assert.deepEqual(tagsOn((await reader.get(`${list}/${id}`, { per_page: '1', page: '2' })).body), ['latest'])
  assert.equal((await reader.get(`${list}/${id + 1_000}`)).status, 404)
})

test('Developers delete one tag or several, Maintainers the image; nobody else does', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await push(project, '', ['a', 'b', 'c', 'd'])
  const [{ id }] = (await by.get(`${project.url}/registry/repositories`)).body
  const page = `/${project.full_path}/-/container_registry/${id}`
  for (const [rest, form] of [
    ['bulk_destroy', { 'tags[]': 'a' }],
    ['tags/a/delete', {}],
    ['delete', {}],
  ] as const)
    assert.equal((await reader.submit(`${page}/${rest}`, form)).status, 403, rest)
  await by.post(`${project.url}/members`, { user_id: reader.person.id, access_level: 30 })
  assert.equal((await reader.submit(`${page}/tags/a/delete`, {})).headers.location, page)
  assert.equal((await reader.submit(`${page}/bulk_destroy`, { 'tags[]': 'b' })).headers.location, page)
  assert.equal((await reader.submit(`${page}/bulk_destroy`, {})).status, 303)
  assert.deepEqual(tagsOn((await reader.get(page)).body), ['c', 'd'])
  assert.equal((await reader.submit(`${page}/delete`, {})).status, 403)
  assert.equal((await owner.submit(`${page}/delete`, {})).headers.location, `/${project.full_path}/-/container_registry`)
  assert.equal((await owner.get(page)).status, 404)
})

test('an image that a rule protects is deleted by those alone to whom the page shows a button', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/members`, { user_id: reader.person.id, access_level: 40 })
  await push(project, 'web', ['a', 'b'])
  const rule = { repository_path_pattern: `${project.full_path.toLowerCase()}/web`, minimum_access_level_for_delete: 'owner' }
  assert.equal((await by.post(`${project.url}/registry/protection/repository/rules`, rule)).status, 201)
  const [{ id }] = (await by.get(`${project.url}/registry/repositories`)).body
  const page = `/${project.full_path}/-/container_registry/${id}`
  assert.equal((await reader.submit(`${page}/bulk_destroy`, { 'tags[]': 'a' })).status, 403)
  assert.doesNotMatch((await reader.get(page)).body, /\/delete"|bulk_destroy/)
  assert.match((await owner.get(page)).body, /bulk_destroy/)
  const readers = scene.as({ 'private-token': reader.person.token })
  const links = async (client: typeof by) => (await client.get(`/registry/repositories/${id}`)).body.delete_api_path
  assert.deepEqual([await links(readers), typeof (await links(by))], [undefined, 'string'])
  assert.deepEqual(tagsOn((await reader.get(page)).body), ['a', 'b'])
  assert.equal((await owner.submit(`${page}/bulk_destroy`, { 'tags[]': 'a' })).status, 303)
  assert.deepEqual(tagsOn((await owner.get(page)).body), ['b'])
})

test('a group shows the images that the caller may see; a registry that is off has neither page nor tab', async () => {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project: open } = await scene.project({ owner: owner.person, group, visibility: 'public' })
  const { project: closed } = await scene.project({ owner: owner.person, group, visibility: 'private' })
  await push(open, 'one', ['latest'])
  await push(closed, 'two', ['latest'])
  const list = `/groups/${group.full_path}/-/container_registries`
  assert.deepEqual(listed((await owner.get(list)).body), [`${open.full_path}/one`, `${closed.full_path}/two`])
  assert.equal((await reader.get(list)).status, 403)
  assert.equal((await reader.get(`/${closed.full_path}/-/container_registry`)).status, 404)
  await by.put(open.url, { container_registry_enabled: false })
  assert.equal((await owner.get(`/${open.full_path}/-/container_registry`)).status, 403)
  assert.doesNotMatch((await owner.get(`/${open.full_path}/-/issues`)).body, /\/-\/container_registry"/)
})

test('the expiration policy is set by a form, which says at its field what is wrong', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const page = `/${project.full_path}/-/settings/repository`
  const policy = async () => (await by.get(project.url)).body.container_expiration_policy
  const form = { enabled: 'true', cadence: '7d', name_regex_delete: 'dev-.*', name_regex_keep: '', keep_n: '', older_than: '' }
  const saved = await owner.submit(`${page}/expiration_policy`, form)
  assert.deepEqual([saved.status, saved.headers.location], [303, `${page}#expiration_policy`])
  const { next_run_at, ...rest } = await policy()
  assert.deepEqual(rest, { cadence: '7d', enabled: true, keep_n: null, older_than: null, name_regex: 'dev-.*', name_regex_keep: null })
  assert.ok(next_run_at)
  assert.match((await owner.get(page)).body, /It runs next/)
  const refused = await owner.submit(`${page}/expiration_policy`, { ...form, name_regex_delete: '(' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /name="name_regex_delete"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="name_regex_delete"/)
  assert.equal((await policy()).name_regex, 'dev-.*')
  await by.put(project.url, { container_registry_enabled: false })
  assert.doesNotMatch((await owner.get(page)).body, /Expiration policy of images/)
})
