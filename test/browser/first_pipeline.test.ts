/**
 * The way to a first deployment, in a real browser and with a runner: a CI file is written in the editor and committed, its pipeline is watched, a test
 * fails and is found, the code is mended, and what is green is deployed by hand to a protected environment and rolled back. By mouse, by keyboard alone,
 * and without scripts: there pages are loaded again where others follow.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { registered, runOf } from '../../src/ci/runner_protocol/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { isWhole } from '../depth.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { type Hands, keyboard, mouse, mouseWithoutScripts } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const ci = `stages: [test, deploy]
unit:
  stage: test
  script: [./test.sh]
  artifacts:
    reports:
      junit: report.xml
ship:
  stage: deploy
  script: [./ship.sh]
  environment: production
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
`

/** The report of the tests that a runner sends. */
const report = (failure: string) =>
  gzipSync(`<testsuite><testcase name="the lamp is lit" classname="Lamp" time="1">${failure}</testcase></testsuite>`)

interface Way {
  readonly name: string
  readonly hasScripts: boolean
  readonly hands: (page: Page) => Hands
  /** Replaces the text in the editor of code. */
  write(page: Page, text: string): Promise<void>
}

/** Types over what stands in the editor that has the focus. Line by line, the editor would indent what is indented already. */
async function replaceText(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

const ways: readonly Way[] = [
  {
    name: 'by mouse',
    hasScripts: true,
    hands: mouse,
    async write(page, text) {
      await page.locator('code-editor .cm-content').click()
      await replaceText(page, text)
    },
  },
  {
    name: 'by keyboard alone',
    hasScripts: true,
    hands: keyboard,
    async write(page, text) {
      await page.locator('code-editor .cm-content').waitFor()
      await eventually(async () => {
        await page.keyboard.press('Tab')
        return page.evaluate("document.activeElement?.localName === 'code-editor'")
      }, 'Tab to lead into the editor')
      await replaceText(page, text)
    },
  },
  {
    name: 'without scripts',
    hasScripts: false,
    hands: mouseWithoutScripts,
    write: (page, text) => page.locator('textarea[name=content]').fill(text),
  },
]

for (const way of isWhole ? ways : ways.slice(1))
  test(`a maintainer, ${way.name}, writes a first CI file, mends what its test finds, deploys by hand and rolls back`, async () => {
    const { hasScripts } = way
    const { person } = await surfer()
    const { project } = await scene.project({ visibility: 'private' })
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
    await scene.root.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
    await scene.commit(project, { 'lamp.sh': 'echo dark\n' }, { message: 'Begin' })
    const runner = await registered(scene, { project })
    const nextRun = async () => {
      const { body } = await eventually(async () => {
        const asked = await runner.ask()
        return asked.status === 201 && asked
      }, 'the runner to get a job')
      return { name: body.job_info.name as string, ...runOf(scene.anonymous, body) }
    }
    const window = await visitor(browser, url, { javaScriptEnabled: hasScripts })
    const { page } = window
    page.on('dialog', dialog => void dialog.accept())
    await signIn(window, url, { username: person.username, password })
    const by = way.hands(page)
    const main = page.getByRole('main')
    const button = (name: string) => main.getByRole('button', { name, exact: true }).first()
    const link = (name: string | RegExp) => main.getByRole('link', { name }).first()
    const base = `/${project.full_path}/-`

    // A first CI file, from a template.
    await window.visit(`${base}/pipelines`)
    await by.press(link('Write the CI file'))
    await page.waitForSelector('text=No CI file on main yet')
    await window.check()
    await by.press(link('Three stages, with comments'))
    await page.waitForURL(/template=Getting-Started/)
    await way.write(page, ci.replace('script: [./test.sh]', 'scripts: [./test.sh]'))
    if (!hasScripts) await by.press(button('Validate'))
    await page.waitForSelector('[data-finding=error][data-line="2"] >> text=jobs:unit config should implement a script')
    await page.waitForSelector('[data-finding=error] >> text=Did you mean script, not scripts?')
    await window.check()
    await way.write(page, ci)
    if (!hasScripts) await by.press(button('Validate'))
    await page.waitForSelector('text=It has 2 jobs.')
    await by.press(button('Visualize'))
    await page.waitForSelector('.pipeline-graph .job:has-text("ship")')
    await window.check()
    await by.press(button('Simulate'))
    await page.waitForSelector('li:has-text("ship") >> text=rule 1 lets it in')
    await by.write(page.getByLabel('Branch or tag'), 'nowhere')
    // Enter simulates, and does not commit.
    await page.getByLabel('Branch or tag').press('Enter')
    await page.waitForSelector('text=There is no such branch or tag.')
    await window.check()
    await by.press(button('Full configuration'))
    await page.waitForSelector('.ci-merged:has-text("junit: report.xml")')
    await window.check()
    await by.write(page.getByLabel(/^Commit message/), 'Test and ship')
    await by.press(button('Commit'))
    await page.waitForSelector('text=The CI file was committed.')

    // Its pipeline is there by itself; the graph and the log follow the runner.
    await shows(page, way, '.heading a:has-text("pending")')
    await by.press(link(/^#\d+ pending/))
    await page.waitForSelector('.pipeline-graph a.job:has-text("unit")')
    const first = await nextRun()
    assert.equal(first.name, 'unit')
    await shows(page, way, '.pipeline-graph a.job[aria-label="unit: Running"]')
    await by.press(page.locator('.pipeline-graph a.job', { hasText: 'unit' }))
    await page.waitForURL(/\/jobs\/\d+$/)
    await first.trace('$ ./test.sh\nthe lamp is dark\n', 0)
    await shows(page, way, '.log >> text=the lamp is dark')

    // A test fails, and is found among the tests.
    const junit = { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' }
    await uploadTo(scene, first, report('<failure>expected light, found darkness</failure>'), junit)
    await first.update({ state: 'failed', failure_reason: 'script_failure' })
    await shows(page, way, '#job-head >> text=Failed')
    await by.press(link(/^#\d+/))
    await page.waitForURL(/\/pipelines\/\d+$/)
    await by.press(main.getByRole('navigation', { name: 'Parts of the pipeline' }).getByRole('link', { name: 'Tests' }))
    await page.waitForSelector('text=the lamp is lit')
    await page.waitForSelector('text=expected light, found darkness')
    await window.check()

    // The code is mended on the page of its file.
    await page.goto(`${url}${base}/blob/main/lamp.sh`)
    await by.press(link('Edit'))
    await page.waitForURL(/\/-\/edit\//)
    await way.write(page, 'echo light\n')
    await by.press(button('Commit'))
    await page.waitForSelector('text=The change was committed.')
    const second = await nextRun()
    await uploadTo(scene, second, report(''), junit)
    await second.update({ state: 'success' })

    // What is green is deployed by hand, twice, and rolled back.
    await page.goto(`${url}${base}/environments`)
    await by.press(link('production'))
    await page.waitForSelector('text=Maintainers may deploy here.')
    const deploy = async (number: number, title: string) => {
      await shows(page, way, `button[aria-label="Deploy #${number} to production"]`)
      await by.press(page.getByRole('button', { name: `Deploy #${number} to production` }))
      await page.waitForSelector('text=The job of the deployment was started.')
      await (await nextRun()).update({ state: 'success' })
      await shows(page, way, `#deployments li:has-text("Current") >> text=${title}`)
    }
    await deploy(2, 'Update lamp.sh')
    await scene.commit(project, { 'wick.sh': 'echo wick\n' }, { message: 'Trim the wick' })
    await (await nextRun()).update({ state: 'success' })
    await deploy(3, 'Trim the wick')
    await window.check()
    await by.press(page.getByRole('button', { name: 'Roll back production to #2' }))
    await page.waitForSelector('text=The job of the deployment runs again.')
    await (await nextRun()).update({ state: 'success' })
    await shows(page, way, '#deployments li:has-text("Current") >> text=Update lamp.sh')
    await window.check()
    await window.close()
  })
