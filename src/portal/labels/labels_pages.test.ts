import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { afterMove } from '../../planning/labels/priorities.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const planner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': planner.person.token })

/** A project of a group, with a label of each, that the planner owns. */
async function planned() {
  const { group } = await scene.group({ owner: planner.person, visibility: 'public' })
  const { project } = await scene.project({ group, owner: planner.person, visibility: 'public' })
  const label = async (url: string, body: object): Promise<{ id: number }> => {
    const made = await by.post(`${url}/labels`, { color: '#d73a4a', ...body })
    assert.equal(made.status, 201)
    return made.body
  }
  const inherited = await label(group.url, { name: 'harbour' })
  const own = await label(project.url, { name: 'bug', description: '<b>Broken</b>' })
  return { group, project, label, own, inherited, labels: `/${project.full_path}/-/labels` }
}

const names = (body: string): string[] =>
  [...body.matchAll(/<ul class="list"[\s\S]*?<\/ul>/g)].flatMap(([list]) =>
    [...list.matchAll(/class="chip label" href="[^"]*"[^>]*><svg[\s\S]*?<\/svg>([^<]*)</g)].map(([, name = '']) => name),
  )

const order = (body: string): string[] =>
  [...body.matchAll(/<li><span class="muted rank">[\s\S]*?<\/svg>([^<]*)<\/a>/g)].map(([, name = '']) => name)

test('a project lists its labels and those of its groups, with what has each', async () => {
  const { project, group, labels } = await planned()
  await by.post(`${project.url}/issues`, { title: 'One', labels: 'bug' })
  await by.post(`${project.url}/issues`, { title: 'Secret', labels: 'bug', confidential: true })

  const { body } = await planner.get(labels)
  assert.deepEqual(names(body), ['bug', 'harbour'])
  assert.match(body, /&lt;b&gt;Broken/)
  assert.ok(body.includes(`href="/${project.full_path}/-/issues?labels=bug">2 open issues</a>`))
  assert.ok(body.includes(`href="/groups/${group.full_path}/-/labels"`), 'where an inherited label comes from')
  const other = await reader.get(labels)
  assert.ok(other.body.includes('1 open issue</a>'), 'a confidential issue is not counted for others')
  assert.ok(!other.body.includes('/edit"') && !other.body.includes('New label'))
  assert.deepEqual(names((await planner.get(labels, { search: 'harb' })).body), ['harbour'])
})

test('the form takes a colour of the palette or any other, and says what is wrong at its field', async () => {
  const { project, labels } = await planned()
  const send = (fields: Record<string, string>) => planner.submit(`${labels}/new`, fields)
  assert.equal((await send({ name: 'a', swatch: '#0969da', color: '#000000' })).status, 303)
  assert.equal((await send({ name: 'b', swatch: '', color: '#123456' })).status, 303)
  const refused = await send({ name: 'x,y', swatch: '#0969da', color: '#000000' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /value="x,y"/)
  assert.match(refused.body, /id="field-name-wrong"/)
  const taken = await send({ name: 'a', swatch: '#0969da', color: '#000000' })
  assert.equal(taken.status, 422)
  assert.match(taken.body, /id="field-name-wrong"[^>]*>[^<]*Name exists already/)
  const { body } = await by.get(`${project.url}/labels`)
  assert.deepEqual(
    body
      .map(({ name, color }: { name: string; color: string }) => [name, color])
      .filter(([name]: string[]) => name === 'a' || name === 'b'),
    [
      ['a', '#0969da'],
      ['b', '#123456'],
    ],
  )
})

test('a label is changed, promoted and deleted where it belongs', async () => {
  const { project, group, labels, own, inherited } = await planned()
  const fields = { new_name: 'defect', swatch: '#cf222e', color: '#000000', description: '', priority: '' }
  assert.equal((await planner.submit(`${labels}/${inherited.id}/edit`, fields)).status, 404, 'a label of the group')
  assert.equal((await reader.submit(`${labels}/${own.id}/edit`, fields)).status, 403)
  assert.equal((await planner.submit(`${labels}/${own.id}/edit`, fields)).status, 303)
  assert.equal((await planner.submit(`${labels}/${own.id}/subscribe`, {})).status, 303)
  assert.equal((await by.get(`${project.url}/labels/${own.id}`)).body.subscribed, true)
  assert.equal((await planner.submit(`${labels}/${own.id}/promote`, {})).status, 303)
  assert.equal((await by.get(`${group.url}/labels/${own.id}`)).body.name, 'defect')
  assert.equal((await planner.submit(`${labels}/${own.id}/delete`, {})).status, 404)
  assert.equal((await planner.submit(`/groups/${group.full_path}/-/labels/${own.id}/delete`, {})).status, 303)
  assert.equal((await by.get(`${group.url}/labels/${own.id}`)).status, 404)
})

test('labels are moved in the order of priority', async () => {
  const { project, label, labels, own, inherited } = await planned()
  const third = await label(project.url, { name: 'docs' })
  const move = (id: number, to: string) => planner.submit(`${labels}/${id}/priority`, { move: to })
  for (const { id } of [own, inherited, third]) assert.equal((await move(id, 'last')).status, 303)
  assert.deepEqual(order((await planner.get(labels)).body), ['bug', 'harbour', 'docs'])
  await move(third.id, 'up')
  await move(own.id, 'down')
  assert.deepEqual(order((await planner.get(labels)).body), ['docs', 'bug', 'harbour'])
  await move(own.id, 'none')
  assert.deepEqual(order((await planner.get(labels)).body), ['docs', 'harbour'])
  assert.equal((await reader.submit(`${labels}/${own.id}/priority`, { move: 'last' })).status, 403)
  assert.equal((await by.get(`${project.url}/labels/${inherited.id}`)).body.priority, 1)
})

test('a move beyond an end leaves the order as it is', () => {
  assert.deepEqual(afterMove([1, 2, 3], 1, 'up'), [1, 2, 3])
  assert.deepEqual(afterMove([1, 2, 3], 3, 'down'), [1, 2, 3])
  assert.deepEqual(afterMove([1, 2, 3], 4, 'up'), [1, 2, 3, 4])
})
