import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { startTaskWorker } from '../../server/tasks.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const ci = `stages: [build, deploy]
build: { stage: build, script: [make] }
ship:
  stage: deploy
  script: [make ship]
  environment: production
  needs: [build]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
`

/** A member of a project in a browser. */
async function memberOf({ url }: SceneProject, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${url}/members`, { user_id: member.person.id, access_level })
  return member
}

/** A maintainer of a project with these files on `main`. */
async function maintainerOf(files: Readonly<Record<string, string>>) {
  const { project } = await scene.project()
  if (Object.keys(files).length > 0) await scene.commit(project, files)
  const maintainer = await memberOf(project, 40)
  const base = `/${project.full_path}/-/ci`
  /** The page of a tab with a text. */
  const look = async (content: string, more: Readonly<Record<string, string>> = {}, branch = 'main') =>
    String((await maintainer.submit(`${base}/lint?branch_name=${branch}`, { content, ...more })).body)
  const fileOn = async (branch: string, path = '.gitlab-ci.yml') =>
    (await scene.root.get(`${project.url}/repository/files/${encodeURIComponent(path)}/raw`, { ref: branch })).body
  return { project, maintainer, base, look, fileOn }
}

const main = (body: unknown): string => /<main[\s\S]*<\/main>/.exec(String(body))?.[0] ?? ''

describe('the editor of the CI file', () => {
  test('shows the file of a branch, and commits to it, to a new branch, and on to a merge request', async () => {
    const { maintainer, base, project, fileOn } = await maintainerOf({ '.gitlab-ci.yml': ci })

    const shown = String((await maintainer.get(`${base}/editor`)).body)
    const last_commit_id = /name="last_commit_id" value="(\w+)"/.exec(shown)?.[1] ?? ''
    const saved = await maintainer.submit(`${base}/editor?branch_name=main`, { content: `${ci}# more\r\n`, last_commit_id })
    const branched = await maintainer.submit(`${base}/editor?branch_name=main`, {
      content: 'a: { script: x }\n',
      branch_name: 'topic',
      commit_message: 'Shorter',
      merge_request: 'true',
    })

    assert.match(shown, /<textarea[^>]*>\nstages: \[build, deploy\]/)
    assert.deepEqual([saved.status, saved.headers.location], [303, `${base}/editor?branch_name=main`])
    assert.equal(await fileOn('main'), `${ci}# more\n`)
    assert.equal(
      branched.headers.location,
      `/${project.full_path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic&merge_request%5Btarget_branch%5D=main`,
    )
    assert.deepEqual([await fileOn('topic'), await fileOn('main')], ['a: { script: x }\n', `${ci}# more\n`])
  })

  test('keeps what was typed where the file has changed meanwhile, where it is as it was, and where the branch is protected', async () => {
    const { maintainer, base, project, fileOn } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const shown = String((await maintainer.get(`${base}/editor`)).body)
    const last_commit_id = /name="last_commit_id" value="(\w+)"/.exec(shown)?.[1] ?? ''
    await scene.root.put(`${project.url}/repository/files/.gitlab-ci.yml`, {
      branch: 'main',
      content: 'changed: { script: x }\n',
      commit_message: 'Meanwhile',
    })
    const developer = await memberOf(project, 30)

    const stale = await maintainer.submit(`${base}/editor?branch_name=main`, { content: 'typed: { script: <b> }\n', last_commit_id })
    const same = await maintainer.submit(`${base}/editor?branch_name=main`, { content: 'changed: { script: x }\n' })
    const guarded = await developer.submit(`${base}/editor?branch_name=main`, { content: 'typed: { script: <b> }\n', branch_name: 'main' })
    const proposed = String((await developer.get(`${base}/editor`)).body)

    for (const [answer, says] of [
      [stale, /has changed on main since you began/],
      [guarded, /Branch is protected: choose another name/],
    ] as const) {
      assert.equal(answer.status, 422)
      assert.match(String(answer.body), />\ntyped: \{ script: &lt;b&gt; \}\n<\/textarea>/)
      assert.match(String(answer.body), says)
      assert.match(String(answer.body), /action="[^"]*\/-\/ci\/editor\?branch_name=main"/)
    }
    assert.equal(same.status, 422)
    assert.match(String(same.body), /is as it was/)
    assert.match(proposed, new RegExp(`name="branch_name"[^>]* value="${developer.person.username}-patch-1"`))
    assert.equal(await fileOn('main'), 'changed: { script: x }\n')
  })

  test('asks before an invalid file is committed, and shows what is wrong with it', async () => {
    const { maintainer, base, fileOn } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const content = 'a: { scrpit: x }\n'

    const asked = await maintainer.submit(`${base}/editor?branch_name=main`, { content })
    const before = await fileOn('main')
    const committed = await maintainer.submit(`${base}/editor?branch_name=main`, { content, commit_anyway: 'true' })

    assert.equal(asked.status, 422)
    assert.match(String(asked.body), /The file is invalid: nothing was committed/)
    assert.match(String(asked.body), /data-finding="error"/)
    assert.match(String(asked.body), /name="commit_anyway" value="true">Commit anyway</)
    assert.deepEqual([before, committed.status, await fileOn('main')], [ci, 303, content])
  })

  test('says what a CI file is for where there is none, and begins with a template, in an empty repository too', async () => {
    const { maintainer, base, fileOn } = await maintainerOf({})

    const begun = String((await maintainer.get(`${base}/editor`)).body)
    const template = String((await maintainer.get(`${base}/editor?template=Getting-Started`)).body)
    const unknown = main((await maintainer.get(`${base}/editor?template=..%2F..%2Fsecret`)).body)
    const drawn = main((await maintainer.get(`${base}/editor?template=Getting-Started&tab=visualize`)).body)
    const saved = await maintainer.submit(`${base}/editor?branch_name=main`, { content: ci })

    assert.match(begun, /No CI file on main yet/)
    assert.match(begun, /href="[^"]*template=Nodejs"/)
    assert.match(template, /<textarea[^>]*>\n# A build, a test and a deployment by hand/)
    assert.match(unknown, /No CI file on main yet/)
    assert.match(drawn, /data-job="3"/)
    assert.deepEqual([saved.status, await fileOn('main')], [303, ci])
  })

  test('edits the file that the project says, and none that lies elsewhere', async () => {
    const { maintainer, base, project } = await maintainerOf({ 'ci/main.yml': ci, '.gitlab-ci.yml': 'not this one' })
    const pathIs = (ci_config_path: string) => scene.root.put(project.url, { ci_config_path })

    await pathIs('ci/main.yml')
    const inside = String((await maintainer.get(`${base}/editor`)).body)
    await pathIs('other.yml@some/project:main')
    const outside = String((await maintainer.get(`${base}/editor`)).body)
    const refused = await maintainer.submit(`${base}/editor?branch_name=main`, { content: ci })

    assert.match(inside, /<textarea[^>]*>\nstages:/)
    assert.match(outside, /The CI file lies elsewhere/)
    assert.doesNotMatch(outside, /<textarea/)
    assert.equal(refused.status, 422)
  })

  test('is for those who may push; others may not, and of a private project others see nothing', async () => {
    const { base, project } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const [reporter, stranger] = [await memberOf(project, 20), await surfer()]

    for (const address of [`${base}/editor`, `${base}/lint`]) {
      assert.equal((await reporter.get(address)).status, 403, address)
      assert.equal((await stranger.get(address)).status, 404, address)
    }
    assert.equal((await reporter.submit(`${base}/lint`, { content: ci })).status, 403)
    assert.equal((await stranger.submit(`${base}/lint`, { content: ci })).status, 404)
  })

  test('the former address of the linter leads there', async () => {
    const { maintainer, base } = await maintainerOf({ '.gitlab-ci.yml': ci })

    const { status, headers } = await maintainer.get(`${base}/lint?branch_name=main`)

    assert.deepEqual([status, headers.location], [303, `${base}/editor?branch_name=main`])
    assert.equal((await maintainer.get(`${base}/editor?branch_name=nowhere`)).status, 404)
  })
})

describe('its tabs, as pages for who has no scripts', () => {
  test('validate what was typed, with the lines of what is wrong, and keep it', async () => {
    const { look } = await maintainerOf({ '.gitlab-ci.yml': ci })

    const wrong = main(await look('a:\n  script: <b>\n  when: later\n', { branch_name: 'topic', commit_message: 'Kept <i>' }))
    const right = main(await look(ci))

    assert.match(wrong, /The file is invalid/)
    assert.match(wrong, /data-finding="error" data-line="3"[\s\S]*jobs:a:when config should be one of/)
    assert.match(wrong, />\na:\n {2}script: &lt;b&gt;\n/)
    assert.match(wrong, /name="branch_name"[^>]* value="topic"/)
    assert.match(wrong, />\nKept &lt;i&gt;<\/textarea>/)
    assert.match(right, /The file is valid/)
  })

  test('draw what a push would run, with its needs, and say what is left out', async () => {
    const { look, project } = await maintainerOf({ '.gitlab-ci.yml': ci })
    await scene.root.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })

    const onMain = main(await look(ci, { tab: 'visualize' }))
    const onTopic = main(await look(ci, { tab: 'visualize' }, 'topic'))
    const nothing = main(await look('a: { script: x, only: [tags] }\n', { tab: 'visualize' }))

    assert.match(onMain, /data-from="1" data-to="2"/)
    assert.match(onMain, /ship: is run by hand/)
    assert.match(onTopic, /needs &#39;build&#39;|1 job in 1 stage, without 1 job/)
    assert.match(nothing, /Nothing would run/)
  })

  test('merge what is included', async () => {
    const { look } = await maintainerOf({ 'ci/more.yml': 'more: { script: <x> }\n' })

    const merged = main(await look('include: ci/more.yml\n.a: { script: make }\nb: { extends: .a }\n', { tab: 'merged' }))

    assert.match(merged, /more:\n {2}script: &lt;x&gt;\n/)
    assert.match(merged, /b:\n {2}script: make\n {2}extends: \.a/)
  })

  test('simulate pipelines: which rule lets a job in or keeps it out, and what the workflow says', async () => {
    const { look, project } = await maintainerOf({ '.gitlab-ci.yml': ci })
    await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    const text = `workflow: { rules: [{ if: $CI_COMMIT_TAG == "v2", when: never }, { when: always }] }
a: { script: x, rules: [{ if: $CI_COMMIT_TAG }, { if: $CI_PIPELINE_SOURCE == "schedule", when: delayed, start_in: 1 day, allow_failure: true }] }
b: { script: x, only: [branches], environment: staging }
c: { script: x, rules: [{ if: $CI_COMMIT_BRANCH, when: never }, { when: on_success }] }
`
    const simulate = async (more: Readonly<Record<string, string>>) =>
      main(await look(text, { tab: 'simulate', ...more }))
        .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')

    const pushed = await simulate({ ref: 'main' })
    const scheduled = await simulate({ source: 'schedule' })
    const tagged = await simulate({ ref: 'v1' })

    assert.match(pushed, /There would be a pipeline of 1 job/)
    assert.match(pushed, /Workflow: rule 2 lets it in: when: always/)
    assert.match(pushed, / a stage test no rule applies /)
    assert.match(pushed, / b .*staging stage test nothing keeps it out/)
    assert.match(pushed, / c stage test rule 1 keeps it out: if: \$CI_COMMIT_BRANCH; when: never/)
    assert.match(scheduled, / a runs after a delay May fail stage test rule 2 lets it in/)
    assert.match(tagged, / b stage test only does not apply/)
    assert.match(await simulate({ ref: 'nowhere' }), /There is no such branch or tag/)
    assert.match(await simulate({ source: 'merge_request_event', merge_request_iid: 'x' }), /Say the number/)
    assert.match(await simulate({ source: 'merge_request_event', merge_request_iid: '7' }), /There is no such merge request/)
  })

  test('simulate a merge request, whose changes are known', async () => {
    const { look, project } = await maintainerOf({ '.gitlab-ci.yml': ci })
    await scene.root.post(`${project.url}/repository/commits`, {
      branch: 'topic',
      start_branch: 'main',
      commit_message: 'Change',
      actions: [{ action: 'create', file_path: 'src/a.ts', content: '1' }],
    })
    const { body } = await scene.root.post(`${project.url}/merge_requests`, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Topic',
    })
    const text = `in: { script: x, rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [src/*] }] }
out: { script: x, rules: [{ changes: [docs/*] }] }
also: { script: x }
`
    const shown = main(await look(text, { tab: 'simulate', source: 'merge_request_event', merge_request_iid: `!${body.iid}` }))

    assert.match(shown, /There would be a pipeline<\/strong> of 1 job/)
    assert.match(shown, /Jobs that are left out <span class="counter">2<\/span>/)
  })
})

describe('a merge request from a fork', () => {
  test('is simulated in the fork, for those who may see its code', async () => {
    const { project, maintainer, base, look } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const forker = await surfer()
    await scene.root.post(`${project.url}/members`, { user_id: forker.person.id, access_level: 30 })
    const { body: fork } = await forker.person.post(`${project.url}/fork`)
    const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
    const open = async () => {
      await eventually(async () => (await forker.person.get(`/projects/${fork.id}`)).body.import_status === 'finished', 'the fork')
      await forker.person.post(`/projects/${fork.id}/repository/commits`, {
        branch: 'topic',
        start_branch: 'main',
        commit_message: 'Change',
        actions: [{ action: 'create', file_path: 'src/a.ts', content: '1' }],
      })
      const proposed = { source_branch: 'topic', target_branch: 'main', title: 'Topic', target_project_id: project.id }
      const { body } = await forker.person.post(`/projects/${fork.id}/merge_requests`, proposed)
      await eventually(
        async () => (await scene.root.get(`${project.url}/merge_requests/${body.iid}`)).body.merge_status === 'can_be_merged',
        'the merge request to have its commits',
      )
      return body.iid as number
    }
    const iid = await open().finally(() => worker.stop())
    await scene.root.put(`/projects/${fork.id}`, { visibility: 'private' })
    await scene.root.post(`${project.url}/variables`, { key: 'KEY', value: 's3cr3t' })
    const text = `there: { script: x, rules: [{ if: '$CI_PROJECT_PATH == "${fork.path_with_namespace}"', changes: [src/*] }] }
known: { script: x, rules: [{ if: $KEY }] }
`
    const asked = { tab: 'simulate', source: 'merge_request_event', merge_request_iid: String(iid) }

    assert.match(main(await look(text, asked)), /in a project that is gone, or whose code you may not see/)
    const seen = main((await forker.submit(`${base}/lint?branch_name=main`, { content: text, ...asked })).body)
    assert.match(seen, new RegExp(`The pipeline would run in <a href="/${fork.path_with_namespace}">`))
    assert.match(seen, /There would be a pipeline<\/strong> of 1 job/)
    await scene.root.post(`/projects/${fork.id}/members`, { user_id: maintainer.person.id, access_level: 20 })
    const withheld = main(await look(text, asked))
    assert.match(withheld, /There would be a pipeline<\/strong> of 1 job/)
    assert.match(withheld, /CI\/CD variables are left out of this check/)
  })
})

describe('secrets', () => {
  test('count for no one who may not push to the branch of the merge request that is simulated', async () => {
    const { project, base, look } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const developer = await memberOf(project, 30)
    await scene.root.post(`${project.url}/variables`, { key: 'KEY', value: 's3cr3t' })
    const change = { branch: 'topic', start_branch: 'main', commit_message: 'Change' }
    await scene.root.post(`${project.url}/repository/commits`, {
      ...change,
      actions: [{ action: 'create', file_path: 'a.ts', content: '1' }],
    })
    const proposed = { source_branch: 'topic', target_branch: 'main', title: 'Topic' }
    const { body } = await scene.root.post(`${project.url}/merge_requests`, proposed)
    const content = `b: { script: x, rules: [{ if: '$KEY == "s3cr3t"' }] }\nc: { script: x }\n`
    const asked = { tab: 'simulate', source: 'merge_request_event', merge_request_iid: String(body.iid) }
    const seen = async () => main((await developer.submit(`${base}/lint?branch_name=main`, { content, ...asked })).body)

    assert.match(await seen(), /There would be a pipeline<\/strong> of 1 job/)
    await scene.root.post(`${project.url}/protected_branches`, { name: '*', push_access_level: 40 })
    assert.match(await seen(), /CI\/CD variables are left out of this check/)
    assert.doesNotMatch(main(await look(content, asked)), /left out of this check/)
  })

  test('count for no one who may not put the file on the branch, in none of the tabs', async () => {
    const { project, base, maintainer } = await maintainerOf({ '.gitlab-ci.yml': ci })
    const developer = await memberOf(project, 30)
    await scene.root.post(`${project.url}/variables`, { key: 'KEY', value: 's3cr3t-value', protected: true, masked: true })
    const content = (guess: string) =>
      `include: [{ local: $KEY.yml, rules: [{ if: '$KEY =~ /${guess}/' }] }]\nb: { script: x, rules: [{ if: '$KEY =~ /${guess}/' }] }\nc: { script: x, environment: $KEY }\n`
    const seenBy = async (who: typeof developer, guess: string, tab: string) =>
      main((await who.submit(`${base}/lint?branch_name=main`, { content: content(guess), tab, ref: 'main' })).body).replaceAll(
        guess,
        'guess',
      )
    const withoutToken = (body: string) => body.replaceAll(/name="authenticity_token" value="[^"]*"/g, '')

    for (const tab of ['edit', 'visualize', 'merged', 'simulate']) {
      const [right, wrong] = [await seenBy(developer, '^s3', tab), await seenBy(developer, '^wrong', tab)].map(withoutToken)
      assert.equal(right, wrong, tab)
      assert.match(String(right), /CI\/CD variables are left out of this check/, tab)
      for (const who of [developer, maintainer]) assert.doesNotMatch(await seenBy(who, '^s3', tab), /s3cr3t-value/, tab)
    }
  })
})

test('a text that is too large is refused, and one with too many jobs is said to be', async () => {
  const { look, maintainer, base } = await maintainerOf({ '.gitlab-ci.yml': ci })
  const jobs = Array.from({ length: 5_001 }, (_, at) => `j${at}: {script: x}`).join('\n')

  assert.equal((await maintainer.submit(`${base}/lint?branch_name=main`, { content: 'x'.repeat(1_048_577) })).status, 400)
  assert.equal((await maintainer.submit(`${base}/lint?branch_name=main`, { content: 'x'.repeat(4_000_000) })).status, 413)
  assert.match(await look(jobs, { tab: 'visualize' }), /at most 5000 jobs|exceeded the limit of 5000/)
})

test('the JSON schema of CI files has an address that browsers may keep, and one that editors ask again', async () => {
  const { headers, body } = await scene.anonymous.get(`${scene.url}/-/ci/schema.json`)
  const { maintainer, base } = await maintainerOf({ '.gitlab-ci.yml': ci })
  const address = /data-schema="([^"]+)"/.exec(String((await maintainer.get(`${base}/editor`)).body))?.[1] ?? ''
  const kept = await scene.anonymous.get(`${scene.url}${address}`)
  const again = await scene.anonymous.get(`${scene.url}/-/ci/schema.json`, {}, { 'if-none-match': headers.etag ?? '' })

  assert.match(JSON.stringify(body), /definitions/)
  assert.match(headers['cache-control'] ?? '', /no-cache/)
  assert.match(kept.headers['cache-control'] ?? '', /immutable/)
  assert.equal(again.status, 304)
})

test('who has no pipelines yet is led to the editor, if they may push', async () => {
  const { maintainer, project } = await maintainerOf({ 'README.md': 'x' })
  const reporter = await memberOf(project, 20)
  const listOf = async (who: typeof reporter) => main((await who.get(`/${project.full_path}/-/pipelines`)).body)

  assert.match(await listOf(maintainer), /Write the CI file/)
  assert.doesNotMatch(await listOf(reporter), /ci\/editor/)
})
