import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A public project of the owner in a group, with two issues. */
async function place() {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project } = await scene.project({ owner: owner.person, visibility: 'public', namespace_id: group.id } as never)
  for (const title of ['One', 'Two']) await by.post(`${project.url}/issues`, { title })
  return {
    group,
    project,
    at: `/${project.full_path}/-/issues/1`,
    get: async (iid: number) => (await by.get(`${project.url}/issues/${iid}`)).body,
  }
}

test('an issue moves to another project by its form, and says where it goes on', async () => {
  const { at, get } = await place()
  const { project: other } = await scene.project({ owner: owner.person, visibility: 'private' })
  const moved = await owner.submit(`${at}/move`, { to_project: `/${other.full_path}/` })
  assert.deepEqual([moved.status, moved.headers.location], [303, `/${other.full_path}/-/issues/1`])
  assert.equal((await get(1)).state, 'closed')
  assert.match((await owner.get(at)).body, /It was moved, and goes on as/)
  assert.doesNotMatch((await reader.get(at)).body, /It was moved, and goes on as|To nowhere/)
  assert.equal((await owner.submit(`${at}/move`, { to_project: 'no/where' })).status, 404)
  assert.equal((await reader.submit(`${at}/move`, { to_project: other.full_path })).status, 403)
})

test('an issue is closed as a duplicate, promoted, linked and unlinked', async () => {
  const { at, get, project } = await place()
  const nothing = await owner.submit(`${at}/duplicate`, { original: '#99' })
  assert.equal(nothing.status, 422)
  assert.match(nothing.body, /is no other issue/)
  assert.equal((await owner.submit(`${at}/duplicate`, { original: '#2' })).status, 303)
  assert.equal((await get(1)).state, 'closed')
  assert.match((await owner.get(at)).body, /It repeats <a href="[^"]*\/issues\/2">#2 Two/)

  const two = at.replace(/1$/, '2')
  await owner.submit(`${at}/links/new`, { target: '#2', link_type: 'blocks' })
  const [, link] = /\/links\/(\d+)\/delete/.exec((await owner.get(at)).body) ?? []
  assert.ok(link)
  assert.equal((await reader.submit(`${at}/links/${link}/delete`, {})).status, 403)
  assert.equal((await owner.submit(`${at}/links/${link}/delete`, {})).status, 303)
  assert.deepEqual((await by.get(`${project.url}/issues/1/links`)).body, [])

  assert.equal((await owner.submit(`${two}/promote`, {})).status, 303)
  assert.match((await owner.get(two)).body, /It was promoted to/)
  assert.equal((await owner.submit(`${two}/promote`, {})).status, 400)
})

test('an epic is chosen by its name, and shows how far it is', async () => {
  const { group, at, get } = await place()
  const { body: epic } = await by.post(`/groups/${group.id}/epics`, { title: 'Voyage' })
  assert.match((await owner.get(`${at}/edit/epic`)).body, new RegExp(`<option value="${epic.id}">&amp;${epic.iid} Voyage`))
  await owner.submit(`${at}/edit/epic`, { epic_id: String(epic.id) })
  await owner.submit(`${at.replace(/1$/, '2')}/edit/epic`, { epic_id: String(epic.id) })
  await owner.submit(`${at}/change`, { state_event: 'close' })
  assert.match((await owner.get(at)).body, /Voyage[\s\S]*1 of 2 issues closed/)
  await owner.submit(`${at}/edit/epic`, { epic_id: '0' })
  assert.equal((await get(1)).epic, null)
})

test('who spent time when is listed, and participants have a page', async () => {
  const { at, project } = await place()
  await by.post(`${project.url}/issues/1/time_estimate`, { duration: '4h' })
  await by.post(`${project.url}/issues/1/add_spent_time`, { duration: '1h 30m', summary: 'Looked <b>' })
  await by.post(`${project.url}/issues/1/add_spent_time`, { duration: '30m' })
  const { body } = await owner.get(`${at}/times`)
  assert.match(body, /2h spent of 4h estimated/)
  assert.match(body, /Looked &lt;b&gt;/)
  assert.match((await owner.get(at)).body, new RegExp(`href="${at}/times"`))
  assert.ok((await reader.get(`${at}/participants`)).body.includes(owner.person.username))
})

test('labels beyond the first ones are found by their names', async () => {
  const { at, project } = await place()
  for (let from = 0; from < 205; from += 41)
    await Promise.all(
      Array.from({ length: 41 }, (_, index) =>
        by.post(`${project.url}/labels`, { name: `label-${String(from + index).padStart(3, '0')}`, color: '#ff0000' }),
      ),
    )
  const shown = (await owner.get(`${at}/edit/labels`)).body
  assert.doesNotMatch(shown, /label-204/)
  assert.match(shown, /data-more="[^"]*\/edit\/labels"/)
  assert.match(shown, /<form action="[^"]*\/edit\/labels" class="filter-bar" role="search">/)
  const found = (await owner.get(`${at}/edit/labels`, { search: '204' })).body
  assert.match(found, /value="label-204"/)
  assert.doesNotMatch(found, /value="label-001"/)
})
