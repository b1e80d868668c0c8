import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { jsonSchema } from '../../ci/config/index.ts'
import { type KeySchema, proposalsAt, schemaAt } from '../../platform/pages/client/editor/ci/key_schema.ts'
import { topLevelList, yamlPlace } from '../../platform/pages/client/editor/ci/yaml_place.ts'

/** The place of the `|` in a text. */
function placeIn(marked: string) {
  const at = marked.indexOf('|')
  return yamlPlace(marked.replace('|', ''), at)
}

describe('a place in a YAML file', () => {
  test('has the keys around it, also in lists, which may stand as far left as their key', () => {
    for (const [text, path] of [
      ['|', []],
      ['stages: [a]\n|', []],
      ['build:\n  |', ['build']],
      ['build:\n  script: x\n  art|', ['build']],
      ['build:\n  rules:\n    - |', ['build', 'rules']],
      ['build:\n  rules:\n  - |', ['build', 'rules']],
      ['build:\n  rules:\n    - if: $A\n      |', ['build', 'rules']],
      ['build:\n  rules:\n  - if: $A\n    changes:\n    - x\n    |', ['build', 'rules']],
      ['a:\n  script:\n    - x\n\n# comment\nb:\n  artifacts:\n    reports:\n      |', ['b', 'artifacts', 'reports']],
      ['"a b":\n  cache:\n    - key: x\n      |', ['a b', 'cache']],
      ['a:\n  script: x\n|', []],
    ] as const)
      assert.deepEqual(placeIn(text).path, path, text)
  })

  test('is that of a value behind a key', () => {
    const { path, kind, written } = placeIn('build:\n  rules:\n    - if: $A\n      when: ma|')

    assert.deepEqual({ path, kind, written }, { path: ['build', 'rules', 'when'], kind: 'value', written: 'ma' })
  })

  test('knows which keys stand beside it', () => {
    assert.deepEqual(placeIn('a:\n  script: x\n  |\n  stage: y\n  needs:\n    - b\nc:\n  image: z').siblings, ['script', 'stage', 'needs'])
    assert.deepEqual(placeIn('a:\n  rules:\n    - if: $A\n      |\n    - when: never').siblings, ['if'])
  })

  test('lists of the top level are read in both forms', () => {
    assert.deepEqual(topLevelList('stages: [build, "test it"]\n', 'stages'), ['build', 'test it'])
    assert.deepEqual(topLevelList('stages:\n  - build\n\n  # then\n  - test\nimage: x\n', 'stages'), ['build', 'test'])
  })
})

describe('completion', () => {
  const schema = jsonSchema() as KeySchema
  const labels = (marked: string) => proposalsAt(schema, marked.replace('|', ''), placeIn(marked)).map(({ label }) => label)

  test('proposes the keys of the place, without those that are there', () => {
    assert.ok(labels('|').includes('workflow'))
    const ofJob = labels('build:\n  script: x\n  |')
    assert.deepEqual([ofJob.includes('script'), ofJob.includes('artifacts'), ofJob.includes('workflow')], [false, true, false])
    assert.ok(labels('.template:\n  |').includes('needs'))
    assert.ok(labels('build:\n  artifacts:\n    reports:\n      |').includes('junit'))
    assert.ok(labels('build:\n  rules:\n    - |').includes('exists'))
    assert.deepEqual(labels('variables:\n  A:\n    |'), ['value', 'description', 'options', 'expand'])
    assert.deepEqual(labels('build:\n  unknown:\n    |'), [])
  })

  test('proposes values: those of the schema, the stages of the file, its jobs', () => {
    assert.deepEqual(labels('a:\n  when: |'), ['on_success', 'on_failure', 'always', 'manual', 'delayed'])
    assert.ok(labels('a:\n  rules:\n    - when: |').includes('never'))
    assert.deepEqual(labels('a:\n  interruptible: |'), ['true', 'false'])
    assert.deepEqual(labels('stages: [one, two]\na:\n  stage: |'), ['.pre', 'one', 'two', '.post'])
    assert.ok(labels('a:\n  script: x\n.b:\n  script: x\nc:\n  needs:\n    - |').includes('a'))
    assert.deepEqual(labels('a:\n  script: x\n.b:\n  script: x\nc:\n  extends: |'), ['a', '.b'])
  })

  test('writes a list or a map on the next line, and a value on the same', () => {
    const textOf = (marked: string, wanted: string) =>
      proposalsAt(schema, marked.replace('|', ''), placeIn(marked)).find(({ label }) => label === wanted)?.text

    assert.equal(textOf('a:\n  |', 'artifacts'), 'artifacts:\n    ')
    assert.equal(textOf('a:\n  |', 'script'), 'script:\n    - ')
    assert.equal(textOf('a:\n  |', 'stage'), 'stage: ')
  })

  test('keys that objects have anyway are none', () => {
    for (const key of ['constructor', '__proto__', 'toString']) assert.equal(schemaAt(schema, ['a', key]), undefined)
  })
})
