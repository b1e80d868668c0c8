/** External users have in internal places what their role gives, and nothing by the visibility. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openScene, type Person, type SceneProject } from '../../../test/scene.ts'

const scene = await openScene()

/** An internal project with code and a merge request, and two Guests of it, one of them external. */
async function internalProject() {
  const { project, owner } = await scene.project({ visibility: 'internal' })
  const proposal = await scene.mergeRequest(project)
  const [external, regular] = [await scene.user({ external: true }), await scene.user()]
  for (const { id } of [external, regular]) await owner.post(`${project.url}/members`, { user_id: id, access_level: 10 })
  return { project, owner, proposal, external, regular }
}

const gitStatus = async (project: SceneProject, { username, token }: Person, service = 'git-upload-pack') => {
  const authorization = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`
  const answer = await fetch(`${scene.url}/${project.full_path}.git/info/refs?service=${service}`, { headers: { authorization } })
  await answer.arrayBuffer()
  return answer.status
}

test('an external Guest of an internal project reads neither its code nor its merge requests', async () => {
  const { project, proposal, external, regular } = await internalProject()
  const { url } = project
  const reads = [
    `${url}/repository/tree`,
    `${url}/repository/branches`,
    `${url}/repository/commits`,
    `${url}/repository/archive.tar.gz`,
    `${url}/repository/files/BEGINNING.md/raw?ref=main`,
    `${url}/merge_requests`,
    proposal.url,
    `${proposal.url}/changes`,
    `${proposal.url}/notes`,
    `${url}/environments`,
    `${url}/deployments`,
    `${url}/repository/commits/${proposal.sha}/statuses`,
  ]
  for (const path of reads) {
    assert.equal((await external.get(path)).status, 403, path)
    assert.equal((await regular.get(path)).status, 200, path)
  }
  assert.equal(await gitStatus(project, external), 403)
  assert.equal(await gitStatus(project, regular), 200)
  // What a Guest's role gives stays theirs.
  for (const path of [url, `${url}/issues`, `${url}/releases`, `${url}/labels`]) assert.equal((await external.get(path)).status, 200, path)
  assert.equal((await external.post(`${url}/issues`, { title: 'Help' })).status, 201)
})

test('nor writes what any signed-in user may in an open project', async () => {
  const { project, proposal, external } = await internalProject()
  const { group } = await scene.group({ visibility: 'internal' })
  await scene.root.post(`${group.url}/members`, { user_id: external.id, access_level: 40 })

  assert.equal((await external.post(`${proposal.url}/notes`, { body: 'Hello' })).status, 403)
  assert.equal((await external.post(`${project.url}/fork`, { namespace_id: group.id })).status, 403)
  assert.equal(
    (await external.post(`${project.url}/merge_requests`, { source_branch: 'a', target_branch: 'main', title: 'A' })).status,
    403,
  )
})

test('nor finds it in lists, feeds, searches and to-do items', async () => {
  const { project, proposal, external, regular, owner } = await internalProject()
  await owner.post(`${proposal.url}/notes`, { body: `the walrus, @${external.username} @${regular.username}` })
  const found = async (who: Client, path: string, query: Record<string, string> = {}) => {
    const answer = await who.get(path, query)
    assert.equal(answer.status, 200, path)
    return answer.body.length as number
  }
  const places: [string, Record<string, string>?][] = [
    ['/merge_requests', { scope: 'all', search: 'Paint' }],
    ['/search', { scope: 'merge_requests', search: 'Paint' }],
    [`${project.url}/search`, { scope: 'notes', search: 'walrus' }],
    [`${project.url}/search`, { scope: 'blobs', search: 'Once' }],
    [`${project.url}/events`, { target_type: 'merge_request' }],
    [`${project.url}/events`, { action: 'pushed' }],
    ['/todos'],
  ]
  for (const [path, query] of places) {
    assert.equal(await found(external, path, query), 0, `${path} ${JSON.stringify(query)}`)
    assert.notEqual(await found(regular, path, query), 0, `${path} ${JSON.stringify(query)}`)
  }
})

test('the author of a merge request who is an external Guest by now neither reads nor changes it', async () => {
  const { project, owner } = await scene.project({ visibility: 'internal' })
  const external = await scene.user({ external: true })
  await owner.post(`${project.url}/members`, { user_id: external.id, access_level: 30 })
  const proposal = await scene.mergeRequest(project, { author: external })
  await owner.put(`${project.url}/members/${external.id}`, { access_level: 10 })

  assert.equal((await external.get(proposal.url)).status, 403)
  assert.equal((await external.put(proposal.url, { title: 'Mine' })).status, 403)
  assert.equal((await external.post(`${proposal.url}/approve`)).status, 403)
})

test('the bot of a project token that an external user made sees no other internal project', async () => {
  const { project, owner } = await scene.project({ visibility: 'internal' })
  const { project: other } = await scene.project({ visibility: 'internal' })
  const external = await scene.user({ external: true })
  await owner.post(`${project.url}/members`, { user_id: external.id, access_level: 40 })
  const { body: token } = await external.post(`${project.url}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 30 })
  const bot = scene.as({ 'private-token': token.token })

  assert.equal((await bot.get(project.url)).status, 200)
  assert.equal((await bot.get(other.url)).status, 404)
})

test('members with minimal access of a group know nothing of its private projects', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ owner, group })
  const person = await scene.user()
  await scene.deps.database.db
    .insertInto('members')
    .values({ namespace_id: group.id, user_id: person.id, access_level: 5, expires_at: null })
    .execute()
  await owner.post(`${project.url}/issues`, { title: 'The walrus' })

  assert.equal((await person.get(project.url)).status, 404)
  assert.deepEqual((await person.get('/issues', { scope: 'all', search: 'walrus' })).body, [])
  assert.deepEqual((await person.get('/projects', { membership: 'true' })).body, [])
  assert.equal((await person.get(group.url)).status, 200)
})
