/** Code that is read in a real browser: what a file defines, and how its history hangs together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())

/** A public project with a file, and two branches of which one was merged. */
async function projectToRead(): Promise<string> {
  const { person } = await surfer()
  const by = scene.as({ 'private-token': person.token })
  const { body: project } = await by.post('/projects', { name: `Read ${person.id}`, visibility: 'public' })
  const url = `/projects/${project.id}`
  const commit = (branch: string, file_path: string, content: string, start?: string) =>
    by.post(`${url}/repository/commits`, {
      branch,
      ...(start === undefined ? {} : { start_branch: start }),
      commit_message: `Add ${file_path}`,
      actions: [{ action: 'create', file_path, content }],
    })
  const methods = Array.from({ length: 40 }, (_, index) => `  method${index}() {}\n`).join('\n')
  await commit('main', 'lamp.ts', `export class Lamp {\n${methods}}\n\nexport function light() {}\n`)
  await commit('main', 'plan.pdf', '%PDF-1.4\n%%EOF\n')
  for (const branch of ['topic', 'other']) await commit(branch, `${branch}.txt`, '1', 'main')
  await commit('main', 'more.txt', '1')
  const { body: request } = await by.post(`${url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'Topic' })
  await by.put(`${url}/merge_requests/${request.iid}/merge`, {})
  return `/${project.path_with_namespace}`
}

const path = await projectToRead()

test('symbols are found by keys alone, and by their links without scripts', async () => {
  const reader = await visitor(browser, scene.url)
  await reader.visit(`${path}/-/blob/main/lamp.ts`)
  await reader.page.keyboard.press('r')
  await reader.page.waitForSelector('#symbol-filter:focus')
  await reader.check()
  await reader.page.keyboard.type('method17')
  assert.equal(await reader.page.locator('.symbols li:visible').count(), 1)
  await reader.page.keyboard.press('Enter')
  await reader.page.waitForURL(/#L36$/)
  await reader.page.waitForSelector('.symbols:not([open])')
  await reader.close()

  const narrow = await visitor(browser, scene.url, { viewport: { width: 360, height: 740 } })
  await narrow.visit(`${path}/-/blob/main/lamp.ts`)
  await narrow.page.click('.symbols summary')
  await narrow.check()
  assert.ok(((await narrow.page.locator('.symbols .menu-items').boundingBox())?.x ?? -1) >= 0)
  await narrow.close()

  const plain = await visitor(browser, scene.url, { javaScriptEnabled: false })
  await plain.visit(`${path}/-/blob/main/lamp.ts`)
  await plain.page.click('.symbols summary')
  assert.equal(await plain.page.locator('#symbol-filter').isVisible(), false)
  await plain.page.click('.symbols a:has-text("light")')
  assert.match(plain.page.url(), /#L83$/)
  await plain.close()
})

test('a document is shown on its page where the browser has a viewer, and opened from it elsewhere', async () => {
  const raw = `${path}/-/raw/main/plan.pdf`
  for (const hasViewer of [false, true]) {
    const reader = await visitor(browser, scene.url)
    const { page } = reader
    // This browser has none, whatever it says of itself: it downloads what the frame loads.
    await page.addInitScript(has => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => has }), hasViewer)
    await reader.visit(`${path}/-/blob/main/plan.pdf`)
    const link = page.getByRole('link', { name: 'Open the document' })
    assert.equal(await link.getAttribute('href'), raw)
    const frames = await page
      .locator('pdf-document iframe')
      .evaluateAll(all => all.map(frame => [frame.getAttribute('src'), frame.getAttribute('title')]))
    assert.deepEqual(frames, hasViewer ? [[raw, 'plan.pdf']] : [])
    await reader.check()
    await reader.close()
  }
})

test('the graph is for everybody: light and dark, wide and narrow, from the list of commits', async () => {
  for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { viewport: { width: 360, height: 740 } }] as const) {
    const reader = await visitor(browser, scene.url, look)
    await reader.visit(`${path}/-/commits/main`)
    await reader.page.click('text=Graph')
    await reader.page.waitForSelector('.network circle.merge')
    await reader.check()
    assert.equal(await reader.page.locator('.network tbody tr').count(), 6)
    await reader.close()
  }
})

for (const [way, options] of [
  ['with scripts', {}],
  ['without scripts, narrow', { javaScriptEnabled: false, viewport: { width: 360, height: 740 } }],
] as const)
  test(`the list of commits changes to another branch, and its days say what they bound: ${way}`, async () => {
    const reader = await visitor(browser, scene.url, options)
    const { page } = reader
    await reader.visit(`${path}/-/commits/main`)
    const label = page.locator('label[for=since]')
    assert.deepEqual([await label.isVisible(), await label.innerText()], [true, 'From'])
    await page.click('main .switch summary')
    await page.fill('#switch-search', 'other')
    await page.press('#switch-search', 'Enter')
    await page.locator('main').getByRole('link', { name: 'other', exact: true }).click()
    await page.waitForURL(`${scene.url}${path}/-/commits/other`)
    await page.waitForSelector('text=Add other.txt')
    await reader.check()
    await reader.close()
  })

test('another branch is found and opened by keys alone', async () => {
  const reader = await visitor(browser, scene.url)
  const { page } = reader
  await reader.visit(`${path}/-/commits/main`)
  await page.keyboard.press('w')
  await page.waitForSelector('#switch-search:focus')
  await page.keyboard.type('oth')
  await page.waitForSelector('#switch-list[complete] li:only-child >> text=other')
  assert.equal(await page.inputValue('#switch-search:focus'), 'oth')
  await reader.check()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${scene.url}${path}/-/commits/other`)
  await reader.close()
})

test('code in a text is copied by its button, with a mouse and by keyboard, as it was written; without scripts there is no button', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const code = 'const lamp = "<b>&amp;</b>"\n\tlight(lamp)\n'
  const description = `\`\`\`ts\n${code}\`\`\`\n\nThen\n\n\`\`\`sh\necho lit\n\`\`\``
  await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed', description })
  const address = `/${project.full_path}/-/issues/1`
  const permissions = ['clipboard-read', 'clipboard-write']
  const reader = await visitor(browser, scene.url, { permissions, viewport: { width: 360, height: 740 } })
  await reader.visit(address)
  const copied = () => reader.page.evaluate('navigator.clipboard.readText()')
  const buttons = reader.page.locator('.markdown-body clipboard-copy')
  await buttons.first().click()
  await reader.page.waitForSelector('clipboard-copy[aria-label="Copied"]')
  assert.equal(await copied(), code)
  await buttons.nth(1).focus()
  await reader.page.keyboard.press('Enter')
  await eventually(async () => (await copied()) === 'echo lit\n', 'what the second button copies')
  await reader.check()
  await reader.close()

  const plain = await visitor(browser, scene.url, { javaScriptEnabled: false })
  await plain.visit(address)
  assert.equal(await plain.page.locator('.markdown-body clipboard-copy').first().isVisible(), false)
  await plain.close()
})

test('the permanent address of a file names the lines that are marked', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'one\ntwo\nthree\n' })
  const reader = await visitor(browser, scene.url)
  const { page } = reader
  await reader.visit(`/${project.full_path}/-/blob/main/a.txt`)
  await page.click('#L2 a')
  await page.click('#L3 a', { modifiers: ['Shift'] })
  await page.keyboard.press('y')
  await page.waitForURL(/\/-\/blob\/[0-9a-f]{40}\/a\.txt#L2-3$/)
  await page.waitForSelector('#L3.selected')
  assert.equal(await page.locator('.selected').count(), 2)
  await reader.close()
})

/** A text longer than a window. */
const long = Array.from({ length: 60 }, (_, index) => `Line ${index}\n`).join('\n')

test('a link to a place of the same page leads there and keeps the page, with what was typed', async () => {
  const { person } = await surfer()
  const { project } = await scene.project({ owner: person, visibility: 'public' })
  await scene.root.post(`${project.url}/issues`, { title: 'Lamps', description: `[Down](#below)\n\n${long}\n\n## Below` })
  const reader = await visitor(browser, scene.url)
  const { page } = reader
  await signIn(reader, scene.url, { username: person.username, password })
  await reader.visit(`/${project.full_path}/-/issues/1`)
  const field = page.locator('main textarea').last()
  await field.fill('Half a thought')
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.getByRole('link', { name: 'Down' }).click()
  await page.waitForURL(/#user-content-below$/)
  await page.locator('.skip-link').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#content$/)
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  assert.deepEqual(
    asked.filter(address => address.includes('/-/issues/1')),
    [],
  )
  assert.equal(await field.inputValue(), 'Half a thought')
  await page.goBack()
  await page.waitForURL(/#user-content-below$/)
  await reader.close()
})

for (const [way, options] of [
  ['with scripts', {}],
  ['with scripts, narrow and dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ['without scripts', { javaScriptEnabled: false }],
] as const)
  test(`links and pictures of a README lead to the files beside it, and its headings are reached: ${way}`, async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>'
    await scene.commit(project, {
      'README.md': `# Lamps\n\n[Install](#install), [guide](docs/guide.md#usage), [sources](src)\n\n![Lamp](docs/lamp.svg)\n\n<img src="./docs/lamp.svg" alt="The same">\n\n${long}\n\n## Install\n\n${long}`,
      'docs/guide.md': `# Guide\n\n[Back](../README.md) [below](more/)\n\n${long}\n\n## Usage\n\n${long}`,
      'docs/more/a.adoc': '= More\n\nSee link:../guide.md[the guide].\n',
      'docs/lamp.svg': picture,
      'src/a.ts': 'const a = 1\n',
    })
    const home = `/${project.full_path}`
    const window = await visitor(browser, scene.url, options)
    const { page } = window
    const atTop = async (heading: string) => {
      const box = await page.locator('h2', { hasText: heading }).boundingBox()
      assert.ok(box && box.y >= -30 && box.y < 700, `${heading} is seen: ${box?.y}`)
    }
    await window.visit(home)
    const readme = page.locator('[aria-label="README"]')
    const widths = await readme
      .locator('img')
      .evaluateAll(all => all.map(image => (image as unknown as { naturalWidth: number }).naturalWidth))
    assert.deepEqual(widths, [20, 20], 'the pictures are there')
    await readme.getByRole('link', { name: 'Install' }).click()
    await page.waitForURL(/#user-content-install$/)
    await atTop('Install')
    await readme.getByRole('link', { name: 'guide' }).click()
    await page.waitForURL(`${scene.url}${home}/-/blob/main/docs/guide.md#user-content-usage`)
    await page.waitForSelector('h2:has-text("Usage")')
    await atTop('Usage')
    await window.check()
    await page.getByRole('link', { name: 'below' }).click()
    await page.waitForURL(`${scene.url}${home}/-/tree/main/docs/more`)
    await page.getByRole('link', { name: 'a.adoc' }).click()
    await page.getByRole('link', { name: 'the guide' }).click()
    await page.waitForURL(`${scene.url}${home}/-/blob/main/docs/guide.md`)
    await page.getByRole('link', { name: 'Back' }).click()
    await page.waitForURL(`${scene.url}${home}/-/blob/main/README.md`)
    await page.getByRole('link', { name: 'sources' }).click()
    await page.waitForURL(`${scene.url}${home}/-/tree/main/src`)
    await window.visit(`${home}/-/tree/main/src/a.ts`)
    assert.equal(page.url(), `${scene.url}${home}/-/blob/main/src/a.ts`)
    if (way !== 'without scripts') {
      await window.visit(`${home}/-/blob/main/README.md#install`)
      await page.waitForFunction('scrollY > 500')
      await atTop('Install')
    }
    await window.close()
  })
