/** Access requests API of the v4 level 14.0, for groups and projects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** A public group and a public project, each with a user who manages it. */
async function places() {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, maintainer } = await scene.project({ visibility: 'public', members: ['maintainer'] })
  return { group: { ...group, manager: owner }, project: { ...project, manager: maintainer } }
}

for (const noun of ['group', 'project'] as const)
  describe(`access to a ${noun}`, () => {
    test('is requested, shown to the manager, and approved with a level', async () => {
      const { url, manager } = (await places())[noun]
      const person = await scene.user()

      const asked = await person.post(`${url}/access_requests`)
      assert.equal(asked.status, 201)
      assert.equal(asked.body.username, person.username)
      assert.match(asked.body.requested_at, /^\d{4}-\d\d-\d\dT/)
      assert.deepEqual((await manager.get(`${url}/access_requests`)).body, [asked.body])

      const approved = await manager.put(`${url}/access_requests/${person.id}/approve`, { access_level: 20 })
      assert.deepEqual([approved.status, approved.body.id, approved.body.access_level], [201, person.id, 20])
      assert.equal((await person.get(`${url}/members/${person.id}`)).body.access_level, 20)
      assert.deepEqual((await manager.get(`${url}/access_requests`)).body, [])
    })

    test('is approved as Developer by default', async () => {
      const { url, manager } = (await places())[noun]
      const person = await scene.user()
      await person.post(`${url}/access_requests`)

      assert.equal((await manager.put(`${url}/access_requests/${person.id}/approve`)).body.access_level, 30)
    })

    test('is denied', async () => {
      const { url, manager } = (await places())[noun]
      const person = await scene.user()
      await person.post(`${url}/access_requests`)

      assert.equal((await manager.delete(`${url}/access_requests/${person.id}`)).status, 204)
      assert.deepEqual(await manager.delete(`${url}/access_requests/${person.id}`), {
        status: 404,
        body: { message: '404 Access Request Not Found' },
      })
      assert.equal((await manager.get(`${url}/members/${person.id}`)).status, 404)
    })

    test('may be withdrawn by the requesting user, and not by others', async () => {
      const { url } = (await places())[noun]
      const [person, another] = [await scene.user(), await scene.user()]
      await person.post(`${url}/access_requests`)

      assert.equal((await another.delete(`${url}/access_requests/${person.id}`)).status, 403)
      assert.equal((await another.put(`${url}/access_requests/${person.id}/approve`)).status, 403)
      assert.equal((await person.put(`${url}/access_requests/${person.id}/approve`)).status, 403)
      assert.equal((await person.delete(`${url}/access_requests/${person.id}`)).status, 204)
    })

    test('is requested once', async () => {
      const { url } = (await places())[noun]
      const person = await scene.user()
      await person.post(`${url}/access_requests`)

      assert.deepEqual(await person.post(`${url}/access_requests`), {
        status: 400,
        body: { message: { user_id: ['has already been taken'] } },
      })
    })

    test('is not requested by members, nor where requests are disabled', async () => {
      const { url, manager } = (await places())[noun]
      assert.equal((await manager.post(`${url}/access_requests`)).status, 403)

      await scene.root.put(url, { request_access_enabled: false })

      assert.equal((await (await scene.user()).post(`${url}/access_requests`)).status, 403)
    })

    test('has no request any more once the user is a member by other means', async () => {
      const { url, manager } = (await places())[noun]
      const person = await scene.user()
      await person.post(`${url}/access_requests`)
      await manager.post(`${url}/members`, { user_id: person.id, access_level: 10 })
      assert.deepEqual((await manager.get(`${url}/access_requests`)).body, [])

      await manager.delete(`${url}/members/${person.id}`)

      assert.deepEqual((await manager.get(`${url}/access_requests`)).body, [])
    })
  })

test('a private place is hidden from users who could request access', async () => {
  const { project } = await scene.project()

  assert.equal((await (await scene.user()).post(`${project.url}/access_requests`)).status, 404)
})

test('no user grants more than their own level, and a project has no owners among its members', async () => {
  const { url, manager } = (await places()).project
  const person = await scene.user()
  await person.post(`${url}/access_requests`)

  assert.equal((await manager.put(`${url}/access_requests/${person.id}/approve`, { access_level: 50 })).status, 400)
})

test('members of an ancestor group cannot request access below it', async () => {
  const { group, developer } = await scene.group({ visibility: 'public', members: ['developer'] })
  const { project } = await scene.project({ group, visibility: 'public' })

  assert.equal((await developer.post(`${project.url}/access_requests`)).status, 403)
})

test('a request that is denied and approved at a time is one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const { project, owner } = await scene.project({ visibility: 'public' })
    const person = await scene.user()
    await person.post(`${project.url}/access_requests`)
    const address = `${project.url}/access_requests/${person.id}`
    const [denied, approved] = await Promise.all([owner.delete(address), owner.put(`${address}/approve`)])
    assert.ok([denied.status, approved.status].includes(404) && denied.status !== approved.status, `${denied.status} ${approved.status}`)
    const isMember = (await owner.get(`${project.url}/members/${person.id}`)).status === 200
    assert.equal(isMember, approved.status === 201)
  }
})
