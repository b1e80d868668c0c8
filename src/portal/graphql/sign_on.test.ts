/** What callers who have not signed in, or not with the provider of a group, are not answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { openSamlProvider } from '../../identity/saml/scene.ts'
import { csrfTokenFor } from '../../platform/kernel/csrf.ts'
import { sessionCookie } from './mutations/scene.ts'

const scene = await openScene()
const password = 'right-horse-battery'

async function ask(query: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test says which fields it asked for
  const { data, errors } = (await answer.json()) as { data: any; errors?: unknown }
  assert.equal(errors, undefined)
  return data
}

test('profiles are for callers who are signed in, and authors are shown to all', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put('/user', { location: 'Oslo' })
  await owner.post(`${project.url}/issues`, { title: 'One' })
  const query = `{ a: user(username: "${owner.username}") { name } b: user(id: "gid://gitlab/User/${owner.id}") { name }
    project(fullPath: "${project.full_path}") { issue(iid: "1") { author { username name state webUrl webPath bot location publicEmail email } } } }`
  const { id: _, name, username } = (await owner.get('/user')).body
  const author = { username, name, state: 'active', webUrl: `${scene.url}/${username}`, webPath: `/${username}`, bot: false }
  const hidden = { location: null, publicEmail: null, email: null }

  assert.deepEqual(await ask(query), { a: null, b: null, project: { issue: { author: { ...author, ...hidden } } } })
  const seen = await ask(query, { 'private-token': (await scene.user()).token })
  assert.deepEqual([seen.a, seen.b, seen.project.issue.author.location], [{ name }, { name }, 'Oslo'])
})

test('a session that has to sign in for a group first reaches nothing in it', async () => {
  const provider = await openSamlProvider({ ada: {} })
  const owner = await scene.user()
  const { group } = await scene.group({ owner, visibility: 'private' })
  const settings = { issuer: provider.issuer, sso_url: provider.ssoUrl, certificate: provider.pair.certificate, enforced: true }
  assert.equal((await owner.put(`${group.url}/saml_provider`, settings)).status, 200)
  const person = await scene.user({ password })
  await owner.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
  const { project } = await scene.project({ group, owner })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const issue = (await owner.post(`${project.url}/issues`, { title: 'Hidden' })).body
  const merge = await scene.mergeRequest(project, { author: person })
  await person.post(`${project.url}/issues/${issue.iid}/todo`)
  await person.post(`${project.url}/snippets`, { title: 'Hidden', visibility: 'private', files: [{ file_path: 'a', content: 'a' }] })
  const cookie = await sessionCookie(scene, person, password)
  const { deps } = scene
  const { id } = await deps.database.db.selectFrom('sessions').select('id').where('user_id', '=', person.id).executeTakeFirstOrThrow()
  const session = { cookie, 'x-csrf-token': csrfTokenFor(String(id), deps.secrets) }
  const query = `{ issue(id: "gid://gitlab/Issue/${issue.id}") { title notes { count } userPermissions { readIssue } }
    mergeRequest(id: "gid://gitlab/MergeRequest/${merge.id}") { iid participants { count } userPermissions { readMergeRequest } }
    currentUser { authoredMergeRequests { count nodes { iid } } todos { count nodes { body } } snippets { count } }
    groups { nodes { userPermissions { readGroup } } } }`

  assert.deepEqual(await ask(query, session), {
    issue: null,
    mergeRequest: null,
    currentUser: { authoredMergeRequests: { count: 0, nodes: [] }, todos: { count: 0, nodes: [] }, snippets: { count: 0 } },
    groups: { nodes: [{ userPermissions: { readGroup: false } }] },
  })
  const mutation = `mutation { createNote(input: { noteableId: "gid://gitlab/Issue/${issue.id}", body: "Hello" }) { errors } }`
  await assert.rejects(ask(mutation, session), /permission to perform this action/)
  assert.deepEqual(await ask(query, { 'private-token': person.token }), {
    issue: { title: 'Hidden', notes: { count: 0 }, userPermissions: { readIssue: true } },
    mergeRequest: { iid: '1', participants: { count: 1 }, userPermissions: { readMergeRequest: true } },
    currentUser: {
      authoredMergeRequests: { count: 1, nodes: [{ iid: '1' }] },
      todos: { count: 1, nodes: [{ body: 'Hidden' }] },
      snippets: { count: 1 },
    },
    groups: { nodes: [{ userPermissions: { readGroup: true } }] },
  })
})
