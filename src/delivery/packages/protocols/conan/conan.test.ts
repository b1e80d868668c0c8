/** The registry of Conan as it comes over the wire: the requests are those that the clients of both generations send. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { buildInfoOf } from './info.ts'

const scene = await openScene()

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

const digest = (name: string, bytes: Buffer | string) => createHash(name).update(bytes).digest('hex')

const PACKAGE = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
const INFO = '[settings]\nos=Linux\ncompiler.version=12\n[options]\nshared=False\n[requires]\nzlib/1.2.Z\n'

const v1 = ({ url }: Pick<SceneProject, 'url'>, recipe = 'thing/1.0.0/team/stable') => `${url}/packages/conan/v1/conans/${recipe}`
const filesOf = ({ url }: Pick<SceneProject, 'url'>, recipe = 'thing/1.0.0/team/stable') => `${url}/packages/conan/v1/files/${recipe}`
const v2 = ({ url }: Pick<SceneProject, 'url'>, recipe = 'thing/1.0.0/_/_') => `${url}/packages/conan/v2/conans/${recipe}`

const send = (client: Client, path: string, content: string, sha1 = digest('sha1', content)) =>
  client.request('PUT', path, { body: Buffer.from(content), headers: { 'x-checksum-sha1': sha1 } })

/** Uploads a recipe and a package of it as Conan 2 does. */
async function uploadRevision(client: Client, project: SceneProject, revision: string, packageRevision: string, content: string) {
  const at = `${v2(project)}/revisions/${revision}`
  const packaged = `${at}/packages/${PACKAGE}/revisions/${packageRevision}`
  for (const path of [`${at}/files/conanfile.py`, `${at}/files/conanmanifest.txt`, `${packaged}/files/conan_package.tgz`])
    assert.equal((await send(client, path, content)).status, 200, path)
  assert.equal((await send(client, `${packaged}/files/conaninfo.txt`, INFO)).status, 200)
  assert.equal((await send(client, `${packaged}/files/conanmanifest.txt`, content)).status, 200)
}

test('Conan signs in by trading a password for a token, which ends with it', async () => {
  const { project, owner } = await scene.project()
  const at = `${project.url}/packages/conan`
  const ping = await scene.anonymous.get(`${at}/v1/ping`)
  assert.equal(ping.status, 401)
  assert.match(ping.headers['www-authenticate'] ?? '', /^Basic /)
  const pinged = await owner.get(`${at}/v1/ping`)
  assert.deepEqual([pinged.status, pinged.headers['x-conan-server-capabilities']], [200, 'revisions'])
  assert.equal((await scene.anonymous.get('/packages/conan/v1/ping')).headers['x-conan-server-capabilities'], '')
  for (const base of [`${at}/v1`, `${at}/v2`, '/packages/conan/v1']) {
    assert.equal((await scene.anonymous.get(`${base}/users/authenticate`)).status, 401)
    const answer = await basic(owner.username, owner.token).get(`${base}/users/authenticate`)
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain'])
    const bearer = scene.as({ authorization: `Bearer ${answer.body}` })
    const checked = await bearer.get(`${base}/users/check_credentials`)
    assert.deepEqual([checked.status, checked.body], [200, 'ok'])
    assert.equal((await bearer.get(`${at}/v1/ping`)).status, 200)
    // It is no token of the API, and one that was changed is none.
    assert.equal((await bearer.get(project.url)).status, 401)
    const forged = scene.as({ authorization: `Bearer ${answer.body.slice(0, -2)}AA` })
    assert.equal((await forged.get(`${base}/users/check_credentials`)).status, 401)
  }
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['read_package_registry'] })).body
  const { body } = await basic(token.username, token.token).get(`${at}/v1/users/authenticate`)
  const reader = scene.as({ authorization: `Bearer ${body}` })
  assert.equal((await reader.get(`${at}/v2/conans/search`)).status, 200)
  assert.equal((await send(reader, `${filesOf(project)}/0/export/conanfile.py`, 'a')).status, 403)
  await owner.delete(`${project.url}/deploy_tokens/${token.id}`)
  assert.equal((await reader.get(`${at}/v2/conans/search`)).status, 401)
})

test('a recipe and its package are uploaded, compared, listed, downloaded and deleted without revisions', async () => {
  const { project, owner, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  assert.deepEqual((await developer.get(v1(project))).body, {})
  assert.equal((await developer.get(`${v1(project)}/digest`)).status, 404)
  const asked = { 'conanfile.py': 1, 'conanmanifest.txt': 2, '../evil': 3 }
  const urls = (await developer.post(`${v1(project)}/upload_urls`, asked)).body
  const base = `${scene.url}/api/v4${filesOf(project)}`
  assert.deepEqual(urls, {
    'conanfile.py': `${base}/0/export/conanfile.py`,
    'conanmanifest.txt': `${base}/0/export/conanmanifest.txt`,
  })
  const packageUrls = (await developer.post(`${v1(project)}/packages/${PACKAGE}/upload_urls`, { 'conaninfo.txt': 1, 'conanfile.py': 1 }))
    .body
  assert.deepEqual(packageUrls, { 'conaninfo.txt': `${base}/0/package/${PACKAGE}/0/conaninfo.txt` })
  const at = `${filesOf(project)}/0`
  // The client asks first whether the bytes are there already, and sends them when they are not.
  const deploy = { body: Buffer.from(''), headers: { 'x-checksum-deploy': 'true', 'x-checksum-sha1': digest('sha1', 'recipe') } }
  assert.equal((await developer.request('PUT', `${at}/export/conanfile.py`, deploy)).status, 404)
  assert.deepEqual((await developer.get(`${project.url}/packages`)).body, [])
  const sent = await send(developer, `${at}/export/conanfile.py`, 'recipe')
  assert.deepEqual([sent.status, sent.body.file_name, sent.body.file_sha1], [200, 'conanfile.py', digest('sha1', 'recipe')])
  await send(developer, `${at}/export/conanmanifest.txt`, 'manifest')
  await send(developer, `${at}/package/${PACKAGE}/0/conaninfo.txt`, INFO)
  await send(developer, `${at}/package/${PACKAGE}/0/conanmanifest.txt`, 'packaged')
  assert.deepEqual((await developer.get(v1(project))).body, {
    'conanfile.py': digest('md5', 'recipe'),
    'conanmanifest.txt': digest('md5', 'manifest'),
  })
  assert.deepEqual(Object.keys((await developer.get(`${v1(project)}/packages/${PACKAGE}`)).body), ['conaninfo.txt', 'conanmanifest.txt'])
  for (const last of ['digest', 'download_urls']) {
    assert.deepEqual((await developer.get(`${v1(project)}/${last}`)).body, urls)
    const { body } = await developer.get(`${v1(project)}/packages/${PACKAGE}/${last}`)
    assert.equal(body['conaninfo.txt'], `${base}/0/package/${PACKAGE}/0/conaninfo.txt`)
  }
  assert.equal((await developer.get(`${v1(project)}/packages/${'f'.repeat(40)}/digest`)).status, 404)
  // The file that came last is the one of its name.
  await send(developer, `${at}/export/conanfile.py`, 'changed')
  assert.equal((await developer.get(`${at}/export/conanfile.py`)).body.toString(), 'changed')
  assert.equal((await developer.get(`${at}/package/${PACKAGE}/0/conaninfo.txt`)).body.toString(), INFO)
  assert.equal((await developer.get(`${at}/package/${PACKAGE}/0/conan_package.tgz`)).status, 404)
  const infos = (await developer.get(`${v1(project)}/search`)).body
  assert.deepEqual(infos[PACKAGE].settings, { os: 'Linux', 'compiler.version': '12' })
  const [listed] = (await developer.get(`${project.url}/packages`, { package_type: 'conan' })).body
  assert.deepEqual([listed.name, listed.conan_package_name, listed.version], ['thing/1.0.0@team/stable', 'thing', '1.0.0'])
  assert.equal((await developer.delete(v1(project))).status, 403)
  assert.equal((await maintainer.post(`${v1(project)}/packages/delete`, { package_ids: ['f'.repeat(40)] })).status, 404)
  assert.equal((await maintainer.post(`${v1(project)}/packages/delete`, { package_ids: [PACKAGE] })).status, 200)
  assert.deepEqual((await developer.get(`${v1(project)}/search`)).body, {})
  const deleted = await maintainer.delete(v1(project))
  assert.deepEqual([deleted.status, deleted.body.id, deleted.body.creator_id], [200, listed.id, developer.id])
  assert.equal((await maintainer.delete(v1(project))).status, 404)
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
})

test('revisions are listed newest first once they are complete, and are deleted one by one with what is theirs', async () => {
  const { project, owner } = await scene.project()
  const [first, second] = ['a'.repeat(32), 'b'.repeat(32)]
  assert.equal((await owner.get(`${v2(project)}/latest`)).status, 404)
  await send(owner, `${v2(project)}/revisions/${first}/files/conanfile.py`, 'cut off')
  assert.equal((await owner.get(`${v2(project)}/latest`)).status, 404)
  await uploadRevision(owner, project, first, 'c'.repeat(32), 'one')
  await uploadRevision(owner, project, second, 'd'.repeat(32), 'two')
  await uploadRevision(owner, project, second, 'e'.repeat(32), 'three')
  const latest = (await owner.get(`${v2(project)}/latest`)).body
  assert.equal(latest.revision, second)
  assert.match(latest.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  const { reference, revisions } = (await owner.get(`${v2(project)}/revisions`)).body
  assert.deepEqual([reference, revisions.map((each: { revision: string }) => each.revision)], ['thing/1.0.0', [second, first]])
  const at = `${v2(project)}/revisions/${second}`
  const packaged = `${at}/packages/${PACKAGE}`
  assert.equal((await owner.get(`${packaged}/latest`)).body.revision, 'e'.repeat(32))
  const ofPackage = (await owner.get(`${packaged}/revisions`)).body
  assert.equal(ofPackage.reference, `thing/1.0.0#${second}:${PACKAGE}`)
  assert.equal(ofPackage.revisions.length, 2)
  assert.deepEqual((await owner.get(`${at}/files`)).body, { files: { 'conanfile.py': {}, 'conanmanifest.txt': {} } })
  const newest = `${packaged}/revisions/${'e'.repeat(32)}`
  assert.deepEqual(Object.keys((await owner.get(`${newest}/files`)).body.files), [
    'conan_package.tgz',
    'conaninfo.txt',
    'conanmanifest.txt',
  ])
  assert.equal((await owner.get(`${newest}/files/conan_package.tgz`)).body.toString(), 'three')
  assert.equal((await owner.get(`${v2(project)}/revisions/${first}/files/conanfile.py`)).body.toString(), 'one')
  for (const search of [`${at}/search`, `${v2(project)}/search`]) assert.equal((await owner.get(search)).body[PACKAGE].content, INFO)
  // Clients without revisions see the newest.
  const { body } = await owner.get(`${v1(project, 'thing/1.0.0/_/_')}/download_urls`)
  assert.equal(body['conanfile.py'], `${scene.url}/api/v4${filesOf(project, 'thing/1.0.0/_/_')}/${second}/export/conanfile.py`)
  assert.equal((await owner.delete(newest)).status, 200)
  assert.equal((await owner.delete(newest)).status, 404)
  assert.equal((await owner.get(`${packaged}/latest`)).body.revision, 'd'.repeat(32))
  assert.equal((await owner.delete(`${at}/packages`)).status, 200)
  assert.equal((await owner.get(`${packaged}/latest`)).status, 404)
  assert.equal((await owner.get(`${at}/files`)).status, 200)
  assert.equal((await owner.delete(at)).status, 200)
  assert.equal((await owner.get(`${v2(project)}/latest`)).body.revision, first)
  assert.equal((await owner.delete(`${v2(project)}/revisions/${first}`)).status, 200)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
})

test('a search finds recipes by patterns of their beginnings, and in the instance those alone that can be installed there', async () => {
  const { project, owner } = await scene.project()
  const user = project.full_path.replaceAll('/', '+')
  for (const recipe of ['thing/1.0.0/team/stable', 'thing/1.1.0/_/_', 'Other_one/2.0/team/beta', `thing/1.0.0/${user}/stable`])
    assert.equal((await send(owner, `${filesOf(project, recipe)}/0/export/conanmanifest.txt`, recipe)).status, 200)
  const search = async (client: Client, params: Record<string, string | boolean>, base = `${project.url}/packages/conan/v1`) =>
    (await client.get(`${base}/conans/search`, params)).body.results as string[]
  assert.deepEqual(await search(owner, { q: 'thing/1.1*' }), ['thing/1.1.0'])
  assert.deepEqual(await search(owner, { q: 'other?one' }), ['Other_one/2.0@team/beta'])
  assert.deepEqual(await search(owner, { q: 'other?one', ignorecase: false }), [])
  assert.deepEqual(await search(owner, { q: 'thing/1.0.0@team/stable' }), ['thing/1.0.0@team/stable'])
  // What LIKE would take for patterns stands for itself.
  assert.deepEqual(await search(owner, { q: 'thin_' }), [])
  assert.deepEqual(await search(owner, { q: '%' }), [])
  assert.equal((await search(owner, {})).length, 4)
  const everywhere = '/packages/conan/v1'
  assert.deepEqual(await search(owner, { q: 'thing*' }, everywhere), [`thing/1.0.0@${user}/stable`])
  assert.deepEqual(await search(await scene.user(), { q: 'thing*' }, everywhere), [])
  assert.deepEqual(await search(scene.anonymous, { q: 'thing*' }, everywhere), [])
})

test('in the registry of the instance the user of a recipe is the path of its project', async () => {
  const { project, owner } = await scene.project()
  const user = project.full_path.replaceAll('/', '+')
  const instance = { url: '' }
  const at = `${filesOf(instance, `thing/1.0.0/${user}/stable`)}/0/export/conanmanifest.txt`
  assert.equal((await send(owner, at, 'manifest')).status, 200)
  const urls = (await owner.get(`${v1(instance, `thing/1.0.0/${user}/stable`)}/download_urls`)).body
  assert.deepEqual(urls, { 'conanmanifest.txt': `${scene.url}/api/v4${at}` })
  assert.equal((await owner.get(at)).body.toString(), 'manifest')
  const outsider = await scene.user()
  assert.equal((await outsider.get(at)).status, 404)
  assert.equal((await scene.anonymous.get(at)).status, 401)
  for (const other of ['_', 'team', String(project.id), 'no+where'])
    assert.equal(
      (await send(owner, `${filesOf(instance, `thing/1.0.0/${other}/stable`)}/0/export/conanmanifest.txt`, 'a')).status,
      404,
      other,
    )
  await owner.put(project.url, { packages_enabled: false })
  assert.equal((await owner.get(at)).status, 403)
})

test('what is no recipe, no file of one, or not what it says is refused, and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const at = `${filesOf(project)}/0/export`
  const lying = await send(owner, `${at}/conanfile.py`, 'recipe', digest('sha1', 'another'))
  assert.deepEqual([lying.status, lying.body], [400, { message: '400 Bad request - The sha1 of the file is not the one announced' }])
  assert.equal((await send(owner, `${at}/evil.sh`, 'a')).status, 400)
  for (const recipe of [
    't/1.0.0/team/stable',
    'th%20ing/1.0.0/team/stable',
    `${'t'.repeat(129)}/1.0.0/team/stable`,
    '..%2F/1.0.0/team/stable',
  ])
    assert.equal((await send(owner, `${filesOf(project, recipe)}/0/export/conanfile.py`, 'a')).status, 404, recipe)
  assert.equal((await send(owner, `${filesOf(project, 'thing/1.0.0/_/stable')}/0/export/conanfile.py`, 'a')).status, 400)
  assert.equal((await send(owner, `${filesOf(project, 'thing/1.0.0/team/_')}/0/export/conanfile.py`, 'a')).status, 400)
  const info = `${filesOf(project)}/0/package/${PACKAGE}/0/conaninfo.txt`
  assert.equal((await send(owner, info, `[settings]\0`)).status, 400)
  assert.equal((await send(owner, info, ' '.repeat(16_385))).status, 400)
  for (const body of ['[]', '{', '"a"']) {
    const { status } = await owner.request('POST', `${v1(project)}/upload_urls`, { body: Buffer.from(body) })
    assert.equal(status, 400, body)
  }
  await scene.root.put('/application/plan_limits', { plan_name: 'default', conan_max_file_size: 3 })
  assert.equal((await send(owner, `${at}/conanfile.py`, 'four')).status, 400)
  await scene.root.put('/application/plan_limits', { plan_name: 'default', conan_max_file_size: 3_221_225_472 })
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('a project that is full takes no file, by whichever address', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const inInstance = filesOf({ url: '' }, `thing/1.0.0/${project.full_path.replaceAll('/', '+')}/stable`)
  const revision = `${v2(project)}/revisions/${digest('md5', 'a')}`
  for (const at of [
    `${filesOf(project)}/0/export/conanfile.py`,
    `${filesOf(project)}/0/package/${PACKAGE}/0/conan_package.tgz`,
    `${inInstance}/0/export/conanfile.py`,
    `${inInstance}/0/package/${PACKAGE}/0/conan_package.tgz`,
    `${revision}/files/conanfile.py`,
    `${revision}/packages/${PACKAGE}/revisions/${digest('md5', 'b')}/files/conan_package.tgz`,
  ])
    assert.equal((await send(owner, at, 'a'.repeat(1_100_000))).status, 413, at)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('two uploads of one recipe concurrently make one package, and a job is named with it', async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  const client = basic('gitlab-ci-token', job.token)
  const files = ['conanfile.py', 'conanmanifest.txt', 'conan_sources.tgz', 'conan_export.tgz']
  const answers = await Promise.all(files.map(file => send(client, `${filesOf(project)}/0/export/${file}`, file)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const listed = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.length, listed[0].pipeline.id], [1, job.pipelineId])
  assert.equal(Object.keys((await owner.get(v1(project))).body).length, 4)
})

test('many packages are listed, and a conaninfo from before there was a limit says nothing', async () => {
  const { project, owner } = await scene.project()
  const references = Array.from({ length: 120 }, (_, at) => `ref${String(at).padStart(3, '0')}`)
  const folder = `${filesOf(project)}/0`
  for (const reference of references) assert.equal((await send(owner, `${folder}/package/${reference}/0/conaninfo.txt`, INFO)).status, 200)
  await send(owner, `${folder}/export/conanmanifest.txt`, 'recipe')
  await sql`
    update package_files set size = 200000, metadata = json_build_object('content', repeat(E'a=b\n', 50000))
    where channel = '0/package/ref000/0' and package_id in (select id from packages where project_id = ${project.id})`.execute(
    scene.deps.database.db,
  )
  for (const at of [`${v1(project)}/search`, `${v2(project, 'thing/1.0.0/team/stable')}/revisions/0/search`]) {
    const answer = await owner.get(at)
    assert.deepEqual([answer.headers['content-type'], Object.keys(answer.body)], ['application/json', references], at)
    assert.deepEqual(answer.body.ref000, { settings: {}, options: {}, requires: {}, content: '' })
    assert.deepEqual(answer.body.ref119, buildInfoOf(INFO))
  }
})

test('a conaninfo of either generation is read', () => {
  assert.deepEqual(buildInfoOf(INFO), {
    settings: { os: 'Linux', 'compiler.version': '12' },
    options: { shared: 'False' },
    requires: { 'zlib/1.2.Z': null },
    content: INFO,
  })
  assert.equal(buildInfoOf('[recipe_hash]\n    abc\n[env]\n').recipe_hash, 'abc')
})
