/** The pages of states of Terraform. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terraformState } from '../../../test/derived/bodies.ts'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const developer = await surfer()
const stranger = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function furnished() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await by.post(`${project.url}/members`, { user_id: developer.person.id, access_level: 30 })
  const state = `${project.url}/terraform/state/net%2Feast`
  for (const serial of [1, 2]) assert.equal((await by.post(state, Buffer.from(terraformState(serial)))).status, 200)
  const list = `/${project.full_path}/-/terraform`
  return { project, state, list, page: `${list}/net%2Feast` }
}

test('Developers see the states of a project with their versions, and download one; nobody else does', async () => {
  const { project, list, page } = await furnished()
  const { body } = await developer.get(list)
  assert.match(body, /<a href="[^"]*\/-\/terraform\/net%2Feast">net\/east<[\s\S]*serial 2</)
  assert.match((await developer.get(`/${project.full_path}/-/issues`)).body, new RegExp(`href="${list}"`))
  assert.doesNotMatch((await stranger.get(`/${project.full_path}/-/issues`)).body, /\/-\/terraform"/)
  const shown = (await developer.get(page)).body
  assert.deepEqual(
    [...shown.matchAll(/Download serial (\d+)/g)].map(([, serial]) => serial),
    ['2', '1'],
  )
  assert.match(shown, /terraform init[\s\S]*address=[^"]*\/terraform\/state\/net%2Feast&quot;/)
  assert.doesNotMatch(shown, /\/delete"|\/lock"/)
  const download = await developer.get(`${page}/versions/1/download`)
  assert.equal(download.bytes.toString(), terraformState(1))
  assert.deepEqual(
    [download.headers['content-type'], download.headers['content-disposition'], download.headers['cache-control']],
    ['application/json', 'attachment; filename="net/east.1.tfstate.json"', 'private, no-store'],
  )
  for (const address of [list, page, `${page}/versions/1/download`]) assert.equal((await stranger.get(address)).status, 403, address)
  assert.equal((await developer.get(`${page}/versions/9/download`)).status, 404)
  assert.equal((await developer.get(`${list}/none`)).status, 404)
})

test('Maintainers lock, unlock and delete a state, and a version of it', async () => {
  const { page, list, state } = await furnished()
  for (const rest of ['lock', 'unlock', 'delete', 'versions/1/delete'])
    assert.equal((await developer.submit(`${page}/${rest}`, {})).status, 403, rest)
  assert.equal((await owner.submit(`${page}/lock`, {})).headers.location, page)
  const locked = (await developer.get(page)).body
  assert.match(locked, new RegExp(`Locked[\\s\\S]*href="/${owner.person.username}"[\\s\\S]*by hand`))
  assert.equal((await by.post(state, Buffer.from(terraformState(3)))).status, 409)
  assert.equal((await owner.submit(`${page}/delete`, {})).status, 409)
  const lockOn = (body: string) => /ID <code>([^<]*)/.exec(body)?.[1]
  assert.equal((await owner.submit(`${page}/lock`, {})).status, 303)
  assert.equal(lockOn((await owner.get(page)).body), lockOn(locked), 'the lock that holds stays')
  await owner.submit(`${page}/unlock`, {})
  assert.match((await owner.get(page)).body, /Not locked/)
  await owner.submit(`${page}/versions/2/delete`, {})
  assert.doesNotMatch((await owner.get(page)).body, /Download serial 2/)
  assert.equal((await owner.submit(`${page}/delete`, {})).headers.location, list)
  assert.match((await owner.get(list)).body, /No states[\s\S]*backend &quot;http&quot;/)
  assert.equal((await owner.get(page)).status, 404)
})
