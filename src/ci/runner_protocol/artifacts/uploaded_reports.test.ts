/** Reports that runners upload: `dotenv` and `junit` (document 2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene } from '../../../../test/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'
import { uploadTo } from '../../artifacts/scene.ts'
import { pendingJob, runningJob } from '../../jobs/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

describe('reports', () => {
  test('dotenv reports become variables, encrypted; one that is wrong is refused, so that the job fails', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const report = { artifact_type: 'dotenv', artifact_format: 'gzip', filename: '.env.gz' }

    const wrong = await uploadTo(scene, job, gzipSync('no variable'), report)
    const large = await uploadTo(scene, job, gzipSync(`A=${'x'.repeat(6_000)}`), report)
    const right = await uploadTo(scene, job, gzipSync('URL=https://example.com\nSECRET=hidden\n'), report)

    assert.deepEqual(wrong, { status: 400, body: { message: '400 Bad request - Invalid Format' } })
    assert.equal(large.body.message, '400 Bad request - Dotenv Artifact Too Big. Maximum Allowable Size: 5120')
    assert.equal(right.status, 201)
    const rows = await db
      .selectFrom('run_variables')
      .select(['key', 'value', 'source'])
      .where('job_id', '=', job.id)
      .orderBy('key')
      .execute()
    assert.deepEqual(
      rows.map(({ key, value, source }) => [key, scene.deps.secrets.decrypt(value, 'run_variables.value').reveal(), source]),
      [
        ['SECRET', 'hidden', 'dotenv'],
        ['URL', 'https://example.com', 'dotenv'],
      ],
    )
    assert.ok(!JSON.stringify(rows).includes('hidden'))
  })

  test('the test report of a pipeline sums up its jobs, before and after they were parsed', async () => {
    const { project, owner } = await scene.project()
    const xml = (cases: string) => gzipSync(`<testsuite>${cases}</testsuite>`)
    const one = await runningJob(scene, project, owner, { name: 'rspec 1/2' })
    const two = await runningJob(scene, project, owner, { name: 'rspec 2/2', pipelineId: one.pipelineId })
    const three = await runningJob(scene, project, owner, { name: 'jest', pipelineId: one.pipelineId })
    const report = { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' }
    await uploadTo(scene, one, xml('<testcase name="a" classname="A" time="1"/>'), report)
    await uploadTo(
      scene,
      two,
      xml('<testcase name="b" time="2"><failure>no</failure></testcase><testcase name="c"><skipped/></testcase>'),
      report,
    )
    await uploadTo(scene, three, gzipSync('no xml'), report)
    const url = `${project.url}/pipelines/${one.pipelineId}`
    const before = await owner.get(`${url}/test_report`)
    for (const { id } of await db
      .selectFrom('job_artifacts')
      .select('id')
      .where('file_type', '=', 'junit')
      .where('project_id', '=', project.id)
      .execute())
      await tasksOf(scene.deps).parse_test_report({ artifact_id: id }, undefined)

    const after = await owner.get(`${url}/test_report`)
    const summary = await owner.get(`${url}/test_report_summary`)

    assert.equal(before.status, 200)
    assert.deepEqual(after.body, before.body)
    const { test_suites, ...total } = after.body
    assert.deepEqual(total, { total_time: 3, total_count: 3, success_count: 1, failed_count: 1, skipped_count: 1, error_count: 0 })
    assert.deepEqual(
      test_suites.map(({ name, total_count }: { name: string; total_count: number }) => [name, total_count]),
      [
        ['rspec', 3],
        ['jest', 0],
      ],
    )
    assert.deepEqual(test_suites[0].test_cases[1], {
      status: 'failed',
      name: 'b',
      classname: null,
      file: null,
      execution_time: 2,
      system_output: 'no',
      stack_trace: null,
    })
    assert.match(test_suites[1].suite_error, /^JUnit XML parsing failed/)
    assert.deepEqual(summary.body.test_suites[0].build_ids, [one.id, two.id])
    assert.deepEqual([summary.body.total.count, summary.body.total.failed], [3, 1])
  })

  test('a pipeline without reports has an empty one', async () => {
    const { project, owner } = await scene.project()
    const { pipelineId } = await pendingJob(scene, project, owner)
    const { body } = await owner.get(`${project.url}/pipelines/${pipelineId}/test_report`)
    assert.deepEqual([body.total_count, body.test_suites], [0, []])
  })
})
