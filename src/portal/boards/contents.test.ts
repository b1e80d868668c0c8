import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { db } = scene.deps.database
const owner = await surfer()
const { person } = owner

async function boardIn(place: { url: string }, name = 'Work') {
  const { body } = await person.post(`${place.url}/boards`, { name })
  return {
    id: body.id,
    list: async (subject: object) => (await person.post(`${place.url}/boards/${body.id}/lists`, subject)).body,
    label: async (title: string) => (await person.post(`${place.url}/labels`, { name: title, color: '#d73a4a' })).body.id,
  }
}

const columnOf = (body: string, key: string | number): string =>
  (body.split(`id="column-${key}"`)[1] as string).split('</section>', 1)[0] as string
const titlesOf = (column: string): string[] =>
  [...column.matchAll(/<div class="title">.*?<a [^>]*>([^<]*)</g)].map(([, title = '']) => title)

test('a board takes the same number of statements whatever the number of its lists and cards', async () => {
  const { project } = await scene.project({ owner: person })
  const board = await boardIn(project)
  const page = `/${project.full_path}/-/boards/${board.id}`
  const fill = async (name: string, count: number) => {
    await board.list({ label_id: await board.label(name) })
    for (let nth = 0; nth < count; nth++)
      await person.post(`${project.url}/issues`, { title: `${name} ${nth}`, labels: name, assignee_ids: [person.id] })
  }
  const cost = async () => (await recordStatements(() => owner.get(page))).statements.length
  await fill('one', 2)
  await owner.get(page)
  const before = await cost()
  for (const name of ['two', 'three', 'four']) await fill(name, 6)
  assert.equal(await cost(), before)
})

test('a column says how many issues it has and what they weigh, and is marked beyond its limits', async () => {
  const { project } = await scene.project({ owner: person })
  const board = await boardIn(project)
  const list = await board.list({ label_id: await board.label('doing'), max_issue_weight: 5, limit_metric: 'issue_weights' })
  for (const weight of [2, 3]) await person.post(`${project.url}/issues`, { title: 'Lamp', labels: 'doing', weight })
  const page = `/${project.full_path}/-/boards/${board.id}`
  const within = (await owner.get(page)).body
  assert.match(columnOf(within, list.id), /2 issues<\/span>[\s\S]*Weight[\s\S]*> 5<\/span>[\s\S]*limit: weight 5</)
  assert.doesNotMatch(within, /board-column over/)
  await person.post(`${project.url}/issues`, { title: 'Lamp', labels: 'doing', weight: 1 })
  assert.match((await owner.get(page)).body, new RegExp(`board-column over" id="column-${list.id}"[\\s\\S]*limit: weight 5, exceeded`))
})

test('a board shows what fits its scope and the filter, in the order made by hand; closed issues by their closing', async () => {
  const { project } = await scene.project({ owner: person })
  const board = await boardIn(project)
  const doing = await board.list({ label_id: await board.label('doing') })
  const make = async (title: string, labels: string) => (await person.post(`${project.url}/issues`, { title, labels })).body
  const [first] = [
    await make('first', 'team,doing'),
    await make('second', 'team,doing'),
    await make('other', 'doing'),
    await make('rest', 'team'),
  ]
  const done = [await make('closed early', 'team'), await make('closed late', 'team')]
  for (const { iid } of done) await person.put(`${project.url}/issues/${iid}`, { state_event: 'close' })
  await person.put(`${project.url}/boards/${board.id}`, { labels: 'team' })
  const page = `/${project.full_path}/-/boards/${board.id}`
  const { body } = await owner.get(page)
  assert.deepEqual(
    ['open', doing.id, 'closed'].map(key => titlesOf(columnOf(body, key))),
    [['rest'], ['first', 'second'], ['closed late', 'closed early']],
  )
  assert.match(body, /Only issues with label team\./)
  const filtered = await owner.get(page, { search: 'second' })
  assert.deepEqual(titlesOf(columnOf(filtered.body, doing.id)), ['second'])
  const asked = await owner.get(page, { filter: 'label:doing second' })
  assert.deepEqual([asked.status, asked.headers.location], [303, `${page}?labels=doing&search=second`])
  assert.equal((await owner.get(page, { assignee_id: 'x y' })).status, 422)
  // A new issue gets what the column and the board stand for, and comes first.
  const sent = await owner.submit(`${page}/columns/${doing.id}/issues`, { title: 'new', back: page })
  assert.equal(sent.status, 303)
  assert.deepEqual(titlesOf(columnOf((await owner.get(page)).body, doing.id)), ['new', 'first', 'second'])
  assert.ok(first.id > 0)
})

test('what comes after a card is loaded from there on, also of very many', async () => {
  const { project } = await scene.project({ owner: person })
  const board = await boardIn(project)
  const page = `/${project.full_path}/-/boards/${board.id}`
  const insert = (from: number, to: number) =>
    sql`insert into issues (project_id, iid, author_id, title) select ${project.id}, n, ${person.id}, 'Lamp ' || n from generate_series(${from}::int, ${to}::int) n`.execute(
      db,
    )
  await insert(1, 45)
  const rest = async (body: string) => {
    const [, address = ''] = /<turbo-frame id="rest-open"[^>]* src="([^"]*)"/.exec(body) ?? []
    return (await owner.get(address.replaceAll('&amp;', '&'))).body
  }
  const numbers = (body: string) => titlesOf(body).map(title => Number(title.replace('Lamp ', '')))
  const { body } = await owner.get(page)
  assert.deepEqual(numbers(columnOf(body, 'open')).at(-1), 20)
  assert.deepEqual(
    numbers(await rest(body)),
    Array.from({ length: 25 }, (_, nth) => nth + 21),
  )
  assert.equal(numbers(columnOf((await owner.get(page, { shown: 'open:45' })).body, 'open')).length, 45)
  await insert(46, 10_050)
  const many = (await owner.get(page)).body
  assert.match(columnOf(many, 'open'), /10,000\+ issues/)
  assert.deepEqual(
    numbers(await rest(many)),
    Array.from({ length: 40 }, (_, nth) => nth + 21),
  )
})

test('the board of a group has the issues of its projects, and a new one needs a project', async () => {
  const { group } = await scene.group({ owner: person })
  const { project } = await scene.project({ group, owner: person })
  const { project: elsewhere } = await scene.project({ owner: person })
  const board = await boardIn(group)
  const list = await board.list({ label_id: await board.label('doing') })
  const { body: outside } = await person.post(`${elsewhere.url}/issues`, { title: 'elsewhere' })
  const page = `/groups/${group.full_path}/-/boards/${board.id}`
  assert.equal((await owner.submit(`${page}/columns/${list.id}/issues`, { title: 'new' })).status, 400)
  assert.equal((await owner.submit(`${page}/columns/${list.id}/issues`, { title: 'new', project_id: String(elsewhere.id) })).status, 404)
  assert.equal((await owner.submit(`${page}/columns/${list.id}/issues`, { title: 'new', project_id: String(project.id) })).status, 303)
  const { body } = await owner.get(page)
  assert.deepEqual(titlesOf(columnOf(body, list.id)), ['new'])
  assert.doesNotMatch(body, /elsewhere/)
  assert.equal((await owner.submit(`${page}/issues/${outside.id}/drag`, { list: String(list.id) })).status, 404)
})
