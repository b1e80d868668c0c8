/** What people come to do, in a real browser: with a mouse, by keyboard alone, without scripts. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

/** An account, and a public project of its own with files. */
async function personWithProject() {
  const { person } = await surfer()
  const by = scene.as({ 'private-token': person.token })
  const { body: project } = await by.post('/projects', {
    name: `Lanterns ${person.id}`,
    visibility: 'public',
    description: 'Light for everybody',
  })
  const actions = [
    {
      action: 'create',
      file_path: 'README.md',
      content: '# Lanterns\n\nSome **light**, and a [link](https://example.com).\n\n```json\n{ "light": true }\n```\n',
    },
    { action: 'create', file_path: 'src/lamp.ts', content: 'export const lamp = 1\n\nexport const shade = lamp + 1\n' },
  ]
  await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Begin', actions })
  await by.put(`/projects/${project.id}/repository/files/src%2Flamp.ts`, {
    branch: 'main',
    content: 'export const lamp = 2\n\nexport const shade = lamp + 1\n',
    commit_message: 'Change the lamp',
  })
  return { person, project, by, path: `/${project.path_with_namespace}` }
}

/** Replaces what stands in the editor of code. */
async function writeCode(page: Page, text: string): Promise<void> {
  await page.focus('code-editor .cm-content')
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** Pushes files as the first commit of a repository, with git itself. */
async function push(remote: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-journey-'))
  try {
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=A Maker', '-c', 'user.email=maker@example.com', ...args], { cwd: folder })
    await git('init', '--quiet', '--initial-branch', 'main')
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Begin')
    await git('push', '--quiet', remote, 'main')
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('a person', () => {
  test('creates a project, reads its files and history, finds a line and reverts a change', async () => {
    const { person, path } = await personWithProject()
    const window = await visitor(browser, url)
    const { page } = window
    await signIn(window, url, { username: person.username, password })
    await window.check()

    await page.click('details.menu summary[aria-label="Create new"]')
    await page.click('text=New project')
    await page.fill('#field-name', 'Candles')
    await page.check('input[value=internal]')
    await page.click('main .btn-primary')
    await page.waitForURL(`${url}/${person.username}/candles`)
    await page.waitForSelector('text=The project was created.')
    await page.waitForSelector('text=Push the first commit')
    await window.check()

    await window.visit(path)
    await page.click('table.tree >> text=src')
    await page.click('table.tree >> text=lamp.ts')
    await page.waitForSelector('#L3')
    await page.click('#L1 .number a')
    await page.click('#L3 .number a', { modifiers: ['Shift'] })
    assert.equal(new URL(page.url()).hash, '#L1-3')
    assert.equal(await page.locator('tr.selected').count(), 3)
    await window.check()

    await page.click('main >> text=History')
    await page.click('text=Change the lamp')
    await page.waitForSelector('ins')
    await window.check()
    await page.click('text=Revert')
    await page.click('main button:text-is("Revert")')
    await page.waitForSelector('text=The commit was reverted.')
    await page.waitForSelector('h1:has-text("Revert")')

    await window.visit(`${path}/-/search?search=shade&scope=blobs`)
    await page.click('a:has-text("src/lamp.ts")')
    await page.waitForSelector('tr.selected')
    await window.close()
  })

  for (const [way, options, hands] of waysIn(import.meta.url))
    test(`signs up, creates a project, pushes, edits a file, finds it by search, sees who changed it and reverts that: ${way}`, async () => {
      const window = await visitor(browser, url, options)
      const { page } = window
      const by = hands(page)
      const main = page.getByRole('main')
      const field = (label: string) => page.getByLabel(new RegExp(`^${label}`)).first()
      const button = (name: string) => main.getByRole('button', { name, exact: true })
      const link = (name: string | RegExp) => main.getByRole('link', { name }).first()
      const username = `maker-${way.replaceAll(' ', '-')}`

      await page.goto(`${url}/users/sign_up`)
      const entered = { 'Full name': 'A Maker', Username: username, Email: `${username}@example.com`, Password: password }
      for (const [label, text] of Object.entries(entered)) await by.write(field(label), text)
      await by.press(button('Create account'))
      await page.waitForSelector('text=waits for the approval')
      const { body: accounts } = await scene.root.get('/users', { username })
      await scene.root.post(`/users/${accounts[0].id}/approve`)
      await signIn(window, url, { username, password })

      await by.press(page.locator('details.menu summary[aria-label="Create new"]'))
      await by.press(page.getByRole('link', { name: 'New project' }).first())
      await by.write(field('Name'), 'Wicks')
      await by.press(button('Create project'))
      await page.waitForSelector('text=Push the first commit')
      const path = `/${username}/wicks`
      await push(`${url.replace('://', `://${username}:${encodeURIComponent(password)}@`)}${path}.git`, {
        'src/wick.ts': 'export const wick = 1\nexport const wax = 2\n',
      })
      await page.goto(url + path)
      await by.press(link('src'))
      await by.press(link('wick.ts'))
      await main.locator('#L2').waitFor()
      await window.check()

      if (way === 'by keyboard alone') await page.keyboard.press('e')
      else await by.press(link('Edit'))
      await page.waitForURL(/\/-\/edit\//)
      const text = 'export const wick = 1\nexport const wax = 3\n'
      if (options.javaScriptEnabled === false) await page.fill('#field-content', text)
      else await writeCode(page, text)
      await by.write(page.locator('#field-commit_message'), 'More wax')
      await by.press(button('Commit'))
      await page.waitForSelector('text=The change was committed.')

      const tabs = page.getByRole('navigation', { name: /^Tabs/ })
      await by.press(tabs.locator('summary'))
      await by.press(tabs.getByRole('link', { name: 'Search' }))
      await by.write(main.getByRole('searchbox').first(), 'wax')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=wax/)
      if ((await main.locator('a:has-text("src/wick.ts")').count()) === 0) await by.press(link(/^(Code|Files)/))
      await by.press(link('src/wick.ts'))
      await by.press(link('Blame'))
      await page.waitForURL(/\/-\/blame\//)
      await window.check()
      await by.press(main.locator('#L2').getByRole('link', { name: 'More wax' }))
      await by.press(link('Revert'))
      await page.waitForURL(/\/revert$/)
      await by.press(button('Revert'))
      await page.waitForSelector('text=The commit was reverted.')
      const { body: project } = await scene.root.get(`/projects/${encodeURIComponent(path.slice(1))}`)
      const { body: file } = await scene.root.get(`/projects/${project.id}/repository/files/src%2Fwick.ts/raw`, { ref: 'main' })
      assert.equal(file, 'export const wick = 1\nexport const wax = 2\n')
      await window.close()
    })

  test('makes a token, sees it once, and takes it back', async () => {
    const { person } = await personWithProject()
    const window = await visitor(browser, url)
    const { page } = window
    await signIn(window, url, { username: person.username, password })
    await page.goto(`${url}/-/profile/personal_access_tokens`)
    await page.getByRole('textbox', { name: 'Name' }).fill('backup')
    await page.check('[value=read_api]')
    await page.click('button:has-text("Create token")')
    const token = (await page.textContent('[role=status] code')) ?? ''
    assert.equal((await scene.as({ 'private-token': token }).get('/user')).status, 200)
    await window.check()

    page.on('dialog', dialog => void dialog.accept())
    await page.click('[aria-label="Revoke backup"]')
    await page.waitForSelector('[aria-label="Revoke backup"]', { state: 'detached' })
    assert.equal((await scene.as({ 'private-token': token }).get('/user')).status, 401)
    await window.close()
  })

  test('gets about by keyboard alone', async () => {
    const { person, path } = await personWithProject()
    const window = await visitor(browser, url)
    const { page } = window
    await page.goto(`${url}/users/sign_in`)
    await page.keyboard.type(person.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/`)

    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('command-palette dialog[open]')
    await page.keyboard.type(`Lanterns ${person.id}`)
    await page.waitForSelector(`[role=option][data-href="${path}"]`)
    await page.keyboard.press('Enter')
    await page.waitForURL(url + path)
    await page.keyboard.type('gf')
    await page.waitForURL(`${url}${path}/-/tree/HEAD`)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/-\/tree\/HEAD\/src$/)
    await page.keyboard.press('?')
    await page.waitForSelector('#keyboard-help[open]')
    await page.keyboard.press('Escape')
    await window.visit('/there/is/nothing')
    await window.close()
  })

  test('reads, signs in and sends forms without scripts', async () => {
    const { person, path } = await personWithProject()
    const window = await visitor(browser, url, { javaScriptEnabled: false })
    const { page } = window
    await window.visit(path)
    await page.click('table.tree >> text=README.md')
    await page.waitForSelector('strong:has-text("light")')

    await signIn(window, url, { username: person.username, password })
    await page.goto(`${url}${path}/-/project_members/new`)
    await page.fill('#field-username', 'nobody-of-that-name')
    await page.click('main .btn-primary')
    await page.waitForSelector('[aria-invalid=true]')
    assert.equal(await page.inputValue('#field-username'), 'nobody-of-that-name')
    await page.fill('#field-username', 'root')
    await page.click('main .btn-primary')
    await page.waitForSelector('text=The member was added.')
    await page.goto(`${url}${path}/-/edit/main/README.md`)
    await page.fill('#field-content', '# Lanterns\n\nWithout a script\n')
    await page.click('main .btn-primary')
    await page.waitForSelector('text=The change was committed.')
    await page.goto(`${url}${path}/-/find_file/main`)
    await page.fill('#find-file', 'readme')
    await page.click('main >> text=Find')
    await page.click('file-finder a')
    await page.waitForSelector('main >> text=Without a script')
    await page.goto(`${url}/-/profile/preferences`)
    assert.equal(await page.locator('summary[aria-label="Colours"]').isVisible(), false, 'what a script does')
    await page.check('input[value=dark]')
    await page.click('form:has(input[value=dark]) .btn-primary')
    await page.waitForSelector('html[data-color-mode=dark]')
    await window.close()
  })
})
