import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { info } from '../scene.ts'
import { type JobToRun, missingFeatures } from './features.ts'

const job = (options: JobToRun['options'], ref = 'main'): JobToRun => ({ options: { script: ['true'], ...options }, ref })

describe('what a job needs of its runner (runner protocol c.1 `features`)', () => {
  const table: [string, JobToRun, string[]][] = [
    ['a script, files and a cache: nothing', job({ artifacts: { paths: ['a'] }, cache: [{ paths: ['b'] }] }), []],
    ['reports', job({ artifacts: { reports: { junit: ['a.xml'] } } }), ['upload_multiple_artifacts']],
    ['the reference of a merge request', job({}, 'refs/merge-requests/7/head'), ['refspecs']],
    ['files that are left out', job({ artifacts: { paths: ['a'], exclude: ['b'] } }), ['artifacts_exclude']],
    ['a release', job({ release: { tag_name: 'v1' } }), ['multi_build_steps']],
    ['exit codes that are allowed', job({ allow_failure_exit_codes: [1] }), ['return_exit_code']],
  ]
  for (const [what, needy, missing] of table)
    test(what, () => {
      assert.deepEqual(missingFeatures(needy, {}), missing)
      assert.deepEqual(missingFeatures(needy, info.features), [], 'a runner of level 14.0 has it')
    })

  test('what is announced as false, or as no truth value, is missing', () => {
    const needy = job({ release: { tag_name: 'v1' } })
    for (const said of [false, 'yes', null, 1]) assert.deepEqual(missingFeatures(needy, { multi_build_steps: said }), ['multi_build_steps'])
  })
})
