/** What changes while a pipeline is planned, which can take as long as another server takes to answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdServer } from '../../../test/held_server.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })

/** A project whose CI file includes one of a server that answers when it is let. */
async function slowProject() {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  const server = await holdServer('build: {script: "true"}\n')
  const remote = `${server.url}/ci.yml`
  await scene.commit(made.project, { '.gitlab-ci.yml': `include: {remote: "${remote}"}\n` }, { message: 'Begin [skip ci]' })
  await made.owner.delete(`${made.project.url}/protected_branches/main`)
  return {
    ...made,
    /** What a request is answered that is overtaken by a change. */
    async overtaken<T>(request: () => Promise<T>, change: () => Promise<{ readonly status: number }>): Promise<T> {
      const answer = request()
      await server.asked
      assert.ok((await change()).status < 300)
      server.answer()
      return answer
    },
  }
}

test('a member who loses their role while a pipeline is planned gets none', async () => {
  const { project, owner, developer, overtaken } = await slowProject()
  const members = `${project.url}/members/${developer.id}`

  const answer = await overtaken(
    () => developer.post(`${project.url}/pipeline`, { ref: 'main' }),
    () => owner.put(members, { access_level: 20 }),
  )

  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body.message, { base: ['Insufficient permissions to create a new pipeline'] })
  assert.deepEqual((await owner.get(`${project.url}/pipelines`)).body, [])
})

test('a branch that is protected while a pipeline is planned gets none that is not', async () => {
  const { project, owner, maintainer, overtaken } = await slowProject()

  const answer = await overtaken(
    () => maintainer.post(`${project.url}/pipeline`, { ref: 'main' }),
    () => owner.post(`${project.url}/protected_branches`, { name: 'main' }),
  )

  assert.equal(answer.status, 400)
  assert.deepEqual((await owner.get(`${project.url}/pipelines`)).body, [])
})

test('a trigger that is deleted while its pipeline is planned opens nothing', async () => {
  const { project, owner, maintainer, overtaken } = await slowProject()
  const { body: trigger } = await maintainer.post(`${project.url}/triggers`, { description: 'Docs' })
  const fire = () => scene.anonymous.post(`${project.url}/trigger/pipeline`, { token: trigger.token, ref: 'main' })

  const answer = await overtaken(fire, () => maintainer.delete(`${project.url}/triggers/${trigger.id}`))

  assert.equal(answer.status, 404)
  assert.deepEqual((await owner.get(`${project.url}/pipelines`)).body, [])
})
