import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { draftOf } from './draft.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A public project of the owner with a commit, and the path of its releases. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a' })
  return { project, releases: `/${project.full_path}/-/releases` }
}

const names = (body: string): string[] =>
  [...body.matchAll(/<section class="panel release" aria-label="([^"]*)"/g)].map(([, name = '']) => name)

test('releases are listed with what is latest and what is to come, their notes, files and milestones', async () => {
  const { project, releases } = await place()
  assert.match((await owner.get(releases)).body, /No releases yet/)
  const { body: milestone } = await by.post(`${project.url}/milestones`, { title: 'One' })
  await by.post(`${project.url}/issues`, { title: 'a', milestone_id: milestone.id })
  await by.post(`${project.url}/issues`, { title: 'secret', milestone_id: milestone.id, confidential: true })
  const links = [
    { name: 'Handbook <b>', url: 'https://example.com/h.pdf', link_type: 'runbook' },
    { name: 'linux', url: 'https://example.com/l.tgz', filepath: '/bin/linux', link_type: 'package' },
  ]
  await by.post(`${project.url}/releases`, {
    tag_name: 'v1',
    ref: 'main',
    description: '*first* <script>',
    released_at: '2020-01-01T00:00:00Z',
  })
  await by.post(`${project.url}/releases`, { tag_name: 'v/2', ref: 'main', name: 'Two', milestones: ['One'], assets: { links } })
  await by.post(`${project.url}/releases`, { tag_name: 'v3', ref: 'main', released_at: '2090-01-01T00:00:00Z' })

  const { body } = await reader.get(releases)
  assert.deepEqual(names(body), ['v3', 'Two', 'v1'])
  assert.match(body, /aria-label="v3"[\s\S]*Upcoming[\s\S]*aria-label="Two"[\s\S]*Latest[\s\S]*aria-label="v1"/)
  assert.match(body, /<em>first<\/em>/)
  assert.match(body, /Packages<\/h4>[\s\S]*\/-\/releases\/v%2F2\/downloads\/bin\/linux"[\s\S]*Runbooks<\/h4>[\s\S]*Handbook &lt;b&gt;/)
  assert.match(body, /0 of 1 issue closed/, 'confidential issues do not count for others')
  assert.ok(!body.includes('New release') && !body.includes('<script>'))

  const page = await reader.get(`${releases}/v%2F2`)
  assert.equal(page.status, 200)
  assert.match(page.body, /<h1>Two<\/h1>[\s\S]*zip[\s\S]*tar\.gz/)
  assert.equal((await reader.get(`${releases}/permalink/latest`)).headers.location, `${releases}/v%2F2`)
  assert.equal(
    (await reader.get(`${releases}/permalink/latest/downloads/bin/linux`)).headers.location,
    `${releases}/v%2F2/downloads/bin/linux`,
  )
  assert.equal((await reader.get(`${releases}/v4`)).status, 404)
})

test('a release is made from a new tag, changed, and deleted by forms', async () => {
  const { project, releases } = await place()
  await by.post(`${project.url}/milestones`, { title: 'One, with a comma' })
  const wrong = await owner.submit(`${releases}/new`, { tag_name: 'v1', ref: 'main', links: 'no address', description: 'kept' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /id="field-links-wrong">[\s\S]*no address[\s\S]*/)
  assert.match(wrong.body, /kept<\/textarea>/)
  const said = (body: string) =>
    [...body.matchAll(/class="(?:wrong|notice danger)"[^>]*>([\s\S]*?)<\/(?:p|div)>/g)].map(([, words]) => words).join()
  assert.match(said((await owner.submit(`${releases}/new`, { tag_name: 'v1', ref: '' })).body), /is not specified/)

  const made = await owner.submit(`${releases}/new`, {
    tag_name: 'v1',
    ref: 'main',
    'milestones[]': 'One, with a comma',
    links: 'The handbook https://example.com/h.pdf\n\n',
    description: 'Notes',
  })
  assert.deepEqual([made.status, made.headers.location], [303, `${releases}/v1`])
  const again = await owner.submit(`${releases}/new`, { tag_name: 'v1', ref: 'main' })
  assert.match(again.body, /id="field-tag_name-wrong"[^>]*>[^<]*Tag has a release already/)
  const { body: release } = await by.get(`${project.url}/releases/v1`)
  assert.deepEqual([release.milestones[0].title, release.assets.links[0].name, release.name], ['One, with a comma', 'The handbook', 'v1'])
  assert.match((await owner.get(`${releases}/v1/edit`)).body, /value="One, with a comma" checked/)

  assert.equal(
    (await owner.submit(`${releases}/v1/edit`, { name: 'First', 'milestones[]': '', description: '', released_at: '2021-01-02T03:04' }))
      .status,
    303,
  )
  const { body: changed } = await by.get(`${project.url}/releases/v1`)
  assert.deepEqual([changed.name, changed.milestones, changed.released_at.slice(0, 16)], ['First', undefined, '2021-01-02T03:04'])

  assert.equal(
    (await owner.submit(`${releases}/v1/links/new`, { name: 'linux', url: 'https://example.com/l', filepath: '/bin/linux' })).status,
    303,
  )
  const linked = (await by.get(`${project.url}/releases/v1/assets/links`)).body.find((link: { name: string }) => link.name === 'linux')
  assert.equal((await owner.submit(`${releases}/v1/links/${linked.id}/edit`, { name: 'mac', url: 'https://example.com/m' })).status, 303)
  assert.match((await owner.get(`${releases}/v1`)).body, />mac<\/a>/)
  assert.equal((await owner.submit(`${releases}/v1/links/${linked.id}/delete`, {})).status, 303)
  assert.equal((await by.get(`${project.url}/releases/v1/assets/links`)).body.length, 1)

  assert.equal((await owner.submit(`${releases}/v1/delete`, {})).status, 303)
  assert.equal((await by.get(`${project.url}/releases/v1`)).status, 404)
  assert.equal((await by.get(`${project.url}/repository/tags/v1`)).status, 200)
})

test('notes are drafted from what was merged since the last release and closed in its milestones', async () => {
  const { project, releases } = await place()
  const { body: milestone } = await by.post(`${project.url}/milestones`, { title: 'One' })
  for (const [title, confidential] of [
    ['Mend *it*', false],
    ['Secret', true],
    ['Open', false],
  ] as const) {
    const { body: issue } = await by.post(`${project.url}/issues`, { title, confidential, milestone_id: milestone.id })
    if (title !== 'Open') await by.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })
  }
  const drafted = await owner.submit(`${releases}/draft`, { tag_name: 'v1', ref: 'main', 'milestones[]': 'One', description: 'Before' })
  assert.equal(drafted.status, 200)
  assert.match(drafted.body, /Before\n\n## Closed in One\n\n- Mend \\\*it\\\* \(#1\)\n<\/textarea>/)
  assert.match(drafted.body, /name="tag_name"[^>]*value="v1"/)
  assert.match(drafted.body, /value="One" checked/)
  assert.match(drafted.body, new RegExp(`<form method="post" action="${releases}/new"`))
  assert.equal((await reader.submit(`${releases}/draft`, {})).status, 403)
})

test('a draft names merge requests with their authors, and says since when', () => {
  const merged = [{ iid: 3, title: 'Add <b> @all', username: 'ada' }]
  assert.equal(draftOf({ since: '2021-01-02', merged, closed: [] }), '## Merged since 2021-01-02\n\n- Add \\<b\\> \\@all (!3 by @ada)\n')
  assert.match(draftOf({ since: undefined, merged: [], closed: [] }), /^Nothing was merged/)
})

test('others read releases and change nothing; those of a private project are not there for them', async () => {
  const { project, releases } = await place()
  await by.post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main' })
  assert.equal((await reader.get(`${releases}/new`)).status, 403)
  assert.equal((await reader.submit(`${releases}/v1/delete`, {})).status, 403)
  assert.ok(!/\/edit"|\/delete"|\/evidence"/.test((await reader.get(`${releases}/v1`)).body))
  await by.put(project.url, { visibility: 'private' })
  for (const path of ['', '/v1', '/permalink/latest']) assert.equal((await reader.get(`${releases}${path}`)).status, 404, path)
})

test('guests of a private project are not led to the newest release, whose tag is not shown to them', async () => {
  const { project, releases } = await place()
  await by.post(`${project.url}/releases`, { tag_name: 'v7', ref: 'main', name: 'Seven' })
  await by.put(project.url, { visibility: 'private' })
  await by.post(`${project.url}/members`, { user_id: reader.person.id, access_level: 10 })
  const home = await reader.get(`/${project.full_path}`)
  assert.equal(home.status, 200)
  assert.ok(!/v7|Seven|Latest release/.test(home.body))
  for (const path of ['/v7', '/permalink/latest', '/permalink/latest/downloads/x'])
    assert.equal((await reader.get(`${releases}${path}`)).status, 403, path)
  assert.match((await owner.get(`/${project.full_path}`)).body, /Latest release[\s\S]*Seven/)
})
