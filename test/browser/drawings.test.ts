/** Formulas and diagrams in texts, in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

const diagram = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n`
const flow = diagram('flowchart LR\n  accTitle: From wick to light\n  Wick --> Flame\n  Flame --> Light')

/** What a hostile diagram leaves behind, in the page or in its frame. */
const hostile = diagram(
  '%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n  A["<img src=x onerror=\'parent.document.title=1\'>"] --> B\n  click A href "javascript:parent.document.title=2"',
)

for (const [way, options] of waysIn(import.meta.url))
  test(`a reader, ${way}, sees formulas and diagrams of an issue, and reads the source of a diagram`, async () => {
    const hasScripts = options.javaScriptEnabled !== false
    const { person } = await surfer()
    const { project, owner } = await scene.project({ owner: person })
    const description = `The light of $\`n\`$ lamps:\n\n\`\`\`math\nL = \\sum_{i=1}^{n} l_i\n\`\`\`\n\n${flow}`
    const { iid } = (await owner.post(`${project.url}/issues`, { title: 'The lamp', description })).body
    const window = await visitor(browser, url, options)
    const { page } = window
    await signIn(window, url, { username: person.username, password })

    await window.visit(`/${project.full_path}/-/issues/${iid}`)
    assert.equal(await page.locator('.markdown-body math').count(), 2)
    const source = page.locator('mermaid-diagram code')
    if (!hasScripts) {
      await source.filter({ hasText: 'Wick --> Flame' }).waitFor()
      return window.close()
    }
    const frame = page.frameLocator('mermaid-diagram iframe')
    await frame.getByText('Flame', { exact: true }).first().waitFor()
    await page.waitForSelector('mermaid-diagram[data-drawn] iframe[title="Diagram: From wick to light"]')
    assert.equal(await page.locator('mermaid-diagram iframe').getAttribute('sandbox'), 'allow-scripts')
    assert.ok((await page.locator('mermaid-diagram iframe').evaluate(element => element.clientHeight)) > 30)
    await window.check()
    assert.equal(await source.isVisible(), false)
    const fold = page.locator('mermaid-diagram summary')
    // The focus within a shadow is that of its element, so `hands` do not find it.
    if (way.includes('keyboard')) await fold.press('Enter')
    else await fold.click()
    await source.waitFor()
    await window.close()
  })

test('a diagram is drawn in a preview, again when its text or the colours change, and when a comment arrives', async () => {
  const { person } = await surfer()
  const { project, owner } = await scene.project({ owner: person })
  const { iid } = (await owner.post(`${project.url}/issues`, { title: 'The lamp', description: flow })).body
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`/${project.full_path}/-/issues/${iid}`)
  const first = page.frameLocator('mermaid-diagram iframe').first()
  await first.getByText('Wick', { exact: true }).first().waitFor()

  await owner.put(`${project.url}/issues/${iid}`, { description: flow.replaceAll('Wick', 'Cord') })
  await first.getByText('Cord', { exact: true }).first().waitFor()
  await page.evaluate("document.documentElement.dataset.colorMode = 'dark'")
  await first.locator('html[style*="dark"] svg').waitFor()
  await owner.post(`${project.url}/issues/${iid}/notes`, { body: diagram('pie\n  "Oil" : 3\n  "Wax" : 1') })
  await page.locator('mermaid-diagram').nth(1).scrollIntoViewIfNeeded()
  await page.frameLocator('mermaid-diagram iframe').nth(1).getByText('Oil', { exact: true }).first().waitFor()
  // Also the first, whose text was updated together with the comments.
  await page.locator('mermaid-diagram[data-drawn]').nth(1).waitFor()

  const editor = page.locator('markdown-editor').last()
  await editor.getByRole('textbox').fill(diagram('sequenceDiagram\n  Lamp->>Room: light'))
  await editor.getByRole('button', { name: 'Preview' }).click()
  const preview = editor.frameLocator('mermaid-diagram iframe')
  await preview.getByText('Room', { exact: true }).first().waitFor()
  await window.close()
})

test('a diagram that cannot be drawn shows its source and why, and a hostile one reaches nothing', async () => {
  const { person } = await surfer()
  const { project, owner } = await scene.project({ owner: person })
  const description = `${diagram('flowchart LR\n  A -->')}\n${hostile}\n${diagram(`flowchart LR\n  A["${'x'.repeat(10_000)}"]`)}\n`
  const { iid } = (await owner.post(`${project.url}/issues`, { title: 'The lamp', description })).body
  const window = await visitor(browser, url)
  const { page } = window
  await signIn(window, url, { username: person.username, password })
  await window.visit(`/${project.full_path}/-/issues/${iid}`)

  const nth = (index: number) => page.locator('mermaid-diagram').nth(index)
  const [wrong, evil, long] = [nth(0), nth(1), nth(2)]
  await wrong.getByText('The diagram cannot be drawn').waitFor()
  assert.ok(await wrong.locator('code').isVisible())
  await long.scrollIntoViewIfNeeded()
  await long.getByText('more than 10000 characters').waitFor()
  await page.waitForSelector('mermaid-diagram[data-drawn]')
  const frame = evil.locator('iframe').contentFrame()
  assert.equal(await frame.locator('[onerror], a[href^="javascript"]').count(), 0)
  assert.match(await page.title(), /The lamp/)
  await window.close()
})
