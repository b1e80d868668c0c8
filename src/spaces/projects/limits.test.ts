/** The limit of projects applies to concurrent requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const statuses = async (requests: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status).sort()

test('of eight projects that a user with a limit of one creates concurrently, one is created', async () => {
  const person = await scene.user({ projects_limit: 1 })

  const answers = await statuses(Array.from({ length: 8 }, (_, index) => person.post('/projects', { name: `concurrent ${index}` })))

  assert.deepEqual(answers, [201, 400, 400, 400, 400, 400, 400, 400])
  assert.equal((await person.get('/projects', { owned: 'true' })).body.length, 1)
})

test('forks, transfers and creations for the user count against the same limit', async () => {
  const person = await scene.user({ projects_limit: 2 })
  const { project: source } = await scene.project({ visibility: 'public' })
  const { group } = await scene.group({ owner: person })
  const { project: moved } = await scene.project({ owner: person, group })

  const answers = await statuses([
    person.post(`${source.url}/fork`, { name: 'forked', path: 'forked' }),
    person.put(`${moved.url}/transfer`, { namespace: person.username }),
    person.post('/projects', { name: 'made' }),
    scene.root.post(`/projects/user/${person.id}`, { name: 'given' }),
  ])

  assert.equal(answers.filter(status => status < 300).length, 2, String(answers))
  assert.equal((await person.get(`/users/${person.id}/projects`)).body.length, 2)
})
