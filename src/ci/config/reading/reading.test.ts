/** Issue "Pipelines, jobs and runners": YAML with anchors, `!reference`, `extends`, and its bad input: bombs, cycles, depth. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workFor } from '../../../platform/kernel/request/bounds/holder.ts'
import { errorsOf, jobOf, planOf } from '../scene.ts'
import { readYaml } from './read.ts'
import { ConfigRefused } from './values.ts'
import { parseYaml } from './yaml.ts'

describe('scalars are what the ecosystem takes them for', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['1', 1],
    ['1.0', '1.0'],
    ['1.10', '1.1'],
    ['1.2.3', '1.2.3'],
    ['0777', 511],
    ['0899', '0899'],
    ['0x1F', 31],
    ['1_000', 1_000],
    ['12345678901234567890', '12345678901234567890'],
    ['12e3', '12e3'],
    ['2020-01-01', '2020-01-01'],
    ['yes', true],
    ['off', false],
    ['y', 'y'],
    ['~', null],
    ['""', ''],
    ['"1"', '1'],
    ['node:14', 'node:14'],
    ['!ref x', 'x'],
  ]

  for (const [text, value] of cases)
    test(`${text} is ${JSON.stringify(value)}`, () => assert.deepEqual(parseYaml(`a: ${text}`, 'file').get('a'), value))

  test('keys are text, and keep their order whatever they are', () => {
    assert.deepEqual([...parseYaml('b: 1\n10: 2\non: 3\n__proto__: 4\n1: 5', 'file').keys()], ['b', '10', 'true', '__proto__', '1'])
  })
})

describe('merges', () => {
  const seen = (text: string) =>
    Object.fromEntries(parseYaml(`x: &x {a: 1, b: 1}\ny: &y {a: 2, c: 2}\nz:\n${text}`, 'file').get('z') as never)

  test('put a map in place; what stands below it in the file is stronger, what stands above is not', () => {
    assert.deepEqual(seen('  <<: *x\n  a: 3'), { a: 3, b: 1 })
    assert.deepEqual(seen('  a: 3\n  <<: *x'), { a: 1, b: 1 })
  })

  test('of a list, the first is the strongest', () => {
    assert.deepEqual(seen('  <<: [*x, *y]'), { a: 1, b: 1, c: 2 })
  })
})

describe('extends', () => {
  test('merges maps key by key and replaces lists, over several bases and levels', async () => {
    const job = await jobOf(
      `
.root: {image: ruby, variables: {A: root, B: root}, tags: [one]}
.left: {extends: .root, variables: {A: left}, script: [left]}
.right: {variables: {C: right}, tags: [two, three]}
job: {extends: [.left, .right], variables: {D: own}, script: [own]}
`,
      'job',
    )

    assert.deepEqual(Object.fromEntries(job.variables.map(({ key, value }) => [key, value])), {
      A: 'left',
      B: 'root',
      C: 'right',
      D: 'own',
    })
    assert.deepEqual([job.tags, job.options.script, job.options.image], [['two', 'three'], ['own'], { name: 'ruby' }])
  })

  const wrong: readonly (readonly [string, string])[] = [
    ['a: {extends: .none, script: x}', 'a: unknown keys in `extends` (.none)'],
    ['a: {extends: .b, script: x}\n.b: {extends: a}', 'a: circular dependency detected in `extends`'],
    ['a: {extends: a, script: x}', 'a: circular dependency detected in `extends`'],
    ['a: {extends: [[.b]], script: x}\n.b: {}', 'a: extends should be a name, or a list of names'],
    ['a: {extends: .b, script: x}\n.b: text', 'a: invalid base hashes in `extends` (.b)'],
    [
      `${Array.from({ length: 12 }, (_, at) => `.j${at}: {extends: .j${at + 1}}`).join('\n')}\n.j12: {}\na: {extends: .j0, script: x}`,
      '.j0: nesting too deep in `extends`',
    ],
  ]

  test('a chain of thousands is refused like one that is a little too long', async () => {
    const chain = Array.from({ length: 5_000 }, (_, at) => `.j${at}: {extends: .j${at + 1}}`).join('\n')
    assert.deepEqual(await errorsOf(`${chain}\n.j5000: {}\na: {extends: .j0, script: x}`), ['.j0: nesting too deep in `extends`'])
  })

  for (const [text, error] of wrong) test(error, async () => assert.deepEqual(await errorsOf(text), [error]))
})

describe('!reference', () => {
  test('brings values of other places, in lists and of maps, through other references', async () => {
    const job = await jobOf(
      `
.setup: {script: [prepare, {}], list: [prepare], vars: &v {A: one}}
.more: {script: [!reference [.setup, list], more]}
job:
  variables: !reference [.setup, vars]
  script:
    - !reference [.more, script]
    - own
  after_script: !reference [.setup, list]
`,
      'job',
    )

    assert.deepEqual(
      [job.options.script, job.options.after_script, job.variables],
      [['prepare', 'more', 'own'], ['prepare'], [{ key: 'A', value: 'one' }]],
    )
  })

  const wrong: readonly (readonly [string, string])[] = [
    ['a: {script: !reference [.x, script]}', '!reference [".x", "script"] could not be found'],
    [
      '.x: {script: !reference [a, script]}\na: {script: !reference [.x, script]}',
      '!reference ["a", "script"] is part of a circular chain',
    ],
    ['a: {script: !reference []}', '.gitlab-ci.yml: a !reference should be a list of names of keys'],
  ]
  for (const [text, error] of wrong) test(error, async () => assert.deepEqual(await errorsOf(text), [error]))
})

describe('what is too much', () => {
  const tooBig = /too big once anchors, extends and references/

  test('an anchor that stands for ten of another, ten levels deep', async () => {
    const levels = Array.from({ length: 10 }, (_, at) => `.l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join(', ')}]`)
    const [error] = await errorsOf(`.l0: &l0 [lol, lol]\n${levels.join('\n')}\na: {script: *l10}`)

    assert.match(error ?? '', tooBig)
  })

  test('few lists, far to the right', async () => {
    const many = (of: string) => Array(500).fill(of).join(', ')
    const [error] = await errorsOf(
      `.a: &a [${many('q')}]\n.b: &b [${many('*a')}]\n.c: ${'['.repeat(90)}*b${']'.repeat(90)}\nd: {script: x}`,
    )

    assert.match(error ?? '', tooBig)
  })

  test('references of references', async () => {
    const levels = Array.from({ length: 9 }, (_, at) => `.l${at + 1}: {s: [${Array(20).fill(`!reference [.l${at}, s]`).join(', ')}]}`)
    const [error] = await errorsOf(`.l0: {s: [lol, lol]}\n${levels.join('\n')}\na: {script: [x]}`)

    assert.match(error ?? '', tooBig)
  })

  test('many jobs that extend a large one', async () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `K${at}: v`).join(', ')
    const jobs = Array.from({ length: 5_000 }, (_, at) => `j${at}: {extends: .big, variables: {A: ${at}}}`).join('\n')
    const [error] = await errorsOf(`.big: {script: x, variables: {${keys}}}\n${jobs}`)

    assert.match(error ?? '', tooBig)
  })

  test('an alias inside its own anchor', async () => {
    assert.deepEqual(await errorsOf('a: &a {script: *a}'), ['.gitlab-ci.yml: Unknown alias: a'])
  })

  for (const depth of [200, 100_000])
    test(`${depth} lists inside one another`, async () => {
      assert.deepEqual(await errorsOf(`a: ${'['.repeat(depth)}${']'.repeat(depth)}`), [
        '.gitlab-ci.yml: The parsed YAML is nested too deeply',
      ])
    })

  test('more than a megabyte', async () => {
    assert.deepEqual(await errorsOf(`a: {script: x}\n# ${'x'.repeat(1_048_576)}`), ['.gitlab-ci.yml is larger than 1048576 bytes'])
  })
})

test('a long file is read as a short one is', async () => {
  const { jobs } = await planOf(`.a: {script: &s [x]}\n# ${'x'.repeat(200_000)}\nb: {script: [!reference [.a, script], *s]}`)

  assert.deepEqual(jobs[0]?.options.script, ['x', 'x'])
})

test('a key that is written as a symbol is the key itself, and one in quotation marks is not', async () => {
  const { jobs } = await planOf(':job:\n  :script: [x]\n  :variables:\n    A: ":b"\n":other": {script: [y]}')

  assert.deepEqual(
    jobs.map(({ name, options }) => [name, options.script]),
    [
      ['job', ['x']],
      [':other', ['y']],
    ],
  )
})

describe('what is no CI file', () => {
  test('an empty one, a list, a text', async () => {
    assert.deepEqual(await errorsOf(' \n'), ['Please provide content of .gitlab-ci.yml'])
    for (const text of ['[a]', 'just text']) assert.deepEqual(await errorsOf(text), ['Invalid configuration format'])
  })

  for (const [where, text] of Object.entries({
    'a command': 'a: {script: "x\\0"}',
    'a command, by its number': 'a: {script: ["x", "\\x00"]}',
    'a command, by its longer number': 'a: {script: "\\u0000"}',
    'the value of a variable': 'a: {script: x, variables: {A: "\\U00000000"}}',
    'a key': 'a: {script: x, variables: {"A\\0": b}}',
    'the name of a job': '"a\\0": {script: x}',
  }))
    test(`one with a NUL character in ${where}`, async () => {
      assert.deepEqual(await errorsOf(text), ['.gitlab-ci.yml: a text has a NUL character'])
    })

  test('one that only writes the escape of a NUL character is none of these', async () => {
    const { jobs } = await planOf(`a: {script: 'printf "\\u0000"'}`)

    assert.deepEqual(jobs[0]?.options.script, ['printf "\\u0000"'])
  })

  test('keys without a value are as good as none (public behaviour at 14.0)', async () => {
    const top = ['include', 'variables', 'stages', 'default', 'workflow', 'image', 'services', 'before_script', 'after_script', 'cache']
    const ofJob = [
      'extends',
      'variables',
      'needs',
      'rules',
      'only',
      'tags',
      'artifacts',
      'environment',
      'retry',
      'start_in',
      'release',
      'secrets',
    ]
    const keys = (names: readonly string[], indent = '') => names.map(name => `${indent}${name}:\n`).join('')

    const { jobs } = await planOf(`${keys(top)}a:\n  script: x\n${keys(ofJob, '  ')}`)

    assert.deepEqual(
      jobs.map(({ name, stage, when, options }) => [name, stage, when, options]),
      [['a', 'test', 'on_success', { script: ['x'] }]],
    )
  })

  test('YAML that cannot be read: the message says where', async () => {
    const [error] = await errorsOf('a:\n  script: [x\nb: 1')

    assert.match(error ?? '', /^\.gitlab-ci\.yml: .* at line \d+, column \d+$/)
  })
})

test('of several documents the first counts', async () => {
  assert.equal((await planOf('a: {script: x}\n---\nb: {script: x}')).jobs.length, 1)
})

test('one caller has one long file read at a time, and others do not wait for all of them', async () => {
  // Long enough for a thread. Each is another file, and wrong at its end.
  const text = (name: string) => `job: {script: [${'{},'.repeat(60_000)}]}\n# ${name}\nwrong: [\n`
  const ended: string[] = []
  const read = (holder: string, name: string) =>
    workFor(holder, () => readYaml(text(`${holder} ${name}`), '.gitlab-ci.yml'))
      .catch(error => assert.ok(error instanceof ConfigRefused, String(error)))
      .finally(() => ended.push(`${holder} ${name}`))

  await Promise.all([read('user:1', 'a'), read('user:1', 'b'), read('user:1', 'c'), read('user:1', 'd'), read('user:2', 'e')])

  assert.ok(ended.indexOf('user:2 e') < ended.indexOf('user:1 c'), ended.join())
})

test('what is wrong with a long file is remembered, with the name of the file in its message', async () => {
  const text = `job: {script: [${'{},'.repeat(20_000)}]}\nwrong: [\n`
  const said = async (name: string) => {
    const error = await readYaml(text, name).then(
      () => undefined,
      (refusal: Error) => refusal,
    )
    assert.ok(error instanceof ConfigRefused)
    return error.message
  }

  const [first, again, other] = [await said('a.yml'), await said('a.yml'), await said('b.yml')]

  assert.equal(again, first)
  assert.notEqual(other, '')
})
