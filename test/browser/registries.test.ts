/** What people do with the images and states of a project, in a real browser: look, copy, delete, lock, and set when old tags go. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageClient } from '../../src/delivery/container_registry/distribution/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { terraformState } from '../derived/bodies.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

for (const [way, options, hands] of waysIn(import.meta.url)) {
  /** A window of the owner of a new project; what asks whether one is sure is answered yes. */
  const ownerAtWork = async () => {
    const { person } = await surfer()
    const { project } = await scene.project({ owner: person })
    const window = await signedIn(browser, url, options, { username: person.username, password })
    return { person, project, window, page: window.page, by: hands(window.page) }
  }

  test(`an owner, ${way}, deletes tags of an image and the image`, async () => {
    const { person, project, window, page, by } = await ownerAtWork()
    const image = await imageClient(scene, `${project.full_path}/web`, { username: person.username, password: person.token })
    for (const tag of ['1.0', '1.1', '1.2', 'latest']) await image.image(tag)
    await window.visit(`/${project.full_path}/-/container_registry`)
    await by.press(page.getByRole('link', { name: `${project.full_path}/web` }))
    await page.waitForURL(/\/-\/container_registry\/\d+$/)
    await window.check()
    for (const tag of ['1.0', '1.1']) await by.tick(page.getByRole('checkbox', { name: `Choose the tag ${tag}` }))
    await by.press(page.getByRole('button', { name: /^Delete (the chosen ones|2)/ }))
    await page.waitForSelector('text=2 tags were deleted.')
    await by.press(page.getByRole('button', { name: 'Delete the tag 1.2' }))
    await page.waitForSelector('text=The tag was deleted.')
    await window.check()
    assert.deepEqual((await image.get('tags/list')).body.tags, ['latest'])
    await by.press(page.getByRole('button', { name: 'Delete the image' }))
    await page.waitForSelector('text=The image was deleted.')
    await page.getByRole('heading', { name: 'No images' }).waitFor()
    await window.check()
    await window.close()
  })

  test(`an owner, ${way}, sets when old tags go`, async () => {
    const { project, window, page, by } = await ownerAtWork()
    await window.visit(`/${project.full_path}/-/settings/repository`)
    const section = page.locator('#expiration_policy')
    await by.tick(section.getByLabel('Remove tags by this policy'))
    await by.write(section.getByLabel('Tags to remove'), '(')
    await by.press(section.getByRole('button', { name: 'Save changes' }))
    await section.locator('[aria-invalid=true]').waitFor()
    await window.check()
    await by.write(section.getByLabel('Tags to remove'), 'dev-.*')
    await by.press(section.getByRole('button', { name: 'Save changes' }))
    await section.getByText('It runs next').waitFor()
    await window.check()
    const { body } = await scene.root.get(project.url)
    const { enabled, name_regex } = body.container_expiration_policy
    assert.deepEqual([enabled, name_regex], [true, 'dev-.*'])
    await window.close()
  })

  test(`an owner, ${way}, locks a state, unlocks it and deletes it`, async () => {
    const { project, window, page, by } = await ownerAtWork()
    for (const serial of [1, 2]) await scene.root.post(`${project.url}/terraform/state/production`, Buffer.from(terraformState(serial)))
    await window.visit(`/${project.full_path}/-/terraform`)
    await by.press(page.getByRole('link', { name: 'production', exact: true }))
    await page.waitForURL(/\/-\/terraform\/production$/)
    await window.check()
    await by.press(page.getByRole('button', { name: 'Lock', exact: true }))
    await page.waitForSelector('text=The state was locked.')
    await window.check()
    await by.press(page.getByRole('button', { name: 'Unlock' }))
    await page.waitForSelector('text=The state was unlocked.')
    await by.press(page.getByRole('button', { name: 'Delete serial 2' }))
    await page.waitForSelector('text=The version was deleted.')
    await by.press(page.getByRole('button', { name: 'Delete the state' }))
    await page.waitForSelector('text=The state was deleted.')
    await page.getByRole('heading', { name: 'No states' }).waitFor()
    await window.check()
    await window.close()
  })
}
