/** The page of to-do items: narrowed, put off, done and taken back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const PAGE = '/dashboard/todos'

/** A person with a to-do item in each of two projects, by different authors. */
async function busyPerson() {
  const [person, other] = [await surfer(), await surfer()]
  const titles = ['Mend the lamp', 'Trim the wick']
  const projects = []
  for (const [index, by] of [scene.root, scene.as({ 'private-token': other.person.token })].entries()) {
    const { project } = await scene.project({ visibility: 'public' })
    for (const { person: each } of [person, other]) await scene.root.post(`${project.url}/members`, { user_id: each.id, access_level: 30 })
    await by.post(`${project.url}/issues`, { title: titles[index], assignee_ids: [person.person.id] })
    projects.push(project)
  }
  const shown = async (query: Record<string, string> = {}) => {
    const { body } = await person.get(PAGE, query)
    return titles.filter(title => body.includes(`>${title}</a>`))
  }
  return { person, other, projects, titles, shown }
}

test('they are narrowed by project, author, reason and kind, from choices that the list has', async () => {
  const { person, other, projects, titles, shown } = await busyPerson()
  assert.deepEqual(await shown(), titles)
  assert.deepEqual(await shown({ project_id: String(projects[0]?.id) }), titles.slice(0, 1))
  assert.deepEqual(await shown({ author_id: String(other.person.id), type: '', action: '' }), titles.slice(1))
  assert.deepEqual(await shown({ action: 'mentioned' }), [])
  assert.deepEqual(await shown({ type: 'Issue', action: 'assigned' }), titles)
  assert.deepEqual(await shown({ group_id: '999999999' }), [])
  assert.equal((await person.get(PAGE, { action: 'unknown' })).status, 400)
  const { body } = await person.get(PAGE)
  for (const name of [projects[0]?.full_path, projects[1]?.full_path, `@${other.person.username}`])
    assert.ok(body.includes(name as string), name)
})

test('an item says who did what, and what happened by itself', async () => {
  const { person, projects } = await busyPerson()
  await scene.root.post(`${projects[1]?.url}/issues`, { title: 'Fill the lamp' })
  assert.equal((await scene.as({ 'private-token': person.person.token }).post(`${projects[1]?.url}/issues/2/todo`, {})).status, 201)
  const mine = scene.deps.database.db.selectFrom('todos').where('user_id', '=', person.person.id)
  const first = await mine.select('id').orderBy('id').executeTakeFirstOrThrow()
  const saysOfFirst = async (action: 'assigned' | 'unmergeable') => {
    await scene.deps.database.db.updateTable('todos').set({ action }).where('id', '=', first.id).execute()
    return [...(await person.get(PAGE)).body.matchAll(/<\/a><\/div><div>([^<]*)<\/div>/g)].map(([, says]) => says).at(-1)
  }

  assert.match((await person.get(PAGE)).body, /<div>You added it</)
  assert.match(String(await saysOfFirst('assigned')), / assigned you$/)
  assert.equal(await saysOfFirst('unmergeable'), 'It cannot be merged')
})

test('what matches is snoozed and done, and taken back', async () => {
  const { person, projects, titles, shown } = await busyPerson()
  const [first, second] = projects.map(({ id }) => ({ project_id: String(id) }))
  const counter = async () => /To-dos: (\d+)/.exec((await person.get('/explore')).body)?.[1]
  assert.equal(await counter(), '2')

  assert.equal((await person.submit(`${PAGE}/snooze`, { ...first, type: '', days: '7' })).status, 303)
  assert.deepEqual([await shown(), await shown({ state: 'snoozed' }), await counter()], [titles.slice(1), titles.slice(0, 1), '1'])

  const over = { snoozed_until: new Date(Date.now() - 1_000) }
  const mine = scene.deps.database.db.updateTable('todos').where('user_id', '=', person.person.id).where('snoozed_until', 'is not', null)
  await mine.set(over).execute()
  assert.deepEqual(await shown(), titles, 'it comes back by itself')
  await mine.set({ snoozed_until: new Date(Date.now() + 60_000) }).execute()

  const [, snoozed] = /\/dashboard\/todos\/(\d+)\/restore/.exec((await person.get(PAGE, { state: 'snoozed' })).body) ?? []
  assert.equal((await person.submit(`${PAGE}/${snoozed}/restore`, {})).status, 303)
  assert.deepEqual(await shown(), titles)
  assert.equal((await person.submit(`${PAGE}/${snoozed}/snooze`, {})).status, 303)
  assert.deepEqual(await shown({ state: 'snoozed' }), titles.slice(0, 1))

  assert.equal((await person.submit(`${PAGE}/done`, second ?? {})).status, 303)
  assert.deepEqual(
    [await shown(), await shown({ state: 'done' }), await shown({ state: 'snoozed' })],
    [[], titles.slice(1), titles.slice(0, 1)],
  )
  const [, done] = /\/dashboard\/todos\/(\d+)\/restore/.exec((await person.get(PAGE, { state: 'done' })).body) ?? []
  assert.equal((await (await surfer()).submit(`${PAGE}/${done}/restore`, {})).status, 404, 'that of another user is not there')
  assert.equal((await person.submit(`${PAGE}/${done}/restore`, {})).status, 303)
  assert.deepEqual(await shown(), titles.slice(1))
  const answer = await scene.as({ 'private-token': person.person.token }).get('/todos')
  assert.equal(answer.body.length, 2, 'the API answers all that are pending')
})

test('the page that one begins with has them too, and stays what one looks at when one is done', async () => {
  const { person, titles } = await busyPerson()
  const listed = async () => {
    const { body } = await person.get('/')
    const [, section = ''] = /<h2>To-dos<\/h2>(.*?)<\/section>/s.exec(body) ?? []
    return [titles.filter(title => section.includes(`>${title}</a>`)), /\/dashboard\/todos\/(\d+)\/done/.exec(section)?.[1]] as const
  }
  const [all, newest] = await listed()
  assert.match(
    (await person.get('/')).body,
    new RegExp(`id="waiting" data-live="[^"]*${person.person.id}"`),
    'new ones appear by themselves',
  )
  assert.deepEqual(all, titles)
  const { status, headers } = await person.submit(`${PAGE}/${newest}/done`, {}, { referer: `${scene.url}/` })
  assert.deepEqual([status, headers.location], [303, '/'])
  const [left, last] = await listed()
  assert.deepEqual(left, titles.slice(0, 1))
  await person.submit(`${PAGE}/${last}/done`, {})
  assert.deepEqual(await listed(), [[], undefined])
})

test('what a person may not see any more is neither listed nor counted', async () => {
  const { person, projects, titles, shown } = await busyPerson()
  const tokens = scene.as({ 'private-token': person.person.token })
  const counts = async () => [
    /To-dos: (\d+)/.exec((await person.get('/explore')).body)?.[1] ?? '0',
    (await tokens.get('/user_counts')).body.todos,
    (await tokens.get('/todos')).body.length,
  ]
  assert.deepEqual(await counts(), ['2', 2, 2])

  await scene.root.put(`/projects/${projects[0]?.id}`, { visibility: 'private' })
  await scene.root.delete(`/projects/${projects[0]?.id}/members/${person.person.id}`)

  assert.deepEqual(await shown(), titles.slice(1))
  assert.deepEqual(await counts(), ['1', 1, 1])
})
