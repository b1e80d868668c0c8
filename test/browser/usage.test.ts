/** What people do about what CI leaves and takes, in a real browser: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../src/ci/jobs/scene.ts'
import { countRecentDays } from '../../src/ci/usage/counting.ts'
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

/** A maintainer of a project whose jobs have left artifacts, in a window of theirs. */
async function maintainer(names: readonly string[], options: { javaScriptEnabled?: boolean }) {
  const { person } = await surfer()
  const { project, owner } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  for (const name of names) {
    const job = await runningJob(scene, project, owner, { name })
    await uploadTo(scene, job, await zipOf({ 'out/hello.txt': name }), { expire_in: '1 day' })
    await endJob(scene, job)
  }
  const window = await visitor(browser, url, options)
  await signIn(window, url, { username: person.username, password })
  return { project, owner, window, page: window.page, base: `/${project.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, downloads a report on the page of its job`, async () => {
    const { project, owner, window, page, base } = await maintainer([], options)
    const job = await runningJob(scene, project, owner, { name: 'unit' })
    const report = { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' }
    await uploadTo(scene, job, gzipSync('<testsuite name="a"/>'), report)
    await endJob(scene, job)
    await window.visit(`${base}/jobs/${job.id}`)
    const coming = page.waitForEvent('download')
    await hands(page).press(page.getByRole('list', { name: 'Reports' }).getByRole('link', { name: 'junit' }))
    assert.equal((await coming).suggestedFilename(), 'junit.xml.gz')
    await window.close()
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, looks through artifacts, keeps some, and deletes some`, async () => {
    const { window, page, base } = await maintainer(['build', 'unit', 'browser', 'docs'], options)
    const by = hands(page)
    const hasScripts = options.javaScriptEnabled !== false
    await window.visit(`${base}/artifacts`)
    await by.press(page.getByRole('link', { name: 'Largest' }))
    await page.waitForURL(/order_by=size/)
    await window.check()
    const list = page.locator('main ul.list > li')
    const row = (name: string) => list.filter({ has: page.getByRole('link', { name, exact: true }) })
    await by.press(row('docs').getByRole('button', { name: /^Keep/ }))
    await page.waitForSelector('text=The artifacts of the job are kept.')
    await page.waitForURL(/order_by=size/)
    assert.match((await row('docs').textContent()) ?? '', /kept for good/)

    page.on('dialog', dialog => void dialog.accept())
    if (hasScripts && way !== 'with a mouse') {
      // `j` leads to the first entry, `x` chooses it, Enter deletes what is chosen.
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      assert.match((await page.locator('.bulk-bar').textContent()) ?? '', /Delete 2 chosen/)
      await page.keyboard.press('Enter')
    } else {
      await by.tick(row('unit').getByRole('checkbox'))
      await by.tick(row('browser').getByRole('checkbox'))
      await by.press(page.getByRole('button', { name: hasScripts ? 'Delete 2 chosen' : 'Delete the chosen ones' }))
    }
    await page.waitForSelector('text=The artifacts of the chosen jobs were deleted.')
    assert.equal(await list.count(), 2)
    await window.check()

    const left = list.first()
    await by.press(left.locator('summary'))
    await by.press(left.getByRole('button', { name: /^Delete artifacts\.zip/ }))
    await page.waitForSelector('text=The file was deleted.')
    assert.equal(await list.count(), 1)
    await window.close()
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a member, ${way}, sees what CI takes and how it ends`, async () => {
    const { window, page, base } = await maintainer(['build', 'unit'], options)
    const by = hands(page)
    await countRecentDays(scene.deps, 1)
    await window.visit(`${base}/pipelines/charts`)
    await by.press(page.getByRole('link', { name: '7 days' }))
    await page.waitForURL(/days=7/)
    await window.check()
    await page.waitForSelector('th:has-text("build")')
    await by.press(page.locator('#usage-pipelines summary'))
    assert.equal(await page.locator('#usage-pipelines-table tbody tr').count(), 7)
    await window.close()
  })
