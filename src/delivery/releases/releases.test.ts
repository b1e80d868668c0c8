import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { endpoints } from '../../server/endpoints.ts'
import { collectEvidence } from './evidences/commands.ts'

const scene = await openScene()

async function world(visibility: 'private' | 'public' = 'private') {
  const { project, developer, guest, maintainer } = await scene.project({ visibility, members: ['developer', 'guest', 'maintainer'] })
  const commit = await scene.commit(project, { a: '1' }, { message: 'First' })
  return { project, developer, guest, maintainer, commit, url: `${project.url}/releases` }
}

const evidenceOf = async (project: SceneProject, tag: string) => {
  const { db } = scene.deps.database
  const { id } = await db
    .selectFrom('releases')
    .select('id')
    .where('project_id', '=', project.id)
    .where('tag', '=', tag)
    .executeTakeFirstOrThrow()
  await collectEvidence(scene.deps, { release_id: id })
}

test('a release makes its tag of `ref`, and is shown with commit, sources, links and milestones (releases API)', async () => {
  const { project, developer, commit, url } = await world()
  const milestone = (await developer.post(`${project.url}/milestones`, { title: 'One' })).body
  const issue = (await developer.post(`${project.url}/issues`, { title: 'Done', milestone_id: milestone.id })).body
  await developer.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })

  const made = await developer.post(url, {
    tag_name: 'rel/1.0',
    ref: 'main',
    description: '**Bold**',
    milestones: ['One'],
    assets: { links: [{ name: 'Linux', url: 'https://example.com/x', filepath: '/bin/linux', link_type: 'package' }] },
  })

  assert.equal(made.status, 201)
  const page = `${scene.url}/${project.full_path}/-/releases/rel%2F1.0`
  const { commit: shown, author, milestones, created_at, released_at, assets, _links, ...rest } = made.body
  assert.deepEqual(rest, {
    name: 'rel/1.0',
    tag_name: 'rel/1.0',
    description: '**Bold**',
    upcoming_release: false,
    commit_path: `/${project.full_path}/-/commit/${commit}`,
    tag_path: `/${project.full_path}/-/tags/rel%2F1.0`,
    evidences: [],
  })
  assert.equal(created_at, released_at)
  assert.equal(shown.id, commit)
  assert.equal(author.id, developer.id)
  assert.deepEqual([milestones[0].id, milestones[0].issue_stats], [milestone.id, { total: 1, closed: 1 }])
  assert.equal(_links.self, page)
  assert.equal(_links.edit_url, `${page}/edit`)
  assert.equal(assets.count, 5)
  const [{ id: _, ...link }] = assets.links
  assert.deepEqual(link, {
    name: 'Linux',
    url: 'https://example.com/x',
    direct_asset_url: `${page}/downloads/bin/linux`,
    external: true,
    link_type: 'package',
  })
  assert.equal((await developer.get(`${project.url}/repository/tags/rel%2F1.0`)).body.release.description, '**Bold**')
  assert.deepEqual((await developer.get(`${url}/rel%2F1.0`)).body, made.body)
})

test('the sources of a release can be downloaded where it says, in every format', async () => {
  const { developer, url } = await world()
  const { assets } = (await developer.post(url, { tag_name: 'a/b', ref: 'main' })).body
  for (const { url: address, format } of assets.sources) {
    const answer = await developer.request('GET', address)
    assert.equal(answer.status, 200, `${format}: ${JSON.stringify(answer.body)}`)
  }
})

test('a release is refused in the words of the public API', async () => {
  const { developer, guest, maintainer, project, url } = await world()
  await developer.post(url, { tag_name: 'v1', ref: 'main' })
  await maintainer.post(`${project.url}/protected_tags`, { name: 'safe*', create_access_level: 40 })
  const refusals: [body: object, status: number, message: unknown][] = [
    [{ tag_name: 'v1' }, 409, 'Release already exists'],
    [{ tag_name: 'v2' }, 422, 'Ref is not specified'],
    [{ tag_name: 'v2', ref: 'gone' }, 400, 'Target gone is invalid'],
    [{ tag_name: 'v2', ref: 'main', milestones: ['x', 'y'] }, 400, 'Milestone(s) not found: x, y'],
    [{ tag_name: 'safe-1', ref: 'main' }, 403, '403 Forbidden - You are not allowed to create this tag as it is protected.'],
    [{ ref: 'main' }, 400, '400 (Bad request) "tag_name" not given'],
    [
      { tag_name: 'v2', ref: 'main', assets: { links: [{ name: 'a', url: 'javascript:1' }] } },
      400,
      { 'assets[links][0][url]': ['is blocked: Only allowed schemes are http, https, ftp'] },
    ],
  ]
  for (const [body, status, message] of refusals)
    assert.deepEqual(await developer.post(url, body), { status, body: { message } }, JSON.stringify(body))
  assert.equal((await developer.get(`${project.url}/repository/tags/v2`)).status, 404, 'a refused release leaves no tag')
  assert.equal((await guest.post(url, { tag_name: 'v2', ref: 'main' })).status, 403)
})

test('what belongs to the release of a protected tag is changed by those alone who may create the tag', async () => {
  const { developer, maintainer, project, url } = await world()
  await maintainer.post(url, { tag_name: 'safe-1', ref: 'main' })
  const link = (await maintainer.post(`${url}/safe-1/assets/links`, { name: 'it', url: 'https://good.example/it', filepath: '/it' })).body
  await maintainer.post(`${project.url}/protected_tags`, { name: 'safe*', create_access_level: 40 })
  const below = endpoints.filter(({ method, path }) => method !== 'GET' && path.startsWith('/projects/:id/releases/:tag_name'))
  const body = { name: 'other', url: 'https://evil.example/it' }

  for (const { method, path } of below) {
    const address = path.replace(':id', String(project.id)).replace(':tag_name', 'safe-1').replace(':link_id', String(link.id))
    assert.equal((await developer.request(method, address, { body })).status, 403, `${method} ${path}`)
  }
  assert.ok(below.length >= 6)
  assert.deepEqual((await maintainer.get(`${url}/safe-1/assets/links`)).body, [link])
})

test('a guest of a private project sees a release without its tag, commit and sources (decision 9)', async () => {
  const { developer, guest, url } = await world()
  const { assets } = (await developer.post(url, { tag_name: 'v1', ref: 'main', name: 'Secret' })).body
  assert.equal(assets.count, 4)

  const [seen] = (await guest.get(url)).body

  assert.match(seen.name, /^Release-\d+$/)
  assert.deepEqual(
    ['tag_name', 'commit', 'commit_path', 'tag_path', 'evidences'].filter(key => key in seen),
    [],
  )
  assert.deepEqual([seen.assets, seen._links], [{ count: 0, links: [] }, {}])
  for (const path of ['/v1', '/permalink/latest', '/permalink/latest/assets/links'])
    assert.equal((await guest.get(`${url}${path}`)).status, 403, path)
  assert.equal((await developer.get(`${url}/permalink/latest`)).status, 302)
})

test('anybody reads the releases of a public project (decision 9), HTML where it is asked for', async () => {
  const { developer, project, url } = await world('public')
  await developer.post(url, { tag_name: 'v1', ref: 'main', description: '*one*' })

  const [plain] = (await scene.anonymous.get(url)).body
  const [withHtml] = (await scene.anonymous.get(url, { include_html_description: true })).body

  assert.equal(plain.tag_name, 'v1')
  assert.equal('description_html' in plain, false)
  assert.match(withHtml.description_html, /<em>one<\/em>/)
  assert.equal(plain._links.edit_url, undefined)
  assert.equal((await scene.anonymous.get(`${project.url}/releases/v1`)).status, 200)
})

test('releases are listed by the time they came about or were entered, and lead to the newest', async () => {
  const { developer, project, url } = await world()
  await developer.post(url, { tag_name: 'old', ref: 'main', released_at: '2019-01-01T00:00:00Z' })
  await developer.post(url, { tag_name: 'new', ref: 'main', released_at: '2020-01-01T00:00:00Z' })
  await developer.post(url, { tag_name: 'older', ref: 'main', released_at: '2018-01-01T00:00:00Z' })
  await developer.post(url, { tag_name: 'next', ref: 'main', released_at: '2999-01-01T00:00:00Z' })
  const tags = async (query = {}) => (await developer.get(url, query)).body.map((release: { tag_name: string }) => release.tag_name)

  assert.deepEqual(await tags(), ['next', 'new', 'old', 'older'])
  assert.deepEqual(await tags({ order_by: 'created_at', sort: 'asc' }), ['old', 'new', 'older', 'next'])
  assert.equal((await developer.get(`${url}/next`)).body.upcoming_release, true)
  const latest = await developer.get(`${url}/permalink/latest/assets/links?per_page=2`)
  assert.deepEqual(
    [latest.status, latest.headers.location],
    [302, `${scene.url}/api/v4${project.url}/releases/new/assets/links?per_page=2`],
  )
})

test('the releases of a group are those of its projects that the reader may see', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const shown: string[] = []
  for (const [path, visibility] of [
    ['open', 'public'],
    ['closed', 'private'],
  ] as const) {
    const { project } = await scene.project({ path, group, owner, visibility })
    await scene.commit(project, { a: path })
    await owner.post(`${project.url}/releases`, { tag_name: path, ref: 'main' })
    shown.unshift(path)
  }
  const tags = async (client: typeof scene.anonymous) =>
    (await client.get(`${group.url}/releases`)).body.map((release: { tag_name: string }) => release.tag_name)

  assert.deepEqual(await tags(owner), shown)
  assert.deepEqual(await tags(scene.anonymous), ['open'])
})

test('a release is changed and deleted; its tag stays, and takes a release along when it goes', async () => {
  const { developer, project, url } = await world()
  await developer.post(`${project.url}/milestones`, { title: 'One' })
  const made = await developer.post(url, { tag_name: 'v1', ref: 'main', milestones: ['One'] })

  const changed = await developer.put(`${url}/v1`, { name: 'First', description: 'x', milestones: [], released_at: '2020-01-01T00:00:00Z' })
  const deleted = await developer.delete(`${url}/v1`)

  assert.equal(made.body.milestones.length, 1)
  const { name, description, milestones, released_at } = changed.body
  assert.deepEqual([name, description, milestones, released_at], ['First', 'x', undefined, '2020-01-01T00:00:00.000Z'])
  assert.deepEqual(deleted, { status: 200, body: changed.body })
  assert.deepEqual(await developer.get(`${url}/v1`), { status: 404, body: { message: '404 Release Not Found' } })
  assert.deepEqual(await developer.put(`${url}/v1`, {}), { status: 404, body: { message: '404 Release Not Found' } })
  assert.equal((await developer.get(`${project.url}/repository/tags/v1`)).body.release, null)

  await developer.post(url, { tag_name: 'v1' })
  assert.deepEqual(await developer.put(`${url}/v1`, {}), { status: 400, body: { message: 'params is empty' } })
  assert.equal((await developer.delete(`${project.url}/repository/tags/v1`)).status, 204)
  assert.equal((await developer.get(`${url}/v1`)).status, 404)
})

test('evidence says what a release consists of, without the issues of its milestones, under the digest of the file', async () => {
  const { developer, guest, project, url } = await world()
  const milestone = (await developer.post(`${project.url}/milestones`, { title: 'One' })).body
  for (const confidential of [false, true])
    await developer.post(`${project.url}/issues`, { title: confidential ? 'Secret' : 'Open', confidential, milestone_id: milestone.id })
  await developer.post(url, { tag_name: 'v1', ref: 'main', milestones: ['One'] })

  await evidenceOf(project, 'v1')

  const [evidence] = (await developer.get(`${url}/v1`)).body.evidences
  const { status, body } = await developer.request('GET', evidence.filepath)
  assert.equal(status, 200)
  assert.match(evidence.sha, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    [body.release.tag_name, body.release.project.id, body.release.milestones[0].title, 'issues' in body.release.milestones[0]],
    ['v1', project.id, 'One', false],
  )
  assert.equal(evidence.sha, createHash('sha256').update(JSON.stringify(body)).digest('hex'))
  assert.equal((await guest.request('GET', evidence.filepath)).status, 403)
  await scene.root.put(project.url, { visibility: 'public' })
  const [shown] = (await scene.anonymous.get(`${url}/v1`)).body.evidences
  assert.deepEqual([shown.filepath, (await scene.anonymous.request('GET', shown.filepath)).status], [evidence.filepath, 200])
  assert.equal((await developer.post(`${url}/v1/evidence`)).status, 202)
})

test('evidence of an earlier version is sent without the issues that it keeps, under the digest that was noted', async () => {
  const { developer, project, url } = await world('public')
  await developer.post(url, { tag_name: 'v1', ref: 'main' })
  await evidenceOf(project, 'v1')
  const { filepath, sha } = (await developer.get(`${url}/v1`)).body.evidences[0]
  const milestones = [{ id: 1, title: 'One', issues: [{ title: 'Secret' }] }]
  const id = Number(/(\d+)\.json$/.exec(filepath)?.[1])
  await scene.deps.database.pool.query(
    `update release_evidences set summary = jsonb_set(summary, '{release,milestones}', $1::jsonb) where id = $2`,
    [JSON.stringify(milestones), id],
  )

  const { body } = await scene.anonymous.request('GET', filepath)

  assert.deepEqual([body.release.milestones, body.release.tag_name], [[{ id: 1, title: 'One' }], 'v1'])
  assert.equal((await developer.get(`${url}/v1`)).body.evidences[0].sha, sha)
})

test('evidence of an upcoming release is asked for when it comes about, of a past one not at all', async () => {
  const { developer, url, project } = await world()
  const asked = async (tag: string) => {
    const { rows } = await scene.deps.database.pool.query(
      `select run_at from graphile_worker.jobs j join releases r on j.key = 'collect_evidence:' || r.id where r.project_id = $1 and r.tag = $2`,
      [project.id, tag],
    )
    return rows.map(({ run_at }: { run_at: string }) => new Date(run_at).toISOString())
  }
  await developer.post(url, { tag_name: 'past', ref: 'main', released_at: '2020-01-01T00:00:00Z' })
  await developer.post(url, { tag_name: 'coming', ref: 'main', released_at: '2999-01-01T00:00:00Z' })
  await developer.put(`${url}/coming`, { released_at: '2998-01-01T00:00:00Z' })

  assert.deepEqual(await asked('past'), [])
  assert.deepEqual(await asked('coming'), ['2998-01-01T00:00:00.000Z'])
})
