/** Attributes of a project that need an ability of their own. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene

/** A client with a project token of level 40, the highest possible. */
async function tokenOf(project: SceneProject, owner: Person) {
  const made = await owner.post(`${project.url}/access_tokens`, { name: 'ci', scopes: ['api'], access_level: 40 })
  assert.equal(made.status, 201)
  return scene.as({ 'private-token': made.body.token })
}

const shown = async (project: SceneProject) => {
  const { visibility, path, emails_disabled } = (await root.get(project.url)).body
  return { visibility, path, emails_disabled }
}

describe('an attribute for the owners of a project', () => {
  for (const change of [{ visibility: 'public' }, { path: 'moved-away' }, { emails_disabled: true }])
    test(`${Object.keys(change)}: is refused to Maintainers and to project tokens, with the whole request`, async () => {
      const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
      const before = await shown(project)

      for (const caller of [maintainer, await tokenOf(project, owner)]) {
        const answer = await caller.put(project.url, { ...change, description: 'Taken' })
        assert.deepEqual(answer, { status: 403, body: { message: '403 Forbidden' } })
      }

      assert.deepEqual(await shown(project), before)
      assert.notEqual((await root.get(project.url)).body.description, 'Taken')
      assert.equal((await owner.put(project.url, change)).status, 200)
      assert.deepEqual(await shown(project), { ...before, ...change })
    })

  test('may be sent back unchanged by a Maintainer, as part of a whole object', async () => {
    const { project, maintainer } = await scene.project({ members: ['maintainer'] })
    const before = await shown(project)

    const { status, body } = await maintainer.put(project.url, { ...before, description: 'Mine' })

    assert.deepEqual([status, body.description], [200, 'Mine'])
    assert.deepEqual(await shown(project), before)
  })
})

test('an attribute for administrators is ignored when others send it (decision 48)', async () => {
  const { project, owner } = await scene.project()

  const answer = await owner.put(project.url, { repository_storage: 'elsewhere', mirror_user_id: root.id, description: 'Mine' })

  assert.deepEqual([answer.status, answer.body.description], [200, 'Mine'])
  assert.equal((await root.get(project.url)).body.repository_storage, 'default')
})
