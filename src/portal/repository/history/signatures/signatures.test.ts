import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { oauthScene } from '../../../../identity/oauth/scene.ts'
import { commitSigned, newPgpPair, newSshPair } from '../../../../identity/signatures/scene.ts'
import { gitProcesses } from '../../../../platform/git/index.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function world() {
  const { body } = await by.post('/projects', { name: `Signatures ${Math.random()}`.replace('.', '') })
  const project = { ...body, url: `/projects/${body.id}` }
  const unsigned = await scene.commit(project, { 'README.md': '# A\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const page = `/${project.path_with_namespace}`
  return { project, repository, unsigned, page, email: owner.person.email }
}

const framed = (address: string, frame: string) => owner.client.get(new URL(address, scene.url).href, {}, { 'turbo-frame': frame })

test('a list of commits says which are signed, and one frame brings what that is worth', async () => {
  const { repository, unsigned, page, email } = await world()
  const [added, unknown] = [await newSshPair(), await newSshPair()]
  await by.post('/user/keys', { title: 'Laptop', key: added.publicKey })
  const good = await commitSigned(repository, added.sign, { email, message: 'Good\n' })
  const odd = await commitSigned(repository, unknown.sign, { email, message: 'Odd\n' })

  const list = await owner.get(`${page}/-/commits/main`)
  const [, address = ''] = /<turbo-frame id="commit-signatures" src="([^"]+)"/.exec(list.body) ?? []

  assert.ok(list.body.includes(`<span id="signature-${good}"><a class="quiet" href="${page}/-/commit/${good}/signature">`))
  assert.ok(!list.body.includes(`signature-${unsigned}`))
  assert.equal(address, `${page}/-/signatures?ids=${odd},${good}`)
  const marks = await framed(address, 'commit-signatures')
  assert.match(marks.body, new RegExp(`target="signature-${good}"><template><a[^>]*><span class="chip success">.*?Verified`))
  assert.match(marks.body, new RegExp(`target="signature-${odd}"><template><a[^>]*No user[^>]*><span class="chip attention">.*?Unverified`))
  assert.match((await owner.get(address)).body, /<h1>Signatures<\/h1>.*Verified/s)
})

test('a list without a signed commit has no frame and asks git for nothing more', async () => {
  const { page } = await world()
  await owner.get(`${page}/-/commits/main`)
  const before = gitProcesses.started

  const list = await owner.get(`${page}/-/commits/main`)

  assert.ok(!list.body.includes('commit-signatures') && !list.body.includes('Signed'))
  assert.equal(gitProcesses.started, before)
})

test('the page of a commit says who signed it, by which key, and why that does not count', async () => {
  const { repository, unsigned, page, email } = await world()
  const pair = await newPgpPair(email, { subkeys: [{ sign: true }] })
  await by.post('/user/gpg_keys', { key: pair.publicKey })
  const good = await commitSigned(repository, payload => pair.sign(payload), { email })
  const foreign = await commitSigned(repository, payload => pair.sign(payload), { email: 'else@example.com' })

  const shown = await owner.get(`${page}/-/commit/${good}`)
  assert.match(shown.body, new RegExp(`<turbo-frame id="commit-signature" src="${page}/-/commit/${good}/signature" loading="lazy"`))
  assert.doesNotMatch((await owner.get(`${page}/-/commit/${unsigned}`)).body, /commit-signature/)

  const part = await framed(`${page}/-/commit/${good}/signature`, 'commit-signature')
  assert.match(part.body, /<details><summary><span class="chip success">/)
  const whole = await owner.get(`${page}/-/commit/${good}/signature`)
  for (const said of ['Verified', pair.keyId, pair.subkeyIds[0] as string, owner.person.name]) assert.ok(whole.body.includes(said), said)
  assert.match((await owner.get(`${page}/-/commit/${foreign}/signature`)).body, /not a confirmed one of the user who has the key/)
  assert.match((await owner.get(`${page}/-/commit/${unsigned}/signature`)).body, /The commit is not signed/)
})

test('who may not read the code is not shown marks', async () => {
  const { repository, page, email } = await world()
  const pair = await newSshPair()
  const id = await commitSigned(repository, pair.sign, { email })
  const stranger = await surfer()

  for (const address of [`${page}/-/signatures?ids=${id}`, `${page}/-/commit/${id}/signature`])
    assert.equal((await stranger.get(address)).status, 404, address)
})
