/** What people do to run jobs, in a real browser: see why one waits, and register a runner that takes it. By mouse, by keyboard alone, and without scripts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const ci = `deploy: { script: [echo the lamp is lit], environment: { name: production }, when: manual }
`

/** A maintainer, in a window of theirs, of a project that deploys by hand to a protected environment. */
async function maintainer(options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  await scene.root.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  let releases = 0
  const release = async (title: string) => {
    const files = { [`${releases}.txt`]: title, ...(releases++ === 0 && { '.gitlab-ci.yml': ci }) }
    await scene.commit(project, files, { message: `${title}\n\n[skip ci]` })
    await scene.root.post(`${project.url}/pipeline`, { ref: 'main' })
  }
  const window = await visitor(browser, url, options)
  await signIn(window, url, { username: person.username, password })
  return { project, release, window, page: window.page, base: `/${project.full_path}/-` }
}

/** The runner of Ingot, started by a line that a page shows. */
async function startedBy(line: string) {
  const builds = await mkdtemp(join(tmpdir(), 'ingot-builds-'))
  const root = join(import.meta.dirname, '..', '..')
  const running = spawn('sh', ['-c', `exec env ${line} --builds-dir ${builds}`], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const over = once(running, 'exit')
  running.stdout.resume()
  return async () => {
    running.kill('SIGTERM')
    await over
    await rm(builds, { recursive: true, force: true })
  }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, sees why a job waits, and registers the runner that then takes it, by the line of the page`, async () => {
    const { release, window, page, base } = await maintainer(options)
    const hasScripts = options.javaScriptEnabled !== false
    const by = hands(page)
    await release('Light the lamp')
    await window.visit(`${base}/environments`)
    await by.press(page.getByRole('link', { name: 'production', exact: true }))
    await by.press(page.getByRole('button', { name: /^Deploy #1 to production/ }))
    await page.waitForSelector('text=The job of the deployment was started.')
    await window.check()
    await by.press(page.getByRole('link', { name: /^deploy \(#\d+\)$/ }))
    await shows(page, { hasScripts }, 'text=No runner serves the project')
    const job = page.url()
    await by.press(page.getByRole('link', { name: 'See the runners' }))
    await page.waitForURL(/\/-\/runners$/)
    await by.press(page.locator('summary', { hasText: 'Register a runner' }))
    await window.check()
    const stop = await startedBy(await page.getByLabel('line for the runner of Ingot', { exact: true }).inputValue())
    try {
      await page.goto(job)
      await shows(page, { hasScripts }, 'text=the lamp is lit')
      await shows(page, { hasScripts }, '.item-facts .chip.success')
      await page.goto(`${url}${base}/runners`)
      await page.waitForSelector('.list >> text=Online')
      await window.check()
      await by.press(page.locator('.list .title a').first())
      await page.waitForSelector('aside >> text=Last contact')
      await page.getByRole('main').getByRole('link', { name: 'deploy', exact: true }).waitFor()
      await window.check()
      await by.press(page.getByRole('link', { name: /^Edit/ }))
      await page.waitForURL(/\/edit$/)
      await by.write(page.locator('input[name=tag_list]'), 'linux, docker')
      await window.check()
      await by.press(page.getByRole('button', { name: 'Save' }))
      await page.waitForSelector('text=The runner was changed.')
      await page.locator('aside .chip', { hasText: 'docker' }).waitFor()
    } finally {
      await stop()
    }
    await window.close()
  })
