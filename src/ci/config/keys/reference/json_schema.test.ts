import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { load } from 'js-yaml'
import { Compile } from 'typebox/schema'
import { fileKeys } from './file_keys.ts'
import { jobKeys } from './job_keys.ts'
import { jsonSchema } from './json_schema.ts'
import type { Keys } from './words.ts'

const schema = Compile(jsonSchema() as object)
const isValid = (file: unknown): boolean => schema.Check(file)
const templates = join(import.meta.dirname, '../../../../code/templates/gitlab_ci_ymls')

const everyExample = (keys: Keys): { name: string; value: unknown; beside: string | undefined }[] =>
  Object.entries(keys).map(([name, { example, beside }]) => ({
    name,
    value: (load(`value: ${example}`) as { value: unknown }).value,
    beside,
  }))

describe('the JSON schema of CI files', () => {
  test('takes the templates, and the example of every key', () => {
    for (const file of readdirSync(templates)) assert.ok(isValid(load(readFileSync(join(templates, file), 'utf8'))), file)
    for (const { name, value } of everyExample(fileKeys)) assert.ok(isValid({ [name]: value, job: { script: 'make' } }), name)
    for (const { name, value } of everyExample(jobKeys)) assert.ok(isValid({ job: { script: 'make', [name]: value } }), name)
  })

  test('takes a key in all its forms', () => {
    for (const job of [
      { image: 'node:22', services: ['db', { name: 'cache', alias: 'c' }], needs: ['a', { job: 'b', optional: true }] },
      {
        rules: [
          { if: '$A', changes: ['x'] },
          { changes: { paths: ['x'] }, when: 'never', variables: { A: 'x' } },
        ],
      },
      { cache: [{ key: { files: ['x'] }, paths: ['y'] }, { key: 'z' }], retry: { max: 2, when: ['always'] } },
      { retry: { when: 'always' }, allow_failure: { exit_codes: 3 }, only: ['main'], except: { refs: ['tags'] }, parallel: 3 },
      { artifacts: { reports: { junit: 'x', coverage_report: { coverage_format: 'cobertura', path: 'y' } } }, environment: 'x' },
    ])
      assert.ok(
        isValid({ variables: { A: 1, B: { value: 'x', description: 'y' } }, '.template': { anything: 1 }, job }),
        JSON.stringify(job),
      )
  })

  test('refuses keys and values that there are none of', () => {
    for (const job of [
      { scripts: 'make' },
      { when: 'sometimes' },
      { artifacts: { path: ['x'] } },
      { rules: [{ unless: '$A' }] },
      { rules: [{ when: 'later' }] },
      { retry: { max: 7 } },
      { retry: { when: ['never'] } },
    ])
      assert.ok(!isValid({ job: { script: 'make', ...job } }), JSON.stringify(job))
    assert.ok(!isValid({ workflow: { rule: [] }, job: { script: 'x' } }))
  })
})
