/** Following users (users API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()
const names = (answer: { body: { username: string }[] }) => answer.body.map(row => row.username)
const countsOf = async (reader: { get: Person['get'] }, { id }: Person) => {
  const { followers, following } = (await reader.get(`/users/${id}`)).body
  return { followers, following }
}

test('a user follows another once and stops once; a repetition is 304', async () => {
  const [ada, bob] = [await scene.user(), await scene.user()]

  const followed = await ada.post(`/users/${bob.id}/follow`)

  assert.deepEqual([followed.status, followed.body.username], [201, bob.username])
  assert.equal((await ada.post(`/users/${bob.id}/follow`)).status, 304)
  assert.deepEqual(names(await bob.get(`/users/${bob.id}/followers`)), [ada.username])
  assert.deepEqual(names(await bob.get(`/users/${ada.id}/following`)), [bob.username])
  assert.deepEqual(await countsOf(scene.root, bob), { followers: 1, following: 0 })
  assert.deepEqual(await countsOf(bob, ada), { followers: 0, following: 1 })
  assert.deepEqual([(await ada.post(`/users/${bob.id}/unfollow`)).status, (await ada.post(`/users/${bob.id}/unfollow`)).status], [201, 304])
  assert.deepEqual(names(await bob.get(`/users/${bob.id}/followers`)), [])
})

test('nobody follows themselves, and a deleted account follows nobody', async () => {
  const [ada, bob] = [await scene.user(), await scene.user()]
  await ada.post(`/users/${bob.id}/follow`)

  assert.equal((await bob.post(`/users/${bob.id}/follow`)).status, 304)
  await scene.root.delete(`/users/${ada.id}`)
  assert.deepEqual(await countsOf(bob, bob), { followers: 0, following: 0 })
})

test('a private profile shows others neither followers nor counts', async () => {
  const [ada, bob] = [await scene.user(), await scene.user()]
  await ada.post(`/users/${bob.id}/follow`)
  await bob.put('/user', { private_profile: true })

  assert.deepEqual(names(await ada.get(`/users/${bob.id}/followers`)), [])
  assert.deepEqual(await countsOf(ada, bob), { followers: undefined, following: undefined })
  assert.deepEqual(names(await bob.get(`/users/${bob.id}/followers`)), [ada.username])
  assert.deepEqual(await countsOf(scene.root, bob), { followers: 1, following: 0 })
})
