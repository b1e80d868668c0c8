/** The notice of a form: the next page that is shown has it, and no page that a script asks for takes it away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { noticeCookie } from '../../platform/pages/frame/notice.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** What a page answers to a browser that has a notice. */
async function pageWith(headers: Record<string, string>) {
  const [cookie = ''] = noticeCookie('The shed was painted.', scene.deps.secrets).split(';')
  const { body, headers: answered } = await scene.as({ cookie, ...headers }).get(`${scene.url}/explore`)
  return { isShown: body.includes('The shed was painted.'), isTaken: String(answered['set-cookie'] ?? '').includes('notice=;') }
}

for (const [what, headers] of [
  ['a page that the browser loads', { 'sec-fetch-dest': 'document' }],
  ['a page that Turbo shows', { 'sec-fetch-dest': 'empty', 'x-shown': '1' }],
  ['a page for a browser that does not say what it is for', {}],
] as const)
  test(`${what} has the notice, and takes it away`, async () => {
    assert.deepEqual(await pageWith(headers), { isShown: true, isTaken: true })
  })

test('a page that a script asks for leaves the notice to the one that it is meant for', async () => {
  assert.deepEqual(await pageWith({ 'sec-fetch-dest': 'empty' }), { isShown: false, isTaken: false })
})

for (const [whom, headers, isLeft] of [
  ['a browser', { 'sec-fetch-dest': 'document' }, true],
  ['Turbo, which shows the next page', { 'sec-fetch-dest': 'empty', 'x-shown': '1' }, true],
  ['a script that shows no page', { 'sec-fetch-dest': 'empty' }, false],
] as const)
  test(`a form that is sent by ${whom} leaves ${isLeft ? 'a' : 'no'} notice for the next page`, async () => {
    const { person, submit } = await surfer()
    const { project } = await scene.project({ owner: person })
    await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed' })
    const answer = await submit(`/${project.full_path}/-/issues/1/unsubscribe`, {}, headers)
    assert.equal(answer.status, 303)
    assert.equal(String(answer.headers['set-cookie'] ?? '').includes('notice='), isLeft)
  })
