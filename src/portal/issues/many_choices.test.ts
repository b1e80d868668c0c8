/** Projects with more labels and milestones than a form lists: all of them are reachable by their names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const { db } = scene.deps.database
const many = Array.from({ length: 250 }, (_, at) => String(at).padStart(3, '0'))

test('the forms of issues and merge requests find labels and milestones that they do not list', async () => {
  const { project } = await scene.project({ owner: owner.person })
  const { iid } = await scene.mergeRequest(project)
  await scene.commit(project, { 'other.txt': 'other' }, { branch: 'other', start_branch: 'main' })
  await owner.person.post(`${project.url}/issues`, { title: 'It is dark' })
  await owner.person.post(`${project.url}/labels`, { name: 'zz <last>', color: '#ffffff' })
  const { body: last } = await owner.person.post(`${project.url}/milestones`, { title: 'zz <end>' })
  await db
    .insertInto('labels')
    .values(many.map(number => ({ project_id: project.id, name: `label ${number}`, color: '#ffffff' })))
    .execute()
  await db
    .insertInto('milestones')
    .values(many.map((number, at) => ({ project_id: project.id, iid: 1_000 + at, title: `milestone ${number}`, due_date: '2021-01-01' })))
    .execute()

  const at = `/${project.full_path}/-`
  const proposed = `${at}/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': 'other', 'merge_request[target_branch]': 'main' })}`
  for (const [form, hasLabels, hasMilestones] of [
    [`${at}/issues/new`, true, true],
    [`${at}/issues/1/edit/labels`, true, false],
    [`${at}/issues/1/edit/milestone`, false, true],
    [`${at}/merge_requests/${iid}/edit`, true, true],
    [proposed, true, true],
  ] as const) {
    const { status, body } = await owner.get(form)
    assert.equal(status, 200, form)
    assert.match(body, /find others by their names/, form)
    const [, more = ''] = /data-more="([^"]+)"/.exec(body) ?? []
    assert.equal(more.replaceAll('&amp;', '&').replace('%2F', '/'), form, 'the address keeps what it says')
    for (const words of [/zz &lt;last&gt;/, /zz &lt;end&gt;/]) assert.doesNotMatch(body, words, form)
    const found = (await owner.get(`${form}${form.includes('?') ? '&' : '?'}search=zz`)).body
    if (hasLabels) assert.match(found, /type="checkbox" name="labels\[\]" value="zz &lt;last&gt;"/, form)
    if (hasMilestones) assert.match(found, new RegExp(`type="radio" name="milestone_id" value="${last.id}"`), form)
  }
})

test('the forms of issues find iterations and epics that they do not list, and keep the chosen one in sight', async () => {
  const { group } = await scene.group({ owner: owner.person })
  const { project } = await scene.project({ group, owner: owner.person })
  await owner.person.post(`${project.url}/issues`, { title: 'It is dark' })
  const { body: epic } = await owner.person.post(`${group.url}/epics`, { title: 'zz <end>' })
  const { body: iteration } = await owner.person.post(`${group.url}/iterations`, {
    title: 'zz <end>',
    start_date: '2090-01-01',
    due_date: '2090-01-02',
  })
  const day = (at: number) => new Date(Date.UTC(2080, 0, 1 + at)).toISOString().slice(0, 10)
  await db
    .insertInto('epics')
    .values(many.map((number, at) => ({ namespace_id: group.id, iid: 1_000 + at, title: `epic ${number}`, author_id: owner.person.id })))
    .execute()
  await db
    .insertInto('iterations')
    .values(
      many.map((number, at) => ({
        namespace_id: group.id,
        iid: 1_000 + at,
        title: `iteration ${number}`,
        start_date: day(at),
        due_date: day(at),
      })),
    )
    .execute()

  const at = `/${project.full_path}/-/issues/1`
  for (const [form, name, last] of [
    [`${at}/edit/epic`, 'epic_id', epic],
    [`${at}/edit/iteration`, 'iteration_id', iteration],
  ] as const) {
    const choice = `type="radio" name="${name}" value="${last.id}"`
    const { body } = await owner.get(form)
    assert.match(body, /find others by their names/, form)
    assert.ok(!body.includes(choice), form)
    assert.ok((await owner.get(`${form}?search=zz`)).body.includes(choice), form)

    const { status } = await owner.submit(form, { [name]: String(last.id) })
    assert.equal(status, 303, form)
    assert.ok((await owner.get(`${form}?search=nothing`)).body.includes(`${choice} checked`), form)
  }
  const { body: issue } = await owner.person.get(`${project.url}/issues/1`)
  assert.deepEqual([issue.epic.id, issue.iteration.id], [epic.id, iteration.id])
})
