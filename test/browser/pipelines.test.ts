/** What people do with pipelines and jobs, in a real browser and with a runner: with a mouse, by keyboard alone, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobIn, registered, runOf } from '../../src/ci/runner_protocol/scene.ts'
import { jobOf, pipelineOf } from '../../src/ci/scene.ts'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { shows, signIn, visitor } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const ci = `stages: [build, test]
compile: { stage: build, script: [make] }
unit: { stage: test, needs: [compile], script: [make test] }
publish: { stage: test, script: [make publish], when: manual }
`

/** A maintainer of a project with a CI file and a runner, in a window of theirs. */
async function maintainer(options: { javaScriptEnabled?: boolean } = {}) {
  const { person } = await surfer()
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
  const runner = await registered(scene, { project })
  const window = await visitor(browser, url, options)
  await signIn(window, url, { username: person.username, password })
  return { project, runner, window, page: window.page, base: `/${project.full_path}/-` }
}

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, runs a pipeline, reads why a job failed and runs it again`, async () => {
    const { project, runner, window, page, base } = await maintainer(options)
    const by = hands(page)
    await scene.commit(project, { '.gitlab-ci.yml': ci }, { message: 'Build and test' })
    await window.visit(`${base}/pipelines`)
    await by.press(page.getByRole('link', { name: 'Run a pipeline' }))
    await page.waitForURL(/\/pipelines\/new$/)
    await window.check()
    if (options.javaScriptEnabled !== false) await by.press(page.getByRole('button', { name: 'Add a variable' }))
    await by.write(page.getByLabel('Name 1'), 'LEVEL')
    await by.write(page.getByLabel('Value 1'), 'debug')
    await by.press(page.getByRole('button', { name: 'Run the pipeline' }))
    await page.waitForURL(/\/pipelines\/\d+$/)
    await by.press(page.locator('.pipeline-graph a.job:has-text("compile")'))
    await page.waitForSelector('h1:has-text("compile")')
    await window.check()
    await page.goBack()
    await page.waitForSelector('.pipeline-graph a.job:has-text("compile")')
    await window.check()
    await by.press(page.getByRole('link', { name: 'Needs', exact: true }))
    await page.waitForURL(/\/dag$/)
    await page.waitForSelector('tr:has-text("compile") >> text=unit')
    await window.check()
    await page.goBack()
    await page.waitForSelector('.pipeline-graph a.job:has-text("compile")')

    const { trace, update } = runOf(scene.anonymous, (await runner.ask()).body)
    await trace('\u001b[32;1m$ make\u001b[0m\nmake: no rule to make the lamp\n', 0)
    await update({ state: 'failed', failure_reason: 'script_failure' })
    await page.goto(`${page.url()}/failures`)
    await page.waitForSelector('text=no rule to make the lamp')
    await window.check()
    await by.press(page.locator('section.panel').getByRole('link', { name: 'compile' }))
    await page.waitForURL(/\/jobs\/\d+$/)
    await page.waitForSelector('.log .ansi-green')
    await window.check()
    const failed = page.url()
    await by.press(page.getByRole('button', { name: 'Retry compile' }))
    await page.waitForSelector('text=The job runs again.')
    assert.notEqual(page.url(), failed, 'the page is that of the new job')
    await page.waitForSelector('text=It waits for the runner that can take it.')
    await window.close()
  })

test('the log of a running job and the graph of its pipeline follow the runner', async () => {
  const { project, runner, window, page, base } = await maintainer()
  const { id } = await jobIn(scene, project)
  const { trace, update } = runOf(scene.anonymous, (await runner.ask()).body)
  await window.visit(`${base}/jobs/${id}`)
  const first = 'compiling the lamp\n'
  await trace(first, 0)
  await page.waitForSelector('.log-line:has-text("compiling the lamp")')
  await trace('\u001b[31mthe wick is wet\u001b[0m\n', first.length)
  await page.waitForSelector('.log .ansi-red:has-text("the wick is wet")')
  await window.check()

  await update({ state: 'success' })
  await page.waitForSelector('#job-head >> text=Passed')
  await window.close()
})

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a reader, ${way}, searches a long log for what went wrong and goes to the line`, async () => {
    const { project, runner, window, page, base } = await maintainer(options)
    const by = hands(page)
    const { id } = await jobIn(scene, project)
    const { trace, update } = runOf(scene.anonymous, (await runner.ask()).body)
    const lines = Array.from({ length: 6_000 }, (_, at) => `checking the wick of lamp number ${at + 1}, which takes a while\n`)
    lines[2_999] = '\u001b[31mBro\u001b[1mken <wick>\u001b[0m of lamp 3000\n'
    await trace(lines.join(''), 0)
    await update({ state: 'failed', failure_reason: 'script_failure' })
    await window.visit(`${base}/jobs/${id}`)
    assert.equal(await page.locator('#L3000').count(), 0, 'the page begins with the end of the log')

    await by.write(page.getByRole('searchbox', { name: 'Search the log' }), 'broken <wick>')
    await by.press(page.getByRole('button', { name: 'Search', exact: true }))
    await page.waitForSelector('text=1 line has')
    assert.equal(await page.locator('.log-found mark').textContent(), 'Broken <wick>')
    await window.check()
    await by.press(page.locator('.log-found').getByRole('link', { name: 'Line 3000' }))
    await page.waitForURL(/line=3000#L3000$/)
    await page.waitForSelector('#L3000:has-text("Broken <wick> of lamp 3000")')
    if (options.javaScriptEnabled !== false) {
      await window.visit(`${base}/jobs/${id}#L3000`)
      await page.waitForSelector('#L3000:has-text("Broken <wick> of lamp 3000")')
    }
    await window.visit(`${base}/jobs/${id}?search=${encodeURIComponent('lamp number')}`)
    await page.waitForSelector('text=The first 200 lines that have')
    await by.press(page.getByRole('link', { name: 'Close' }))
    await page.waitForSelector('.log-found', { state: 'detached' })
    await window.visit(`${base}/jobs/${id}?search=lantern`)
    await page.waitForSelector('text=No line has')
    await window.close()
  })

test('long lines of a log are wrapped or not, which the browser remembers and a running job does not change', async () => {
  const { project, runner, window, page, base } = await maintainer()
  const { id } = await jobIn(scene, project)
  const { trace } = runOf(scene.anonymous, (await runner.ask()).body)
  const long = `${'a lamp and '.repeat(100)}the end\n`
  await trace(long, 0)
  await window.visit(`${base}/jobs/${id}`)
  const isWrapped = async () => ((await page.locator('#L1').boundingBox())?.height ?? 0) > 40
  await page.waitForSelector('#L1')
  assert.equal(await isWrapped(), true)
  await page.getByLabel('Wrap lines').uncheck()
  assert.equal(await isWrapped(), false)
  await window.check()
  await trace('a second line\n', long.length)
  await page.waitForSelector('#L2')
  assert.equal(await isWrapped(), false, 'a log that grows stays as its reader wants it')
  await page.reload()
  await page.waitForSelector('#L1')
  await page.waitForFunction("!document.querySelector('.log-wraps').checked")
  assert.equal(await isWrapped(), false)
  await window.close()
})

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a reader, ${way}, unfolds the pipelines that one has started, and the one that started it`, async () => {
    const { project, window, page, base } = await maintainer(options)
    const by = hands(page)
    const hasScripts = options.javaScriptEnabled !== false
    const sha = 'a'.repeat(40)
    const parent = await pipelineOf(scene, project, { sha, status: 'running' })
    const bridge = await jobOf(scene, parent, { name: 'ship', kind: 'bridge', status: 'success' })
    await window.visit(`${base}/pipelines/${parent.id}`)
    const child = await pipelineOf(scene, project, { sha, source: 'parent_pipeline', upstream_job_id: bridge.id, status: 'running' })
    const inner = await jobOf(scene, child, { name: 'inner', status: 'running' })
    const ofChild = await jobOf(scene, child, { name: 'grandchild', kind: 'bridge', status: 'success' })
    const grandchild = await pipelineOf(scene, project, { sha, source: 'parent_pipeline', upstream_job_id: ofChild.id })
    await jobOf(scene, grandchild, { name: 'innermost', status: 'success' })
    const { db } = scene.deps.database
    // What a bridge does when it has started its pipeline.
    await db.updateTable('jobs').set({ status: 'running' }).where('id', '=', bridge.id).execute()
    await shows(page, { hasScripts }, `text=Downstream: #${child.id}, started by ship`)
    await by.press(page.locator(`#linked-${child.id} > summary`))
    if (hasScripts) {
      await page.waitForSelector(`#linked-${child.id} a.job[aria-label="inner: Running"]`)
      await window.check()
      await by.press(page.locator(`#linked-${grandchild.id} > summary`))
      await page.waitForSelector(`#linked-${grandchild.id} a.job[aria-label="innermost: Passed"]`)
      await db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', inner.id).execute()
      await page.waitForSelector(`#linked-${child.id} a.job[aria-label="inner: Failed"]`)
      await page.waitForSelector(`#linked-${grandchild.id} a.job[aria-label="innermost: Passed"]`)
      await window.check()
    }
    await by.press(page.getByRole('link', { name: `Open pipeline #${child.id}` }))
    await page.waitForURL(new RegExp(`/pipelines/${child.id}$`))
    await by.press(page.locator(`#linked-${parent.id} > summary`))
    if (hasScripts) await page.waitForSelector(`#linked-${parent.id} a.job[aria-label="ship: Running"]`)
    await window.check()
    await by.press(page.getByRole('link', { name: `Open pipeline #${parent.id}` }))
    await page.waitForURL(new RegExp(`/pipelines/${parent.id}$`))
    await window.close()
  })

for (const [way, options, hands] of waysIn(import.meta.url))
  test(`a maintainer, ${way}, runs a manual job with variables of its own`, async () => {
    const { project, runner, window, page, base } = await maintainer(options)
    const by = hands(page)
    const pipeline = await pipelineOf(scene, project, { sha: 'a'.repeat(40), status: 'manual' })
    const { id } = await jobOf(scene, pipeline, {
      name: 'publish',
      when: 'manual',
      status: 'manual',
      options: JSON.stringify({ script: ['make'] }),
    })
    await window.visit(`${base}/jobs/${id}`)
    await by.press(page.getByRole('link', { name: 'Run with variables' }))
    await page.waitForURL(/\/run$/)
    if (options.javaScriptEnabled !== false) await by.press(page.getByRole('button', { name: 'Add a variable' }))
    await by.write(page.getByLabel('Name 1'), 'no name')
    await by.write(page.getByLabel('Value 1'), 'two')
    await by.press(page.getByRole('button', { name: 'Run the job' }))
    await page.waitForSelector('text=has a name that is not of letters')
    await window.check()
    await by.write(page.getByLabel('Name 1'), 'COPIES')
    await by.press(page.getByRole('button', { name: 'Run the job' }))
    await page.waitForSelector('text=The job was started.')
    await window.check()

    const { status, body } = await runner.ask()

    assert.equal(status, 201)
    assert.deepEqual(
      body.variables.filter(({ key }: { key: string }) => key === 'COPIES').map(({ value }: { value: string }) => value),
      ['two'],
    )
    await window.close()
  })

test('a delayed job counts down to its start, by the second with a script and as a moment without', async () => {
  const at = new Date(Date.now() + 3_600_000).toISOString()
  for (const javaScriptEnabled of [true, false]) {
    const { project, window, page, base } = await maintainer({ javaScriptEnabled })
    const pipeline = await pipelineOf(scene, project, { sha: 'a'.repeat(40), status: 'scheduled' })
    const { id } = await jobOf(scene, pipeline, { name: 'later', when: 'delayed', status: 'scheduled', scheduled_at: at })
    // The element shows its text in a tree of its own; what stands in it is for pages without a script.
    const seen = () =>
      page
        .locator('main relative-time[format=elapsed]')
        .evaluate((time: { shadowRoot: { textContent: string } | null; textContent: string }) => (time.shadowRoot ?? time).textContent)
    for (const address of [`/jobs/${id}`, `/pipelines/${pipeline.id}`]) {
      await window.visit(base + address)
      await page.waitForSelector('text=tarts by itself')
      const first = await seen()
      assert.match(first, javaScriptEnabled ? /^\d+m \d+s$/ : /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      if (javaScriptEnabled) await eventually(async () => (await seen()) !== first, 'the next second')
    }
    await window.close()
  }
})
