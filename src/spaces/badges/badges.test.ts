/** Project and group badges APIs of the v4 level 14.0. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { withValues } from './placeholders.ts'

const scene = await openScene()

const link_url = 'https://ci.example.com/%{project_path}?id=%{project_id}'
const image_url = 'https://ci.example.com/%{default_branch}/%{commit_sha}.svg'

test('a badge is added, shown with its placeholders replaced, changed and deleted', async () => {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'a.txt': 'a' })

  const added = await owner.post(`${project.url}/badges`, { link_url, image_url, name: 'Build' })
  assert.deepEqual(added, {
    status: 201,
    body: {
      id: added.body.id,
      name: 'Build',
      link_url,
      image_url,
      rendered_link_url: `https://ci.example.com/${project.full_path}?id=${project.id}`,
      rendered_image_url: `https://ci.example.com/main/${sha}.svg`,
      kind: 'project',
    },
  })

  const one = `${project.url}/badges/${added.body.id}`
  assert.deepEqual((await owner.get(one)).body, added.body)
  const changed = await owner.put(one, { link_url: 'http://example.com/' })
  assert.deepEqual([changed.status, changed.body.rendered_link_url, changed.body.name], [200, 'http://example.com/', 'Build'])
  assert.equal((await owner.delete(one)).status, 204)
  assert.deepEqual(await owner.get(one), { status: 404, body: { message: '404 Badge Not Found' } })
})

test('the newest commit is named to those alone who may read the code', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await owner.post(`${project.url}/badges`, { link_url, image_url })
  const image = async (client: typeof owner) => (await client.get(`${project.url}/badges`)).body[0].rendered_image_url
  const outsider = await scene.user()
  assert.equal(await image(outsider), `https://ci.example.com/main/${sha}.svg`)

  await owner.put(project.url, { repository_access_level: 'private' })

  assert.equal(await image(owner), `https://ci.example.com/main/${sha}.svg`)
  assert.equal(await image(outsider), 'https://ci.example.com/main/%{commit_sha}.svg')
})

test('a badge is previewed without being stored', async () => {
  const { project, owner } = await scene.project()

  const answer = await owner.get(`${project.url}/badges/render`, { link_url, image_url })

  assert.deepEqual(answer.body, {
    link_url,
    image_url,
    rendered_link_url: `https://ci.example.com/${project.full_path}?id=${project.id}`,
    // Nothing was pushed yet, so there is no branch and no commit.
    rendered_image_url: image_url,
  })
  assert.deepEqual((await owner.get(`${project.url}/badges`)).body, [])
})

describe('the badges of a group', () => {
  test('are listed in its projects at any depth, and changed only in the group', async () => {
    const { group, owner } = await scene.group()
    const { group: below } = await scene.group({ parent: group, owner })
    const { project } = await scene.project({ group: below })
    const { body: badge } = await owner.post(`${group.url}/badges`, { link_url, image_url, name: 'Group' })
    const own = await owner.post(`${project.url}/badges`, { link_url, image_url, name: 'Own' })

    const list = (await owner.get(`${project.url}/badges`)).body
    assert.deepEqual(
      list.map((row: { kind: string; name: string }) => [row.name, row.kind]),
      [
        ['Group', 'group'],
        ['Own', 'project'],
      ],
    )
    assert.match(list[0].rendered_link_url, new RegExp(`${project.full_path}\\?id=${project.id}$`))
    assert.deepEqual(
      (await owner.get(`${project.url}/badges`, { name: 'Own' })).body.map((row: { id: number }) => row.id),
      [own.body.id],
    )
    assert.deepEqual((await owner.get(`${below.url}/badges`)).body, [])
    assert.equal((await owner.put(`${project.url}/badges/${badge.id}`, { name: 'Mine' })).status, 403)
    assert.equal((await owner.delete(`${project.url}/badges/${badge.id}`)).status, 403)
    assert.equal((await owner.delete(`${group.url}/badges/${badge.id}`)).status, 204)
  })

  test('are rendered for its first project that the reader may see', async () => {
    const { group, owner } = await scene.group({ visibility: 'public' })
    const { project: hidden } = await scene.project({ group })
    const { project: open } = await scene.project({ group, visibility: 'public' })
    await owner.post(`${group.url}/badges`, { link_url, image_url })
    const shown = async (reader: { get: typeof owner.get }) => (await reader.get(`${group.url}/badges`)).body[0].rendered_link_url

    assert.match(await shown(owner), new RegExp(`/${hidden.full_path}\\?`))
    assert.match(await shown(scene.anonymous), new RegExp(`/${open.full_path}\\?`))
  })

  test('keep their placeholders in a group without projects', async () => {
    const { group, owner } = await scene.group()

    assert.equal((await owner.post(`${group.url}/badges`, { link_url, image_url })).body.rendered_link_url, link_url)
  })
})

describe('an address', () => {
  for (const [what, url] of Object.entries({
    'of a script': 'javascript:alert(1)',
    'without a host': 'https://',
    'that is none': 'somewhere',
    'of a file': 'ftp://example.com/a.svg',
  }))
    test(`${what} is refused`, async () => {
      const { project, owner } = await scene.project()
      const refusal = { status: 400, body: { message: { image_url: ['is invalid'] } } }

      assert.deepEqual(await owner.post(`${project.url}/badges`, { link_url, image_url: url }), refusal)
      assert.deepEqual(await owner.get(`${project.url}/badges/render`, { link_url, image_url: url }), refusal)
    })

  test('keeps unknown placeholders', () => {
    assert.equal(withValues('https://a/%{project_id}/%{constructor}/%{gone}', { project_id: '7' }), 'https://a/7/%{constructor}/%{gone}')
  })
})

test('badges of a public project are public, and managed by Maintainers', async () => {
  const { project, developer, maintainer } = await scene.project({ visibility: 'public', members: ['developer', 'maintainer'] })

  assert.equal((await developer.post(`${project.url}/badges`, { link_url, image_url })).status, 403)
  assert.equal((await maintainer.post(`${project.url}/badges`, { link_url, image_url })).status, 201)
  assert.equal((await scene.anonymous.get(`${project.url}/badges`)).body.length, 1)
})
