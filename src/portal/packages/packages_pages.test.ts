/** The pages of packages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { npmDocument, pythonForm } from '../../../test/derived/bodies.ts'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { deb, into, upload } from '../../delivery/packages/protocols/debian/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function publish(project: SceneProject, path: string, bytes = 'bytes'): Promise<void> {
  assert.equal((await by.put(`${project.url}/packages/generic/${path}`, Buffer.from(bytes))).status, 201)
}

const publishThing = async (project: SceneProject) =>
  assert.equal((await by.put(`${project.url}/packages/npm/@team%2Fthing`, Buffer.from(npmDocument('1.0.0')))).status, 200)

const titles = (body: string): string[] =>
  [...body.matchAll(/\/-\/packages\/\d+">([^<]*)<span class="muted light">([^<]*)/g)].map(([, name, version]) => `${name}${version}`)

test('the packages of a project are listed, filtered and ordered, and the tab leads there', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const list = `/${project.full_path}/-/packages`
  assert.match((await owner.get(list)).body, /No packages yet/)
  await publish(project, 'tool/1.0.0/tool.txt')
  await publish(project, 'tool/1.1.0/tool.txt')
  await publishThing(project)

  const { body } = await reader.get(list)
  assert.deepEqual(titles(body), ['@team/thing 1.0.0', 'tool 1.1.0', 'tool 1.0.0'])
  assert.match(body, /href="[^"]*\/-\/packages"[^>]*aria-current="page"/)
  assert.deepEqual(titles((await reader.get(list, { package_type: 'generic', package_name: '' })).body), ['tool 1.1.0', 'tool 1.0.0'])
  assert.deepEqual(titles((await reader.get(list, { package_name: 'HIN', package_type: '' })).body), ['@team/thing 1.0.0'])
  const sorted = { order_by: 'name', sort: 'desc' }
  assert.deepEqual(titles((await reader.get(list, sorted)).body), ['tool 1.1.0', 'tool 1.0.0', '@team/thing 1.0.0'])
  const { body: second } = await reader.get(list, { ...sorted, per_page: '1', page: '2' })
  assert.deepEqual(titles(second), ['tool 1.0.0'])
  assert.match(second, /order_by=name&amp;sort=desc&amp;per_page=1&amp;page=3/)
  assert.match((await reader.get(list, { package_name: 'none' })).body, /None is like this/)
  assert.equal((await reader.get(list, { package_type: 'wheel' })).status, 400)
})

test('a package shows its files, other versions and how it is installed, where the API says that its page is', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await publish(project, 'tool/1.0.0/a.txt', 'first')
  await publish(project, 'tool/1.1.0/a.txt', 'second')
  await publishThing(project)
  const { body: found } = await by.get(`${project.url}/packages`, { package_name: 'tool' })
  const [old, recent] = found.map(({ _links }: { _links: { web_path: string } }) => _links.web_path)

  const { body } = await reader.get(recent)
  assert.match(body, /curl --fail --remote-name &quot;[^<]*\/packages\/generic\/tool\/1\.1\.0\/a\.txt/)
  assert.match(body, new RegExp(`href="${old}">1\\.0\\.0`))
  const download = /href="([^"]*package_files\/\d+\/download)"/.exec(body)?.[1] as string
  assert.equal((await reader.get(download)).bytes.toString(), 'second')
  assert.doesNotMatch(body, /\/delete"/)

  const [{ _links: npm }] = (await by.get(`${project.url}/packages`, { package_type: 'npm' })).body
  const thing = await reader.get(npm.web_path)
  assert.match(thing.body, /@team:registry=[^<]*\/packages\/npm\/[\s\S]*npm install @team\/thing@1\.0\.0</)
  assert.doesNotMatch(thing.body, /_authToken/)
  await by.put(project.url, { visibility: 'private' })
  assert.match((await owner.get(npm.web_path)).body, /_authToken=&lt;token&gt;/)
  const python = pythonForm('1.0.0')
  await by.post(`${project.url}/packages/pypi`, Buffer.from(python.content, 'latin1'), { 'content-type': python.type })
  const [{ _links: sample }] = (await by.get(`${project.url}/packages`, { package_type: 'pypi' })).body
  assert.match(
    (await owner.get(sample.web_path)).body,
    /pip install sample==1\.0\.0 --index-url [^<]*&lt;token&gt;@[^<]*\/packages\/pypi\/simple</,
  )
  await by.put(`${project.url}/packages/maven/org/example/thing/1.0/thing-1.0.jar`, Buffer.from('jar'))
  const [{ _links: maven }] = (await by.get(`${project.url}/packages`, { package_type: 'maven' })).body
  assert.match(
    (await owner.get(maven.web_path)).body,
    /&lt;groupId&gt;org\.example&lt;[\s\S]*&lt;artifactId&gt;thing&lt;[\s\S]*Private-Token/,
  )
})

test('the lines for a package of Debian name the distribution and component of a binary package', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/debian_distributions`, { codename: 'sid', components: 'main,contrib' })
  await upload(by, project, 'libthing_1.0_amd64.deb', deb('libthing', '1.0', 'Source: thing\n'), into('sid', 'contrib'))
  await upload(by, project, 'thing-udeb_1.0_amd64.udeb', deb('thing-udeb', '1.0', 'Source: thing\n'), into('sid', 'main'))
  const [{ _links }] = (await by.get(`${project.url}/packages`)).body

  const { body } = await reader.get(_links.web_path, { per_page: '1', page: '2' })

  assert.match(body, /\/packages\/debian sid contrib&quot; &gt;/)
  assert.match(body, /apt-get install libthing</)
})

test('maintainers delete a file or a package, and nobody else does', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/members`, { user_id: reader.person.id, access_level: 30 })
  await publish(project, 'tool/1.0.0/a.txt')
  await publish(project, 'tool/1.0.0/b.txt')
  const [{ id, _links }] = (await by.get(`${project.url}/packages`)).body
  const files = `${project.url}/packages/${id}/package_files`
  const [{ id: file }] = (await by.get(files)).body
  const page = _links.web_path

  assert.match((await owner.get(page)).body, /data-turbo-confirm="Delete tool 1\.0\.0 with its files\?/)
  for (const address of [`${page}/files/${file}/delete`, `${page}/delete`]) assert.equal((await reader.submit(address, {})).status, 403)
  const removed = await owner.submit(`${page}/files/${file}/delete`, {})
  assert.deepEqual([removed.status, removed.headers.location], [303, page])
  assert.deepEqual(
    (await by.get(files)).body.map(({ file_name }: { file_name: string }) => file_name),
    ['b.txt'],
  )
  assert.equal((await owner.submit(`${page}/files/${file}/delete`, {})).status, 404)
  const gone = await owner.submit(`${page}/delete`, {})
  assert.deepEqual([gone.status, gone.headers.location], [303, `/${project.full_path}/-/packages`])
  assert.deepEqual((await by.get(`${project.url}/packages`)).body, [])
  assert.equal((await owner.get(page)).status, 404)
})

test('a package that a rule protects shows no button to those whom the rule refuses', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/members`, { user_id: reader.person.id, access_level: 40 })
  await publish(project, 'tool/1.0.0/a.txt')
  const [{ _links }] = (await by.get(`${project.url}/packages`)).body
  assert.match((await reader.get(_links.web_path)).body, /\/delete"/)
  const rule = { package_type: 'generic', package_name_pattern: 'tool', minimum_access_level_for_delete: 'owner' }
  assert.equal((await by.post(`${project.url}/packages/protection/rules`, rule)).status, 201)
  assert.doesNotMatch((await reader.get(_links.web_path)).body, /\/delete"/)
  assert.match((await owner.get(_links.web_path)).body, /\/files\/\d+\/delete"/)
})

test('the packages of a group are those that the caller may read; without packages there is neither page nor tab', async () => {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project: open } = await scene.project({ owner: owner.person, group, visibility: 'public' })
  const { project: closed } = await scene.project({ owner: owner.person, group, visibility: 'private' })
  await publish(open, 'open/1.0.0/a.txt')
  await publish(closed, 'closed/1.0.0/a.txt')
  const list = `/groups/${group.full_path}/-/packages`
  assert.deepEqual(titles((await owner.get(list, { order_by: 'name', sort: 'asc' })).body), ['closed 1.0.0', 'open 1.0.0'])
  const { body } = await reader.get(list)
  assert.deepEqual(titles(body), ['open 1.0.0'])
  assert.ok(body.includes(`href="/${open.full_path}"`))
  assert.equal((await reader.get(`/${closed.full_path}/-/packages`)).status, 404)

  const tab = new RegExp(`href="/${open.full_path}/-/packages"`)
  assert.match((await reader.get(`/${open.full_path}/-/issues`)).body, tab)
  await by.put(open.url, { packages_enabled: false })
  assert.doesNotMatch((await reader.get(`/${open.full_path}/-/issues`)).body, tab)
  assert.equal((await reader.get(`/${open.full_path}/-/packages`)).status, 403)
})
