/** An administrator gives the instance a name, a picture and messages of its own, in a real browser: with a mouse, by keyboard alone and without scripts. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { png } from '../../src/spaces/uploads/scene.ts'
import { atEnd } from '../at_end.ts'
import { testFolder } from '../folder.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene
const picture = join(await testFolder(), 'mark.png')
await writeFile(picture, png(40))

// One after the other: there is one instance.
for (const [way, options, hands] of waysIn(import.meta.url))
  test(`an administrator, ${way}, gives the instance a name, a picture and a message, and takes them away`, async () => {
    const { person } = await surfer({ admin: true })
    const window = await signedIn(browser, url, options, { username: person.username, password })
    const { page } = window
    const by = hands(page)
    const section = (key: string) => page.locator(`#${key}`)
    const save = async (key: string, title: string, button = 'Save changes') => {
      await by.press(section(key).getByRole('button', { name: button }))
      await page.waitForSelector(`.notice:has-text("Saved: ${title}.")`)
      await window.check()
    }
    await window.visit('/admin/application_settings/appearance')
    await by.write(section('sign_in_page').getByLabel(/^Title/), 'Northern Works')
    await by.write(section('sign_in_page').getByLabel(/^Description/), 'Ask **IT** first')
    await save('sign_in_page', 'Page for signing in')
    await section('logo').getByLabel('Picture').setInputFiles(picture)
    await save('logo', 'Picture on the page for signing in', 'Upload')
    await by.write(section('messages').getByLabel(/^Above the page/), 'For *training*')
    await save('messages', 'Messages on every page')

    const guest = await visitor(browser, url, options)
    await guest.visit('/users/sign_in')
    const texts = await guest.page.locator('.introduction, .instance-message').allInnerTexts()
    assert.deepEqual(
      texts.map(text => text.replace(/\s+/g, ' ').trim()),
      ['For training', 'Northern Works Ask IT first'],
    )
    assert.match(String(await guest.page.locator('.introduction img').getAttribute('src')), /\/logo\/1\/mark\.png$/)
    await guest.close()

    await by.press(page.getByRole('button', { name: 'Remove the picture: Picture on the page for signing in' }))
    await page.waitForSelector('.notice:has-text("The picture was removed.")')
    await window.check()
    await window.close()
    const emptied = { title: '', description: '', header_message: '' }
    const { body } = await scene.root.put('/application/appearance', emptied)
    assert.equal(body.logo, null)
  })
