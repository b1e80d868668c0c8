import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { oddZip, zipOf } from '../../ci/artifacts/zip/scene.ts'
import { dropUnusedObjects } from '../../platform/object_store/unused.ts'
import { publishSite } from './publish.ts'
import { askSite, publish, runPagesJob, siteIn, sitesOf, withCiFile } from './scene.ts'

const scene = await openScene({ settings: { pagesUrl: 'http://pages.localhost:8090', pagesPort: '0' } })
const server = await sitesOf(scene)
const get = (host: string, path: string, headers: Record<string, string> = {}) => askSite(server, host, path, headers)

const hostOf = ({ full_path }: { readonly full_path: string }) => `${full_path.split('/')[0]?.toLowerCase()}.pages.localhost`
const pathOf = ({ full_path }: { readonly full_path: string }) => `/${full_path.split('/').slice(1).join('/')}`

test('a `pages` job becomes a site: its variables lead there, and a status says that it was published', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })

  const { job, pipeline, status } = await siteIn(scene, project, owner, { 'public/index.html': '<h1>Hello</h1>', 'README.md': 'not shown' })

  const page = await get(hostOf(project), `${pathOf(project)}/`)
  assert.deepEqual([page.status, page.text, page.headers['content-type']], [200, '<h1>Hello</h1>', 'text/html; charset=utf-8'])
  const variables = Object.fromEntries(job.variables.map(({ key, value }) => [key, value]))
  assert.equal(variables.CI_PAGES_DOMAIN, 'pages.localhost')
  assert.equal(variables.CI_PAGES_URL, `http://${hostOf(project)}:8090${pathOf(project)}`)
  assert.deepEqual([status.name, status.status, status.author.id], ['pages:deploy', 'success', owner.id])
  assert.equal((await owner.get(`${project.url}/pipelines/${pipeline.id}`)).body.status, 'success')
  const address = variables.CI_PAGES_URL as string
  const { body: about } = await owner.get(`${project.url}/pages`)
  assert.deepEqual([about.url, about.deployments.length, about.deployments[0].url], [address, 1, address])
  assert.equal((await get(hostOf(project), `${pathOf(project)}/README.md`)).status, 404, 'what is not below public/ is none of it')
  assert.equal((await get(hostOf(project), `${pathOf(project)}/../README.md`)).status, 404)
})

test('a site is files, folders, pages without an ending, and its own page for what it does not have', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(scene, project, owner, {
    'public/index.html': 'home',
    'public/docs/index.html': 'docs',
    'public/about.html': 'about',
    'public/404.html': 'not here',
    'public/a b/ü.txt': 'unusual names',
    'public/app.js': 'let plain',
    'public/app.js.br': brotliCompressSync('let plain'),
    'public/app.js.gz': gzipSync('let plain'),
  })
  const [host, base] = [hostOf(project), pathOf(project)]
  const at = (path: string, headers?: Record<string, string>) => get(host, `${base}${path}`, headers)

  const [bare, folder, page, missing, unusual] = [
    await at(''),
    await at('/docs?x=1'),
    await at('/about'),
    await at('/none'),
    await at('/a%20b/%C3%BC.txt'),
  ]
  const packed = await at('/app.js', { 'accept-encoding': 'gzip, br' })
  const gzipped = await at('/app.js', { 'accept-encoding': 'gzip' })
  const plain = await at('/app.js')

  assert.deepEqual([bare.status, bare.headers.location], [302, `${base}/`])
  assert.deepEqual([folder.status, folder.headers.location], [302, `${base}/docs/?x=1`])
  assert.equal((await at('/docs/')).text, 'docs')
  assert.deepEqual([page.status, page.text, page.headers['content-type']], [200, 'about', 'text/html; charset=utf-8'])
  assert.deepEqual([missing.status, missing.text, missing.headers['cache-control']], [404, 'not here', 'no-cache'])
  assert.deepEqual([unusual.status, unusual.text], [200, 'unusual names'])
  assert.deepEqual([packed.headers['content-encoding'], packed.headers['content-type']], ['br', 'text/javascript; charset=utf-8'])
  assert.equal(gzipped.headers['content-encoding'], 'gzip')
  assert.deepEqual([plain.headers['content-encoding'], plain.text, plain.headers.vary], [undefined, 'let plain', 'accept-encoding'])
  assert.notEqual(plain.headers.etag, packed.headers.etag)
})

test('parts of files, HEAD, and nothing where the client has it', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  const content = `${'x'.repeat(50_000)}the end`
  await siteIn(scene, project, owner, { 'public/a.bin': content })
  const at = (headers: Record<string, string> = {}) => get(hostOf(project), `${pathOf(project)}/a.bin`, headers)

  const whole = await at()
  const [part, beyond, head] = [await at({ range: 'bytes=50000-' }), await at({ range: 'bytes=50007-' }), await at({ method: 'HEAD' })]
  const etag = whole.headers.etag as string

  assert.deepEqual([whole.status, whole.text, whole.headers['content-type']], [200, content, 'application/octet-stream'])
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'the end', 'bytes 50000-50006/50007'])
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */50007'])
  assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, '50007'])
  assert.equal((await at({ 'if-none-match': etag })).status, 304)
  assert.equal((await at({ 'if-modified-since': whole.headers['last-modified'] as string })).status, 304)
  assert.equal((await at({ range: 'bytes=0-0', 'if-range': '"another"' })).status, 200)
  assert.equal((await at({ method: 'POST' })).status, 405)
})

test('a project that is called as the host of its group is at the root, and others are below it', async () => {
  const { group, owner } = await scene.group()
  const make = async (path: string) => {
    const { body } = await owner.post('/projects', { name: path, path, namespace_id: group.id, visibility: 'private' })
    const project = { ...body, url: `/projects/${body.id}`, full_path: body.path_with_namespace }
    await owner.put(project.url, { pages_access_level: 'public' })
    return project
  }
  const root = await make(`${group.path}.pages.localhost`)
  const other = await make('other')
  await siteIn(scene, root, owner, { 'public/index.html': 'root', 'public/other/index.html': 'of the root' })
  const host = hostOf(root)

  assert.equal((await get(host, '/other/')).text, 'of the root')
  await siteIn(scene, other, owner, { 'public/index.html': 'other' })
  assert.equal((await get(host, '/other/')).text, 'other')
  assert.equal((await get(host, '/')).text, 'root')
  assert.equal((await get(host.toUpperCase(), '/OTHER/')).text, 'other', 'in any case of letters')

  await owner.put(other.url, { path: 'renamed' })
  assert.equal((await get(host, '/renamed/')).text, 'other', 'it moves with its project')
  assert.equal((await get(host, '/other/')).text, 'of the root')
})

test('who sees a site follows from its level and the visibility of the project', async () => {
  const { project, owner } = await scene.project({ visibility: 'private' })
  await siteIn(scene, project, owner, { 'public/index.html': 'secret' })
  const statusWith = async (changes: object) => {
    await owner.put(project.url, changes)
    return (await get(hostOf(project), `${pathOf(project)}/`)).status
  }

  assert.equal(await statusWith({ pages_access_level: 'private' }), 404)
  assert.equal(await statusWith({ pages_access_level: 'enabled' }), 404)
  assert.equal(await statusWith({ pages_access_level: 'public' }), 200)
  assert.equal(await statusWith({ pages_access_level: 'disabled' }), 404)
  assert.equal(await statusWith({ visibility: 'public', pages_access_level: 'enabled' }), 200)
  assert.equal(await statusWith({ pages_access_level: 'private' }), 404, 'for members alone, although the project is public')
})

test('what cannot be published says why, and the site that there is stays', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(scene, project, owner, { 'public/index.html': 'first' })

  const without = await publish(scene, project, owner, undefined)
  const elsewhere = await publish(scene, project, owner, await zipOf({ 'dist/index.html': 'x' }))
  await scene.root.put('/application/settings', { max_pages_size: 1 })
  const large = await publish(scene, project, owner, await zipOf({ 'public/large.txt': 'x'.repeat(1024 * 1024 + 1) }))
  await scene.root.put('/application/settings', { max_pages_size: 100 })
  const { job, waiting } = await runPagesJob(scene, project, owner, await zipOf({ 'public/index.html': 'late' }))
  await scene.commit(project, { 'README.md': 'newer' })
  await publishSite(scene.deps, { job_id: job.id, status_id: waiting?.id as number })

  assert.deepEqual([without.status.status, without.status.description], ['failed', 'missing pages artifacts'])
  assert.equal(elsewhere.status.description, 'pages miss the public folder')
  assert.equal(large.status.description, `artifacts for pages are too large: ${1024 * 1024 + 1}`)
  assert.equal((await owner.get(`${project.url}/pipelines/${large.pipeline.id}`)).body.status, 'failed')
  const late = await scene.deps.database.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', waiting?.id as number)
    .executeTakeFirstOrThrow()
  assert.deepEqual([late.status, late.allow_failure, late.description], ['failed', true, 'build SHA is outdated for this ref'])
  assert.equal((await get(hostOf(project), `${pathOf(project)}/`)).text, 'first')
})

test('nothing is published for a user who was blocked meanwhile, nor where the status has ended', async () => {
  const { project, owner } = await scene.project({ visibility: 'public', members: ['developer'] })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await withCiFile(scene, project)
  const archive = await zipOf({ 'public/index.html': 'x' })
  const canceled = await runPagesJob(scene, project, owner, archive)
  const ended = { name: 'pages:deploy', state: 'canceled', pipeline_id: canceled.pipeline.id }
  assert.equal((await owner.post(`${project.url}/statuses/${canceled.pipeline.sha}`, ended)).status, 201)
  await publishSite(scene.deps, { job_id: canceled.job.id, status_id: canceled.waiting?.id as number })
  const blocked = await runPagesJob(scene, project, owner, archive)
  await scene.root.post(`/users/${owner.id}/block`)
  await publishSite(scene.deps, { job_id: blocked.job.id, status_id: blocked.waiting?.id as number })

  assert.equal((await get(hostOf(project), `${pathOf(project)}/`)).status, 404)
})

test('the archive of a site is counted, outlives its artifact, and goes with the site', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  const size = async () => (await owner.get(project.url, { statistics: true })).body.statistics.job_artifacts_size
  const { job } = await siteIn(scene, project, owner, { 'public/index.html': 'kept' })
  const both = await size()

  await owner.delete(`${project.url}/jobs/${job.id}/artifacts`)
  await dropUnusedObjects({ ...scene.deps, now: () => new Date(Date.now() + 86_400_000) })

  assert.equal(await size(), both / 2)
  assert.equal((await get(hostOf(project), `${pathOf(project)}/`)).text, 'kept')
  assert.equal((await owner.delete(`${project.url}/pages`)).status, 403, 'Maintainers and owners remove it on its page')
  assert.equal((await scene.root.delete(`${project.url}/pages`)).status, 204)
  assert.equal((await scene.root.delete(`${project.url}/pages`)).status, 204, 'also where there is none')
  assert.equal(await size(), 0)
  assert.equal((await get(hostOf(project), `${pathOf(project)}/`)).status, 404)
})

test('no path leads out of a site, to another host, or to what is no file', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  const link = { name: 'public/link', content: '../secret.txt', says: { unixMode: 0o120777 } }
  await withCiFile(scene, project)
  const odd = oddZip([
    { name: 'secret.txt', content: 'secret' },
    { name: 'public/index.html', content: 'home' },
    link,
    { name: 'public/../up.txt', content: 'climbed' },
    { name: 'public//evil.example/index.html', content: 'elsewhere' },
    { name: 'public/long.txt', content: 'short', says: { size: 4_000_000_000 } },
  ])
  assert.equal((await publish(scene, project, owner, odd)).status.status, 'failed', 'a size that lies is counted as it says')
  const { status } = await publish(
    scene,
    project,
    owner,
    oddZip([
      { name: 'secret.txt', content: 'secret' },
      { name: 'public/index.html', content: 'home' },
      link,
      { name: 'public/../up.txt', content: 'climbed' },
      { name: 'public//evil.example/index.html', content: 'elsewhere' },
    ]),
  )
  assert.equal(status.status, 'success')
  const base = pathOf(project)

  const paths = [
    '/link',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/../up.txt',
    '/%00',
    '/%ff',
    '//evil.example',
    '/%2Fevil.example',
    '/.',
    '/./index.html',
  ]
  for (const path of paths) {
    const answer = await get(hostOf(project), base + path)
    assert.deepEqual([path, answer.status, answer.headers.location], [path, 404, undefined])
  }
  for (const path of ['//evil.example/', '/\\evil.example', 'http://evil.example/', '*'])
    assert.equal((await get(hostOf(project), path)).status, 404, path)
})

test('no other host is answered, and the instance does not answer on hosts of sites', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(scene, project, owner, { 'public/index.html': 'home' })
  const [host, path] = [hostOf(project), `${pathOf(project)}/`]

  for (const other of [
    'pages.localhost',
    'localhost',
    '127.0.0.1',
    `${host}.`,
    `x.${host}`,
    `${host}.example.com`,
    '.pages.localhost',
    '%2e.pages.localhost',
  ])
    assert.equal((await get(other, path)).status, 404, other)
  assert.equal((await get(`${host}:1234`, path)).status, 200, 'a proxy may have another port')
  assert.equal((await askSite({ port: Number(new URL(scene.url).port) }, host, '/users/sign_in')).status, 404)
  assert.equal((await askSite({ port: Number(new URL(scene.url).port) }, 'pages.localhost', '/')).status, 404)
})

test('a file whose bytes are lost is a plain 404, with no header of the file', async () => {
  const failing = await openScene({ settings: { pagesUrl: 'http://pages.localhost:8090', pagesPort: '0' }, failuresExpected: true })
  const sites = await sitesOf(failing)
  const { project, owner } = await failing.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(failing, project, owner, { 'public/app.js': 'let plain', 'public/app.js.gz': gzipSync('let plain') })
  const at = () => askSite(sites, hostOf(project), `${pathOf(project)}/app.js`, { 'accept-encoding': 'gzip' })
  assert.equal((await at()).status, 200)
  const { db } = failing.deps.database
  const { key } = await db
    .selectFrom('project_sites')
    .innerJoin('stored_objects', 'stored_objects.id', 'project_sites.object_id')
    .select('stored_objects.key')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  await failing.deps.objects.delete([key])

  const lost = await at()
  const { 'content-encoding': encoding, etag, 'cache-control': kept } = lost.headers
  assert.deepEqual([lost.status, encoding, etag, kept], [404, undefined, undefined, 'no-store'])
})
