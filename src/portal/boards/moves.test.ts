import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A board of a project with lists of two labels, a scoped label, the planner and a milestone, and a way to move issues over it by its page. */
async function planned() {
  const planner = await surfer()
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  await owner.post(`${group.url}/members`, { user_id: planner.person.id, access_level: 20 })
  const post = async (path: string, body: object) => {
    const made = await owner.post(path, body)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  }
  const board = await post(`${project.url}/boards`, { name: 'Work' })
  const lists: Record<string, string> = { open: 'open', closed: 'closed' }
  const add = async (name: string, body: object) => {
    lists[name] = String((await post(`${project.url}/boards/${board.id}/lists`, body)).id)
  }
  for (const name of ['ready', 'doing', 'at::one', 'at::two'])
    await add(name, { label_id: (await post(`${project.url}/labels`, { name, color: '#d73a4a' })).id })
  await add('planner', { assignee_id: planner.person.id })
  await add('harbour', { milestone_id: (await post(`${project.url}/milestones`, { title: 'Harbour' })).id })
  const base = `/${project.full_path}/-/boards/${board.id}`
  return {
    project,
    owner,
    group,
    planner,
    base,
    lists,
    issue: async (body: object = {}) => post(`${project.url}/issues`, { title: 'Lamp', ...body }),
    move: (by: typeof planner, id: number, from: string, to: string, more: Record<string, string> = {}) =>
      by.submit(`${base}/issues/${id}/drag`, { from: lists[from] as string, list: lists[to] as string, ...more }),
    async state(iid: number) {
      const { body } = await owner.get(`${project.url}/issues/${iid}`)
      return [body.state, ...body.labels, ...body.assignees.map(() => 'planner'), ...(body.milestone ? [body.milestone.title] : [])].join(
        ' ',
      )
    },
  }
}

test('an issue gets what its new list stands for and loses what its old one of the same kind stands for', async () => {
  const { issue, move, state, planner } = await planned()
  const { id, iid } = await issue({ labels: 'bug' })
  const steps: readonly (readonly [from: string, to: string, then: string])[] = [
    ['open', 'ready', 'opened bug ready'],
    ['ready', 'doing', 'opened bug doing'],
    ['doing', 'planner', 'opened bug doing planner'],
    ['planner', 'harbour', 'opened bug doing planner Harbour'],
    ['harbour', 'ready', 'opened bug doing ready planner Harbour'],
    ['ready', 'at::one', 'opened at::one bug doing planner Harbour'],
    ['doing', 'at::two', 'opened at::two bug planner Harbour'],
    ['at::two', 'closed', 'closed bug planner Harbour'],
    ['closed', 'doing', 'opened bug doing planner Harbour'],
    ['planner', 'open', 'opened bug Harbour'],
    ['harbour', 'open', 'opened bug'],
    ['open', 'closed', 'closed bug'],
    ['closed', 'open', 'opened bug'],
  ]
  for (const [from, to, then] of steps) {
    const answer = await move(planner, id, from, to)
    assert.equal(answer.status, 200, `${from} to ${to}: ${answer.body}`)
    assert.equal(await state(iid), then, `${from} to ${to}`)
  }
})

/** The titles of a column, as the page shows them. */
const titlesIn = (body: string, list: string): string[] => {
  const [, column = ''] = body.split(`id="column-${list}"`)
  return [...(column.split('</section>', 1)[0] as string).matchAll(/<div class="title">.*?<a [^>]*>([^<]*)</g)].map(
    ([, title = '']) => title,
  )
}

test('a card goes between its new neighbours, and stays there whatever other columns have in between', async () => {
  const { issue, move, planner, base, lists } = await planned()
  const made = []
  for (const title of ['a', 'x', 'b', 'y', 'c']) made.push(await issue({ title, labels: /[abc]/.test(title) ? 'ready' : '' }))
  const [a, x, b, y, c] = made
  const moved = await move(planner, y.id, 'open', 'ready', { move_after_id: String(a.id), move_before_id: String(b.id) })
  assert.equal(moved.status, 200)
  await move(planner, c.id, 'ready', 'ready', { move_before_id: String(a.id) })
  // A neighbour that is not there any more does not refuse the move.
  await move(planner, x.id, 'open', 'ready', { move_after_id: '999999999', move_before_id: String(b.id) })
  assert.deepEqual(titlesIn((await planner.get(base)).body, lists.ready as string), ['c', 'a', 'y', 'x', 'b'])
})

test('the form moves a card to a place by its number', async () => {
  const { issue, planner, base, lists } = await planned()
  for (const title of ['a', 'b', 'c']) await issue({ title, labels: 'ready' })
  const { id } = await issue({ title: 'new' })
  const form = await planner.get(`${base}/issues/${id}/move`, { from: 'open' })
  assert.match(form.body, /<option value="open" selected>Open/)
  for (const [place, then] of [
    ['2', ['a', 'new', 'b', 'c']],
    ['1', ['new', 'a', 'b', 'c']],
    ['99', ['a', 'b', 'c', 'new']],
  ] as const) {
    const sent = await planner.submit(`${base}/issues/${id}/move`, { from: 'open', list: lists.ready as string, place, back: base })
    assert.deepEqual([sent.status, sent.headers.location], [303, base])
    assert.deepEqual(titlesIn((await planner.get(base)).body, lists.ready as string), then, place)
  }
  assert.equal((await planner.submit(`${base}/issues/${id}/move`, { list: lists.ready as string, place: '0' })).status, 422)
})

test('concurrent moves of the same cards lose nothing', async () => {
  const { issue, move, planner, base, lists } = await planned()
  const made = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(title => issue({ title })))
  const answers = await Promise.all(
    made.flatMap(({ id }, nth) => [
      move(planner, id, 'open', 'ready', { move_before_id: String(made[(nth + 1) % 6].id) }),
      move(planner, id, 'open', 'doing', { move_after_id: String(made[(nth + 2) % 6].id) }),
    ]),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { body } = await planner.get(base)
  // Each has both labels: both moves began in the open column.
  for (const list of ['ready', 'doing'])
    assert.deepEqual(titlesIn(body, lists[list] as string).sort(), ['a', 'b', 'c', 'd', 'e', 'f'], list)
})

test('a list refuses an issue whose project its assignee may not see, and nothing of the move is kept', async () => {
  const { issue, move, planner, owner, project, base, state } = await planned()
  const stranger = await scene.user()
  const list = await owner.post(`${project.url}/boards/${base.split('/').at(-1)}/lists`, { assignee_id: stranger.id })
  const { id, iid } = await issue({ labels: 'ready' })
  const refused = await planner.submit(`${base}/issues/${id}/drag`, { from: 'open', list: String(list.body.id) })
  assert.equal(refused.status, 400)
  assert.match(refused.body, /role="alert">[^<]*may not see the issues/)
  assert.equal(await state(iid), 'opened ready')
  assert.equal((await move(planner, id, 'open', 'ready', { list: 'nowhere' })).status, 404)
})

test('readers see the board without controls, and confidential issues are for those who may see them', async () => {
  const { issue, move, planner, group, owner, base } = await planned()
  const guest = await surfer()
  await owner.post(`${group.url}/members`, { user_id: guest.person.id, access_level: 10 })
  const { id } = await issue({ title: 'Open lamp', labels: 'ready' })
  const secret = await issue({ title: 'Secret lamp', labels: 'ready', confidential: true })

  const { body } = await guest.get(base)
  assert.match(body, /Open lamp/)
  assert.doesNotMatch(body, /Secret lamp|sortable-list|Add list|data-sort-to|New issue in/)
  assert.match((await planner.get(base)).body, /Secret lamp/)
  assert.equal((await move(guest, id, 'ready', 'doing')).status, 403)
  assert.equal((await move(guest, secret.id, 'ready', 'doing')).status, 404)
  assert.equal((await guest.get(`${base}/issues/${secret.id}`)).status, 404)
  const outsider = await surfer()
  assert.equal((await outsider.get(base)).status, 404)
  assert.equal((await outsider.get(`/groups/${group.full_path}/-/boards`)).status, 404)
})
