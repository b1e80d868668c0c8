/** Pages of a wiki, a snippet, comments on a commit, and a feature flag, in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, writes a page of the wiki, shares a snippet, comments on a commit and switches a feature`, async () => {
    const hasScripts = options.javaScriptEnabled !== false
    const { person } = await surfer()
    const { project } = await scene.project({ visibility: 'private' })
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
    await scene.commit(project, { 'lamp.txt': 'lit\n' })
    const window = await visitor(browser, url, options)
    const { page } = window
    page.on('dialog', dialog => void dialog.accept())
    const by = hands(page)
    const main = page.getByRole('main')
    const link = (name: string | RegExp) => main.getByRole('link', { name, exact: typeof name === 'string' }).first()
    const button = (name: string | RegExp) => main.getByRole('button', { name, exact: typeof name === 'string' }).first()
    await signIn(window, url, { username: person.username, password })

    await window.visit(`/${project.full_path}/-/wikis`)
    await by.press(link(/page/i))
    await page.waitForURL(/\/wikis\/new/)
    await window.check()
    await by.write(main.getByLabel(/^Title/), 'Guides/First steps')
    await by.write(main.getByLabel(/^Content/), 'Trim the wick.')
    await by.press(button('Save page'))
    await page.waitForSelector('text=Trim the wick.')
    await window.check()
    await by.press(link('Edit'))
    await page.waitForURL(/\/edit$/)
    await by.write(main.getByLabel(/^Content/), 'Trim the wick, then light it.')
    await by.press(button('Save page'))
    await page.waitForSelector('text=then light it.')
    await by.press(link('History'))
    await page.waitForURL(/\/history$/)
    await window.check()
    const pages = await scene.root.get(`${project.url}/wikis/Guides%2FFirst-steps`)
    assert.equal(pages.body.content, 'Trim the wick, then light it.')

    await window.visit(`/${project.full_path}/-/snippets`)
    await by.press(link(/snippet/i))
    await page.waitForURL(/\/snippets\/new$/)
    await window.check()
    await by.write(main.getByLabel(/^Title/), 'Light it')
    await by.write(main.getByLabel('Name of file 1'), 'light.sh')
    await by.write(main.getByLabel('Text of file 1'), 'echo light')
    await by.press(button('Create snippet'))
    await page.waitForSelector('text=The snippet was created.')
    await window.check()
    await by.write(main.getByLabel('Comment', { exact: true }), 'It burns.')
    await by.press(button('Comment'))
    await shows(page, { hasScripts }, '.note-card >> text=It burns.')
    const [snippet] = (await scene.root.get(`${project.url}/snippets`)).body
    assert.deepEqual([snippet.title, snippet.files[0].path], ['Light it', 'light.sh'])

    await window.visit(`/${project.full_path}/-/commit/main`)
    await by.write(main.getByLabel('Comment', { exact: true }), 'A bright one.')
    await by.press(button('Comment'))
    await shows(page, { hasScripts }, '.note-card >> text=A bright one.')
    await window.check()

    await window.visit(`/${project.full_path}/-/feature_flags`)
    await by.press(link('Add a flag'))
    await page.waitForURL(/\/feature_flags\/new$/)
    await by.write(main.getByLabel('Name', { exact: true }), 'dark_lamp')
    await by.press(button('Add a flag'))
    await page.waitForSelector('code:text-is("dark_lamp")')
    await window.check()
    await by.press(button(/^Switch off/))
    await page.waitForSelector('text=The flag was switched off.')
    assert.equal((await scene.root.get(`${project.url}/feature_flags/dark_lamp`)).body.active, false)
    await window.close()
  })
