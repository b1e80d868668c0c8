import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { load } from 'js-yaml'
import { Compile } from 'typebox/schema'
import { runSync } from '../../../../platform/kernel/answer/time_slicing.ts'
import { parseYaml } from '../../reading/yaml.ts'
import { readFile } from '../file.ts'
import { Problems } from '../place.ts'
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
    for (const file of readdirSync(templates, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.yml')))
      assert.ok(isValid(load(readFileSync(join(templates, file), 'utf8'))), file)
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

  test('takes what the reader takes of each key, and has the kinds and limits of its readers', () => {
    const inside = [
      { name: 'x' },
      { max: 1 },
      { paths: ['x'] },
      { exit_codes: 3 },
      { matrix: [{ A: ['x', 1], B: 'y' }] },
      { project: 'a/b' },
      { key: 'x' },
    ]
    const plain = [null, true, 0, 1, 2, 3, 50, 51, 1.5, -1, '', 'x', '$X', '1 day', '/x/', 'always', 'main']
    const samples = [
      ...plain,
      ...inside,
      {},
      { x: 'y' },
      [],
      ['x'],
      ['x', 'y'],
      [1],
      [['x']],
      [['x'], 'y'],
      ...inside.map(value => [value]),
    ]
    let taken = 0
    for (const [keys, inJob] of [
      [jobKeys, true],
      [fileKeys, false],
    ] as const)
      for (const name of Object.keys(keys).filter(name => name !== 'include' && name !== 'extends'))
        for (const value of samples) {
          const job = name === 'trigger' ? { trigger: value } : { script: 'make', ...(inJob && { [name]: value }) }
          const file = { ...(!inJob && { [name]: value }), job }
          const problems = new Problems()
          runSync(readFile(parseYaml(JSON.stringify(file), 'test.yml'), problems))
          if (problems.errors.length > 0) continue
          taken++
          assert.ok(isValid(file), `the reader takes ${name}: ${JSON.stringify(value)}`)
        }
    assert.ok(taken > 300, `${taken} values were taken`)
    const refused: readonly Readonly<Record<string, unknown>>[] = [
      { parallel: 'x' },
      { parallel: 1 },
      { parallel: 51 },
      { parallel: 2.5 },
      { retry: 3 },
      { retry: 'twice' },
      { retry: { max: '1' } },
      { tags: 'docker' },
      { tags: [{}] },
      { script: { run: 'x' } },
      { services: 'db' },
      { cache: Array.from({ length: 5 }, () => ({ key: 'x' })) },
      { interruptible: 'yes' },
      { environment: 'x'.repeat(256) },
      { image: true },
      { image: { name: ['x'] } },
      { rules: { if: '$A' } },
      { rules: [{ if: true }] },
      { environment: { url: {} } },
      { coverage: {} },
      { needs: 'build' },
      { variables: ['A'] },
      { artifacts: { paths: 'dist' } },
      { trigger: { include: ['a', 'b', 'c', 'd'] } },
    ]
    for (const job of refused) assert.ok(!isValid({ job: { script: 'make', ...job } }), JSON.stringify(job))
    assert.ok(!isValid({ stages: 'build', job: { script: 'x' } }) && !isValid({ default: { tags: 'x' }, job: { script: 'x' } }))
  })

  test('lets a reference stand for a value of any kind', () => {
    for (const job of [{ parallel: ['.base', 'parallel'] }, { image: ['.base', 'image'] }, { script: [['.base', 'script'], 'make'] }])
      assert.ok(isValid({ job: { script: 'make', ...job } }), JSON.stringify(job))
  })
})
