/** The CI templates that come with the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogues } from '../../../code/templates/catalogues.ts'
import { resultOf } from '../scene.ts'

const branch = {
  variables: { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main', CI_COMMIT_TAG: 'v1' },
  files: { Dockerfile: 'FROM scratch' },
}

test('there are more than thirty templates, and a file that includes any of them is valid', async () => {
  const names = await catalogues.gitlab_ci_ymls.list()
  assert.ok(names.length > 30, String(names.length))
  for (const { key } of names) {
    const own = key.startsWith('Workflows/') ? '\nown: {script: make}' : ''
    const result = await resultOf(`include: {template: "${key}.gitlab-ci.yml"}${own}`, branch)
    assert.ok(result.kind === 'plan', `${key}: ${JSON.stringify(result)}`)
    assert.deepEqual([key, ...result.plan.warnings], [key])
  }
})
