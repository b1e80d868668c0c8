/** Groups that ask for a sign-in with their provider before git too, and single logout at the provider of a group. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { serveExchange } from '../../code/ssh/serve.ts'
import { newKey } from '../../identity/keys/scene.ts'
import { password } from '../../identity/oauth/scene.ts'
import { logoutLink, sentLogout } from '../../identity/saml/scene_logout.ts'
import { groupSamlScene } from './scene.ts'

const scene = await openScene()
const { company, signedIn, signOn } = groupSamlScene(scene)
const { db } = scene.deps.database

/** What git begins with, by this secret. */
async function statusOfGit(path: string, { username, token }: { readonly username: string; readonly token: string }) {
  const authorization = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`
  const address = `${scene.url}/${path}.git/info/refs`
  const { status, body } = await scene.anonymous.get(address, { service: 'git-upload-pack' }, { authorization })
  return { status, says: String(body) }
}

/** What SSH says to a fetch with a key of the person. */
async function saysSsh(person: Person, path: string): Promise<string> {
  const { body } = await person.post('/user/keys', { title: 'laptop', key: newKey() })
  const [lines, request, response] = [[] as string[], new PassThrough(), new PassThrough()]
  request.end('0000')
  response.resume()
  await serveExchange(scene.deps, {
    key: { kind: 'ssh_key', id: body.id },
    ip: '127.0.0.1',
    url: scene.url,
    line: `git-upload-pack '${path}.git'`,
    protocol: undefined,
    request,
    response,
    stall: { start: () => {}, packs: () => {}, stop: () => {} } as never,
    say: line => void lines.push(line),
    signal: new AbortController().signal,
  })
  return lines.join('\n')
}

const REFUSED = /Cannot find valid SSO session\. Please login via your group’s SSO at http.+\/-\/saml\/sso/

test('where a group asks for it, git opens to members while one of their sessions has signed in to the group', async () => {
  const made = await company({ enforced: true, git_check_enforced: true, default_membership_role: 30 })
  const { group, owner, provider } = made
  assert.equal(provider.git_check_enforced, true)
  const { project } = await scene.project({ group })
  const person = await scene.user({ password })
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
  const paths = [project.full_path, `${project.full_path}.wiki`, `${group.full_path}.wiki`]
  const browser = await signedIn(person)
  const all = { username: person.username, token: person.token }

  for (const path of paths) {
    const { status, says } = await statusOfGit(path, all)
    assert.equal(status, 403, path)
    assert.match(says, REFUSED)
  }
  assert.match((await statusOfGit(project.full_path, { ...all, token: password })).says, REFUSED)
  assert.match(await saysSsh(person, project.full_path), REFUSED)
  assert.match(await saysSsh(person, `${project.full_path}.wiki`), REFUSED)
  const batch = await scene.anonymous.post(
    `${scene.url}/${project.full_path}.git/info/lfs/objects/batch`,
    { operation: 'download', objects: [] },
    {
      authorization: `Basic ${Buffer.from(`${person.username}:${person.token}`).toString('base64')}`,
      'content-type': 'application/vnd.git-lfs+json',
      accept: 'application/vnd.git-lfs+json',
    },
  )
  assert.equal(batch.status, 403)
  assert.equal((await person.get(project.url)).status, 200, 'the API by a token goes on (14.0)')
  // Owners could not mend a broken provider otherwise, and bots sign in nowhere.
  assert.equal((await statusOfGit(project.full_path, owner)).status, 200)
  const { body: bot } = await owner.post(`${project.url}/access_tokens`, { name: 'ci', scopes: ['read_repository'], access_level: 30 })
  assert.equal((await statusOfGit(project.full_path, { username: 'ci', token: bot.token })).status, 200)
  const { body: deploy } = await owner.post(`${project.url}/deploy_tokens`, { name: 'd', username: 'd', scopes: ['read_repository'] })
  assert.equal((await statusOfGit(project.full_path, { username: 'd', token: deploy.token })).status, 200)

  await signOn(browser, made, 'ada')
  for (const path of paths) assert.equal((await statusOfGit(path, all)).status, 200, path)
  assert.equal((await statusOfGit(project.full_path, { ...all, token: password })).status, 200)
  assert.doesNotMatch(await saysSsh(person, project.full_path), REFUSED)

  await db
    .updateTable('session_sign_ons')
    .set({ signed_on_at: new Date(Date.now() - 25 * 3600_000) })
    .execute()
  assert.equal((await statusOfGit(project.full_path, all)).status, 403, 'a day later')
  const set = { issuer: made.idp.issuer, sso_url: made.idp.ssoUrl, certificate: made.idp.pair.certificate }
  await owner.put(`${group.url}/saml_provider`, { ...set, git_check_enforced: false })
  assert.equal((await statusOfGit(project.full_path, all)).status, 200)
  await owner.put(`${group.url}/saml_provider`, { ...set, git_check_enforced: true, enforced: false })
  assert.equal((await statusOfGit(project.full_path, all)).status, 200, 'it goes with the other one')
})

test('a public project of such a group is open to those who are no members', async () => {
  const made = await company({ enforced: true, git_check_enforced: true })
  await scene.root.put(made.group.url, { visibility: 'public' })
  const { project } = await scene.project({ group: made.group, visibility: 'public' })
  assert.equal((await statusOfGit(project.full_path, await scene.user())).status, 200)
})

test('who signs out at the provider of a group is signed out of the group, and their own session goes on', async () => {
  const made = await company({ enforced: true, slo_url: 'http://127.0.0.1:9/slo', default_membership_role: 30 })
  const { group, provider, idp } = made
  assert.equal(provider.slo_url, 'http://127.0.0.1:9/slo')
  assert.match((await scene.anonymous.get(provider.metadata_url)).body, /SingleLogoutService/)
  const person = await scene.user({ password })
  const browser = await signedIn(person)
  await signOn(browser, made, 'ada', { sessionIndex: '_1' })
  const page = `/${group.full_path}`
  assert.equal((await browser.get(page)).status, 200)

  const others = await company({ slo_url: 'http://127.0.0.1:9/slo' })
  await browser.get(logoutLink(others.idp, others.provider.single_logout_service_url, 'ada'))
  await browser.get(logoutLink(idp, provider.single_logout_service_url, 'ada', { sessionIndexes: ['_2'] }))
  assert.equal((await browser.get(page)).status, 200, 'neither another group nor another session')
  const answer = await browser.get(logoutLink(idp, provider.single_logout_service_url, 'ada', { sessionIndexes: ['_1'] }))

  assert.match(sentLogout(answer.headers.location as string).xml, /status:Success/)
  assert.equal((await browser.get(page)).status, 302)
  assert.equal((await browser.user()).id, person.id)
})
