/** What changes while a pipeline is planned, which can take as long as another server takes to answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { holdServer } from '../../../test/held_server.ts'
import { openScene } from '../../../test/scene.ts'
import { playground } from '../pipelines/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const ci = await playground(scene)

/** The pipelines of a project that are not skipped, and whether each is protected. */
const made = (projectId: number) =>
  scene.deps.database.db
    .selectFrom('pipelines')
    .select(['status', 'source', 'protected'])
    .where('project_id', '=', projectId)
    .where('status', '!=', 'skipped')
    .execute()

/** The same, once there are some. */
const madeLater = (projectId: number) =>
  eventually(async () => {
    const found = await made(projectId)
    return found.length > 0 && found
  }, 'a pipeline of the project')

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
  assert.deepEqual(await made(project.id), [])
})

test('a branch that is protected while a pipeline is planned gets one that is', async () => {
  const { project, owner, maintainer, overtaken } = await slowProject()

  const answer = await overtaken(
    () => maintainer.post(`${project.url}/pipeline`, { ref: 'main' }),
    () => owner.post(`${project.url}/protected_branches`, { name: 'main' }),
  )

  assert.equal(answer.status, 201)
  assert.deepEqual(await made(project.id), [{ status: 'pending', source: 'api', protected: true }])
})

test('a branch that is protected while a pipeline is planned gets none of a user who may not run it any more', async () => {
  const { project, owner, developer, overtaken } = await slowProject()

  const answer = await overtaken(
    () => developer.post(`${project.url}/pipeline`, { ref: 'main' }),
    () => owner.post(`${project.url}/protected_branches`, { name: 'main' }),
  )

  assert.equal(answer.status, 400)
  assert.deepEqual(await made(project.id), [])
})

test('a push keeps its pipeline whose branch is protected while it is planned', async () => {
  const { project, owner, overtaken } = await slowProject()
  const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
  const push = await owner.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Add a', actions })
  assert.equal(push.status, 201)

  await overtaken(
    async () => undefined,
    () => owner.post(`${project.url}/protected_branches`, { name: 'main' }),
  )

  assert.deepEqual(await madeLater(project.id), [{ status: 'pending', source: 'push', protected: true }])
})

test('a bridge starts its pipeline whose branch is opened while it is planned', async () => {
  const { project, owner, overtaken } = await slowProject()
  await owner.post(`${project.url}/protected_branches`, { name: 'main' })
  await ci.project(`deploy: {trigger: {project: ${project.full_path}, branch: main}}\n`, { owner })

  await overtaken(
    async () => undefined,
    () => owner.delete(`${project.url}/protected_branches/main`),
  )

  assert.deepEqual(await madeLater(project.id), [{ status: 'pending', source: 'pipeline', protected: false }])
})

test('a trigger that is deleted while its pipeline is planned opens nothing', async () => {
  const { project, maintainer, overtaken } = await slowProject()
  const { body: trigger } = await maintainer.post(`${project.url}/triggers`, { description: 'Docs' })
  const fire = () => scene.anonymous.post(`${project.url}/trigger/pipeline`, { token: trigger.token, ref: 'main' })

  const answer = await overtaken(fire, () => maintainer.delete(`${project.url}/triggers/${trigger.id}`))

  assert.equal(answer.status, 404)
  assert.deepEqual(await made(project.id), [])
})
