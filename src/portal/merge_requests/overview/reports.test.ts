import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene } from '../../../../test/scene.ts'
import { uploadTo } from '../../../ci/artifacts/scene.ts'
import { zipOf } from '../../../ci/artifacts/zip/scene.ts'
import { runningJob } from '../../../ci/jobs/scene.ts'
import { parseLineReport } from '../../../ci/reports/lines/parse.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const { db } = scene.deps.database

const findings = (...of: readonly string[]) =>
  Buffer.from(
    JSON.stringify(
      of.map(fingerprint => ({
        fingerprint,
        description: `<b>${fingerprint}</b>`,
        severity: 'critical',
        check_name: 'odd',
        location: { path: 'paint.txt', lines: { begin: 2 } },
      })),
    ),
  )

const junit = (cases: string) => gzipSync(`<testsuite>${cases}</testsuite>`)
const failing = (name: string) => `<testcase name="${name}"><failure>why <i>${name}</i></failure></testcase>`

const coverage = gzipSync(
  '<coverage><packages><package><classes><class filename="paint.txt"><lines><line number="1" hits="3"/><line number="2" hits="0"/></lines></class></classes></package></packages></coverage>',
)

/** A merge request whose pipeline, and that of its target, have reported. `isPrivate`: artifacts of the head are for developers. */
async function place({ isPrivate = false } = {}) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { iid, sha, url, source_branch } = await scene.mergeRequest(project, { files: { 'paint.txt': 'one\ntwo\nthree\n' } })
  const { base_sha } = (await owner.person.get(url)).body.diff_refs
  const target = await runningJob(scene, project, owner.person, { sha: base_sha, name: 'rspec' })
  const options = { script: ['true'], artifacts: { expose_as: 'The <pages>', paths: ['out/a.txt'], public: !isPrivate } }
  const head = await runningJob(scene, project, owner.person, { sha, ref: source_branch, name: 'rspec', options })
  const report = (artifact_type: string, artifact_format: string) => ({ artifact_type, artifact_format, filename: 'report' })
  await uploadTo(scene, target, findings('old', 'gone'), report('codequality', 'raw'))
  await uploadTo(scene, target, junit(failing('still') + failing('mended')), report('junit', 'gzip'))
  await uploadTo(scene, head, findings('old', 'fresh'), report('codequality', 'raw'))
  await uploadTo(scene, head, junit(`${failing('still')}${failing('broken')}<testcase name="mended"/>`), report('junit', 'gzip'))
  await uploadTo(scene, head, coverage, report('cobertura', 'gzip'))
  await uploadTo(scene, head, await zipOf({ 'out/a.txt': 'a' }))
  const page = `/${project.full_path}/-/merge_requests/${iid}`
  const parse = async () => {
    const rows = await db
      .selectFrom('job_artifacts')
      .select('id')
      .where('project_id', '=', project.id)
      .where('file_type', 'in', ['cobertura', 'codequality'])
      .execute()
    for (const { id } of rows) await parseLineReport(scene.deps, { artifact_id: id })
  }
  return { project, page, head, parse }
}

test('the merge box compares tests and code quality with the target, and lists exposed artifacts', async () => {
  const { project, page, head, parse } = await place()
  assert.match((await owner.get(page)).body, /code quality is being read/)
  await parse()
  const { body } = await owner.get(page)
  for (const said of [
    /1 newly failed, 1 still failing, 1 fixed<\/strong> <span class="muted">of 3/,
    /why broken/,
    /Code quality: 1 new, 1 fixed/,
    /&lt;b&gt;fresh&lt;\/b&gt;/,
    /&lt;b&gt;gone&lt;\/b&gt;/,
    new RegExp(`/${project.full_path}/-/jobs/${head.id}/artifacts/file/out/a\\.txt"[^>]*>The &lt;pages&gt;<`),
  ])
    assert.match(body, said)
  assert.doesNotMatch(body, /&lt;b&gt;old&lt;/)
})

test('lines of the changes say whether they are covered, and which findings are new', async () => {
  const { page, parse } = await place()
  await parse()
  for (const view of ['inline', 'parallel']) {
    const { body } = await owner.get(`${page}/diffs?view=${view}`)
    assert.match(body, / covered" [^>]*title="Covered by tests: ran 3 times"/)
    assert.match(body, /not-covered" [^>]*title="Not covered by tests"/)
    assert.equal(body.match(/class="number[^"]*covered"/g)?.length, 2)
    assert.match(body, /1 of 2 lines/)
    assert.match(body, /line-finding">.*Critical.*&lt;b&gt;fresh&lt;/)
    assert.doesNotMatch(body, /&lt;b&gt;old&lt;/)
  }
})

test('reports of private artifacts are for those who may read them', async () => {
  const { page, parse } = await place({ isPrivate: true })
  await parse()
  for (const path of [page, `${page}/diffs`]) {
    const { status, body } = await reader.get(path)
    assert.equal(status, 200)
    assert.doesNotMatch(body, /newly failed|Code quality|covered|The &lt;pages/)
  }
  assert.match((await owner.get(page)).body, /newly failed/)
})
