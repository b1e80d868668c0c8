/** Badges of projects and groups: the forms with their preview, and the top of projects and groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

const link_url = 'https://ci.example.com/%{project_path}'
const image_url = 'https://ci.example.com/%{project_id}.svg'

test('a badge of a group is added, changed and removed there, and shown with the own ones of its projects', async () => {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project } = await scene.project({ group, owner: owner.person, visibility: 'public' })
  const inGroup = `/groups/${group.full_path}/-/settings/badges`
  const inProject = `/${project.full_path}/-/settings/badges`
  assert.match((await owner.get(inGroup)).body, /stands at the top of the group/)

  assert.equal((await owner.submit(`${inGroup}/new`, { name: '<b>Build', link_url, image_url })).status, 303)
  assert.equal((await owner.submit(`${inProject}/new`, { name: 'Own', link_url, image_url })).status, 303)
  const [badge] = (await by.get(`${group.url}/badges`)).body

  for (const page of [`/${project.full_path}`, `/${group.full_path}`, inGroup]) {
    const { body } = await owner.get(page)
    assert.match(
      body,
      new RegExp(
        `href="https://ci.example.com/${project.full_path}"[^>]*><img src="https://ci.example.com/${project.id}.svg" alt="&lt;b&gt;Build"`,
      ),
      page,
    )
  }
  const listed = (await owner.get(inProject)).body
  assert.match(listed, /Of a group/)
  assert.ok(!listed.includes(`/badges/${badge.id}/edit`), 'a badge of the group is changed in the group')
  const edit = await owner.get(`${inGroup}/${badge.id}/edit`)
  assert.match(edit.body, /value="https:\/\/ci\.example\.com\/%\{project_path\}"/)
  assert.match(edit.body, new RegExp(`<badge-preview.*ci.example.com/${project.id}.svg`))
  assert.equal((await owner.submit(`${inGroup}/${badge.id}/edit`, { name: 'Renamed', link_url, image_url })).status, 303)
  assert.equal((await by.get(`${group.url}/badges/${badge.id}`)).body.name, 'Renamed')
  assert.equal((await owner.submit(`${inGroup}/${badge.id}/remove`, {})).status, 303)
  assert.deepEqual((await by.get(`${group.url}/badges`)).body, [])
})

test('an address that is none is refused at its field, and previewed as nothing', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const badges = `/${project.full_path}/-/settings/badges`
  const refused = await owner.submit(`${badges}/new`, { name: 'x', link_url, image_url: 'javascript:alert(1)' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /Image is no web address/)
  assert.match(refused.body, /value="javascript:alert\(1\)"/)
  assert.ok(!refused.body.includes('src="javascript'))

  assert.equal((await owner.get(`${badges}/preview`, { link_url, image_url: 'javascript:alert(1)' })).status, 400)
  const preview = await owner.get(`${badges}/preview`, { link_url, image_url, name: '"><i>' })
  assert.match(preview.body, new RegExp(`^<p><a .*src="https://ci.example.com/${project.id}.svg" alt="&quot;&gt;&lt;i&gt;"`))
})

test('the settings of CI/CD have the badges of the branch to copy', async () => {
  const { project } = await scene.project({ owner: owner.person })
  await scene.commit(project, { a: 'a' })
  const { body } = await owner.get(`/${project.full_path}/-/settings/ci_cd`)
  const image = `${scene.url}/${project.full_path}/badges/main/pipeline.svg`
  assert.ok(body.includes(`value="[![pipeline](${image})](${scene.url}/${project.full_path}/-/pipelines?ref=main)"`))
  assert.equal((await owner.get(`/${project.full_path}/badges/main/pipeline.svg`)).status, 200)
})
