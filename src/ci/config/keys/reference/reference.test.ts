import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { runSync } from '../../../../platform/kernel/answer/time_slicing.ts'
import { parseYaml } from '../../reading/yaml.ts'
import { readFile, topKeys } from '../file.ts'
import { Place, Problems } from '../place.ts'
import { fileKeys } from './file_keys.ts'
import { idTokenKeys, jobKeys, variableKeys } from './job_keys.ts'
import type { Keys } from './words.ts'

/** The errors of a CI file, without those about jobs that are not there. */
function problemsOf(yaml: string): Problems {
  const problems = new Problems()
  runSync(readFile(parseYaml(yaml, 'test.yml'), problems))
  return problems
}

const indented = (text: string, by: number): string => text.split('\n').join(`\n${' '.repeat(by)}`)

/** A CI file whose job (or top level) has one key with this value. */
function fileWith(path: readonly string[], value: string, inJob: boolean, beside?: string): string {
  const [key = '', ...below] = path
  const neighbour = beside === undefined ? '' : `, ${beside}: x`
  const inner = below.reduceRight((text, name, index) => `{${name}: ${text}${index === below.length - 1 ? neighbour : ''}}`, value)
  const shape = key === 'services' || key === 'rules' || key === 'needs' ? (below.length > 0 ? `[${inner}]` : inner) : inner
  const job = inJob ? `  ${key}: ${indented(shape, 2)}\n` : ''
  const isBridge = key === 'trigger'
  return `${inJob ? '' : `${key}: ${shape}\n`}job:\n${isBridge || key === 'script' ? '' : '  script: make\n'}${job}`
}

const every = (keys: Keys, path: readonly string[] = []): { path: readonly string[]; words: Keys[string] }[] =>
  Object.entries(keys).flatMap(([name, words]) => [
    { path: [...path, name], words },
    ...(words.keys ? every(words.keys, [...path, name]) : []),
  ])

const unknownIn = ({ errors }: Pick<Problems, 'errors'>): string[] => errors.filter(error => /unknown keys/.test(error))

describe('the words about keys', () => {
  test('are about keys that the reader knows, and their examples are read', () => {
    for (const { path, words } of every(jobKeys)) {
      const { errors } = problemsOf(fileWith(path, words.example, true, words.beside))
      // Templates are refused where the pipeline is started.
      if (words.use === 'refused' && path.at(-1) !== 'template') assert.notDeepEqual(errors, [], path.join(':'))
      else if (path.length === 1 && path[0] !== 'start_in') assert.deepEqual(errors, [], path.join(':'))
      else assert.deepEqual(unknownIn({ errors }), [], path.join(':'))
    }
    for (const { path, words } of every(fileKeys).filter(({ path }) => path[0] !== 'include'))
      assert.deepEqual(unknownIn(problemsOf(fileWith(path, words.example, false))), [], path.join(':'))
  })

  test('say of which keys the reader takes no notice', () => {
    for (const { path, words } of every(jobKeys))
      if (words.use === 'ignored' && path[0] !== 'pages')
        assert.match(problemsOf(fileWith(path, words.example, true)).warnings.join(), /no effect/, path.join(':'))
  })

  test('leave out no key that the reader knows', () => {
    const known = new Map<string, Set<string>>()
    const original = Place.prototype.knows
    const spied = mock.method(
      Place.prototype,
      'knows',
      function (this: Place, map: Parameters<Place['knows']>[0], keys: Parameters<Place['knows']>[1]) {
        const at = this.path.replace(/^jobs:job/, 'job').replaceAll(/:?\[\d+\]/g, '')
        known.set(at, new Set([...(known.get(at) ?? []), ...keys]))
        original.call(this, map, keys)
      },
    )
    for (const { path, words } of every(jobKeys)) problemsOf(fileWith(path, words.example, true))
    for (const { path, words } of every(fileKeys)) problemsOf(fileWith(path, words.example, false))
    spied.mock.restore()

    assert.deepEqual(new Set(Object.keys(fileKeys)), topKeys)
    const written = new Map<string, readonly string[]>([['job', Object.keys(jobKeys)]])
    for (const { path, words } of every(jobKeys)) if (words.keys) written.set(['job', ...path].join(':'), Object.keys(words.keys))
    for (const { path, words } of every(fileKeys)) if (words.keys) written.set(path.join(':'), Object.keys(words.keys))
    const missing = [...known].flatMap(([at, keys]) => {
      const words =
        written.get(at) ?? Object.keys((/variables:\w+$/.test(at) && variableKeys) || (/id_tokens:\w+$/.test(at) && idTokenKeys) || {})
      return [...keys].filter(key => !words.includes(key)).map(key => `${at}:${key}`)
    })
    assert.deepEqual(missing, [])
  })

  test('have the values that the reader takes', () => {
    for (const [keys, inJob] of [
      [jobKeys, true],
      [fileKeys, false],
    ] as const)
      for (const { path, words } of every(keys).filter(({ words }) => words.values)) {
        const { errors } = problemsOf(fileWith(path, 'no-such-value', inJob))
        const listed = errors.map(error => /should be one of: (.*)$/.exec(error)?.[1]).find(values => values !== undefined)
        if (listed !== undefined) assert.deepEqual(listed.split(', '), words.values, path.join(':'))
        else assert.ok(errors.length > 0, path.join(':'))
      }
  })
})
