/** Signatures of commits, in a real browser: the marks of a list come after it, and a commit says by keyboard and without scripts who signed it. */
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { commitSigned, newSshPair } from '../../src/identity/signatures/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { keyboard } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

test('the marks of a list come after it, and a commit says who signed it', async () => {
  const { person } = await surfer()
  const by = scene.as({ 'private-token': person.token })
  const { body } = await by.post('/projects', { name: 'Lamp' })
  const project = { ...body, url: `/projects/${body.id}` }
  await scene.commit(project, { 'README.md': '# A\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const [added, unknown] = [await newSshPair(), await newSshPair()]
  await by.post('/user/keys', { title: 'Laptop', key: added.publicKey })
  const good = await commitSigned(repository, added.sign, { email: person.email, message: 'Good\n' })
  await commitSigned(repository, unknown.sign, { email: person.email, message: 'Odd\n' })
  const list = `/${project.path_with_namespace}/-/commits/main`

  for (const colorScheme of ['light', 'dark'] as const) {
    const window = await visitor(browser, url, { colorScheme })
    const { page } = window
    await signIn(window, url, { username: person.username, password })
    await page.goto(`${url}${list}`)
    await page.getByRole('link', { name: 'Verified', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Unverified', exact: true }).waitFor()
    await window.check()
    await page.goto(`${url}/${project.path_with_namespace}/-/commit/${good}`)
    await keyboard(page).press(page.locator('#commit-signature summary'))
    await page.getByText(`SHA256:${added.fingerprint}`).waitFor()
    await window.check()
    await window.close()
  }

  const plain = await visitor(browser, url, { javaScriptEnabled: false })
  await signIn(plain, url, { username: person.username, password })
  await plain.visit(list)
  await plain.page.getByRole('link', { name: 'Signed', exact: true }).first().click()
  await plain.page.getByText('No user of this instance has added the key.').waitFor()
  await plain.close()
})
