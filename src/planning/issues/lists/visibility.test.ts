import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { openScene, type Person } from '../../../../test/scene.ts'

const scene = await openScene()

/** The titles of a list with its total. */
const counted = ({ status, body, headers }: Answer): string => {
  assert.equal(status, 200, JSON.stringify(body))
  return [headers['x-total'], ...body.map((issue: { title: string }) => issue.title)].join(' ')
}

test('lists by labels and milestones count only issues that the caller may see (document 3; decisions 33, 34)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest } = await scene.project({ group, owner, visibility: 'public', members: ['guest'] })
  const { project: hidden } = await scene.project({ group, owner, visibility: 'private' })
  for (const { url } of [project, hidden]) {
    const { body: milestone } = await owner.post(`${url}/milestones`, { title: 'listed v1' })
    const planned = { labels: 'listed bug,listed urgent', milestone_id: milestone.id }
    await owner.post(`${url}/issues`, { title: url === hidden.url ? 'hidden' : 'open', ...planned })
    await owner.post(`${url}/issues`, { title: 'secret', confidential: true, ...planned })
    await owner.post(`${url}/issues`, { title: 'assigned', confidential: true, assignee_ids: [guest.id], ...planned })
  }
  const outsider = await scene.user()
  const everywhere = async (who: Pick<Person, 'get'>, query: Record<string, string>) => {
    const places = [`${project.url}/issues`, `${group.url}/issues`, '/issues?scope=all']
    const answers = await Promise.all(places.map(path => who.get(path, { sort: 'asc', ...query })))
    return answers.map(counted)
  }

  const both = { labels: 'listed bug,listed urgent' }
  const queries = [
    { labels: 'listed bug' },
    both,
    { ...both, milestone: 'listed v1' },
    { ...both, state: 'opened' },
    { ...both, 'not[milestone]': 'listed v2' },
  ]
  for (const query of queries) {
    assert.deepEqual(await everywhere(outsider, query), ['1 open', '1 open', '1 open'])
    assert.deepEqual(await everywhere(guest, query), ['2 open assigned', '2 open assigned', '2 open assigned'])
    const all = '6 open secret assigned hidden secret assigned'
    assert.deepEqual(await everywhere(owner, query), ['3 open secret assigned', all, all])
    assert.deepEqual(await everywhere(scene.root, query), ['3 open secret assigned', all, all])
  }
  for (const query of [{ labels: 'listed bug,on nothing' }, { ...both, state: 'closed' }, { ...both, 'not[milestone]': 'listed v1' }])
    assert.deepEqual(await everywhere(owner, query), ['0', '0', '0'])
})

test('a label of a group reveals nothing about issues in projects hidden from the caller (decision 33)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  await owner.post(`${group.url}/labels`, { name: 'shared label', color: '#112233' })
  const { project } = await scene.project({ group, owner, visibility: 'public' })
  const { project: hidden } = await scene.project({ group, owner, visibility: 'private' })
  await owner.post(`${project.url}/issues`, { title: 'open', labels: 'shared label' })
  await owner.post(`${hidden.url}/issues`, { title: 'hidden', labels: 'shared label' })
  const outsider = await scene.user()
  const list = async (who: Person) => {
    const places = [`${group.url}/issues`, '/issues?scope=all']
    return (await Promise.all(places.map(path => who.get(path, { sort: 'asc', labels: 'shared label' })))).map(counted)
  }

  assert.deepEqual(await list(outsider), ['1 open', '1 open'])
  assert.deepEqual(await list(owner), ['2 open hidden', '2 open hidden'])
})

test('where issues are for members, a project tells nobody else how many there are', async () => {
  const { project, owner, guest } = await scene.project({ visibility: 'public', members: ['guest'] })
  const outsider = await scene.user()
  await owner.post(`${project.url}/issues`, { title: 'open' })
  const countFor = async (who: Person): Promise<unknown> => (await who.get(project.url)).body.open_issues_count
  assert.equal(await countFor(outsider), 1)

  assert.equal((await owner.put(project.url, { issues_access_level: 'private' })).status, 200)

  assert.equal(await countFor(outsider), undefined)
  assert.deepEqual([await countFor(guest), await countFor(owner)], [1, 1])
})
