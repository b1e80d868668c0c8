/** Issue "Pipelines, jobs and runners": `rules`, `only`, `except` and `workflow` decide what is part of a pipeline. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Given, jobOf, namesOf, planOf, resultOf } from '../scene.ts'

describe('rules', () => {
  test('the first that applies decides; without one the job is left out', async () => {
    const file = `
a:
  script: x
  rules:
    - {if: $CI_COMMIT_TAG, when: never}
    - {if: $DEPLOY, when: manual}
    - if: $CI_COMMIT_BRANCH == "main"
      variables: {MODE: full}
      allow_failure: true
`
    const seen = async (variables: Record<string, string>) => {
      const result = await resultOf(file, { variables })
      return result.kind === 'plan'
        ? result.plan.jobs.map(({ when, allow_failure, variables: own }) => [when, allow_failure, own])
        : result.kind
    }

    assert.equal(await seen({ CI_COMMIT_TAG: 'v1', DEPLOY: '1' }), 'nothing')
    assert.deepEqual(await seen({ DEPLOY: '1' }), [['manual', false, []]])
    assert.deepEqual(await seen({ CI_COMMIT_BRANCH: 'main' }), [['on_success', true, [{ key: 'MODE', value: 'full' }]]])
    assert.equal(await seen({}), 'nothing')
  })

  test('with regular expressions that are too large are refused; long texts are read to their end', async () => {
    const errorsOf = async (pattern: string, jobs = 1, length = 10_000) => {
      const rules = `rules: [{if: '$TEXT =~ ${pattern}'}]`
      const file = Array.from({ length: jobs }, (_, n) => `j${n}: {script: x, ${rules}}\n`).join('')
      const result = await resultOf(file, { variables: { TEXT: 'a1'.repeat(length / 2) } })
      return result.kind === 'invalid' ? result.errors : result.kind
    }
    assert.deepEqual(await errorsOf(`/${'.{0,1000}'.repeat(25)}[^a]$/`), ['jobs:j0:rules:[0]:if invalid expression syntax'])
    assert.equal(await errorsOf('/^(a1)+$/', 5), 'plan')
    assert.equal(await errorsOf('/(b|1a1$)/', 5, 300_000), 'plan')
    assert.equal(await errorsOf('/^fix(ed|es)? #\\d+/m', 5, 300_000), 'nothing')
  })

  test('whose expression takes long for a text, as the message of a commit, do not hold the process', async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setTimeout(turn)
    }
    turn()
    let seed = 7
    const CI_COMMIT_MESSAGE = Array.from({ length: 20_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % 2 === 0 ? 'a' : 'b'
    }).join('')
    const rule = "{if: '$CI_COMMIT_MESSAGE =~ /b.{400}c/'}"
    const file = `a: {script: x, rules: [${rule}]}\nb: {script: x, only: {variables: ['$CI_COMMIT_MESSAGE =~ /b.{0,400}[ab]$/']}}`
    assert.deepEqual(await namesOf(file, { variables: { CI_COMMIT_MESSAGE } }), ['b'])
    isOver = true
    assert.ok(turns > 20, `${turns} turns`)
  })

  test('see the variables of the file, unless something stronger says otherwise', async () => {
    const file = `
variables: {A: file, B: file}
a: {script: x, variables: {B: job}, rules: [{if: $A == "file" && $B == "job"}]}
`
    assert.deepEqual(await namesOf(file), ['a'])
    assert.deepEqual(await namesOf(file, { variables: { A: 'person' } }), [])
  })

  test('changes holds where a changed path fits, or nothing is known of changes; variables in it are put in place', async () => {
    const file = 'a: {script: x, rules: [{changes: ["$DIR/**/*.md", Dockerfile]}]}'
    const with_ = (changed?: readonly string[]) => namesOf(file, { variables: { DIR: 'docs' }, ...(changed ? { changed } : {}) })

    assert.deepEqual(await with_(['docs/a/b.md']), ['a'])
    assert.deepEqual(await with_(['src/a.ts']), [])
    assert.deepEqual(await with_([]), [])
    assert.deepEqual(await with_(), ['a'])
  })

  test('exists holds where a file of the commit fits; every clause of a rule must hold', async () => {
    const file = 'a: {script: x, rules: [{exists: ["*.gemspec"], if: $ON}]}'

    assert.deepEqual(await namesOf(file, { files: { 'x.gemspec': '' }, variables: { ON: '1' } }), ['a'])
    assert.deepEqual(await namesOf(file, { files: { 'x.gemspec': '' } }), [])
    assert.deepEqual(await namesOf(file, { files: { 'lib/x.gemspec': '' }, variables: { ON: '1' } }), [])
  })

  test('a delayed job waits as long as its rule says', async () => {
    const job = await jobOf('a: {script: x, rules: [{when: delayed, start_in: 30 minutes}]}', 'a')

    assert.deepEqual([job.when, job.options.start_in], ['delayed', 1_800])
  })

  test('rules that are brought by !reference are part of the list', async () => {
    const file = `
.shared: {rules: [{if: $A, when: never}]}
a:
  script: x
  rules:
    - !reference [.shared, rules]
    - when: on_success
`
    assert.deepEqual([await namesOf(file), await namesOf(file, { variables: { A: '1' } })], [['a'], []])
  })
})

describe('manual jobs', () => {
  test('may fail, unless a rule made them manual or they say otherwise', async () => {
    const { jobs } = await planOf(`
plain: {script: x, when: manual}
strict: {script: x, when: manual, allow_failure: false}
ruled: {script: x, rules: [{when: manual}]}
lenient: {script: x, rules: [{when: manual, allow_failure: true}]}
`)

    assert.deepEqual(
      jobs.map(({ name, allow_failure }) => [name, allow_failure]),
      [
        ['plain', true],
        ['strict', false],
        ['ruled', false],
        ['lenient', true],
      ],
    )
  })
})

describe('only and except', () => {
  const branch: Given = { ref: 'main' }
  const tag: Given = { ref: 'v1', ref_type: 'tag' }
  const proposal: Given = { ref: 'topic', ref_type: 'merge_request', source: 'merge_request_event' }
  const schedule: Given = { ref: 'main', source: 'schedule' }

  const cases: readonly (readonly [string, Given, boolean])[] = [
    ['{script: x}', branch, true],
    ['{script: x}', tag, true],
    ['{script: x}', proposal, false],
    ['{script: x, only: [main]}', branch, true],
    ['{script: x, only: main}', branch, true],
    ['{script: x, only: [other]}', branch, false],
    ['{script: x, only: [branches]}', tag, false],
    ['{script: x, only: [tags]}', tag, true],
    ['{script: x, only: [/^v\\d+$/]}', tag, true],
    ['{script: x, only: [/^V\\d+$/i]}', tag, true],
    ['{script: x, only: [/^x/]}', tag, false],
    ['{script: x, only: [merge_requests]}', proposal, true],
    ['{script: x, only: [topic]}', proposal, false],
    ['{script: x, only: [pushes]}', branch, true],
    ['{script: x, only: [schedules]}', schedule, true],
    ['{script: x, only: [schedules]}', branch, false],
    ['{script: x, except: [schedules]}', schedule, false],
    ['{script: x, except: [schedules]}', branch, true],
    ['{script: x, except: [main]}', branch, false],
    ['{script: x, except: [branches, tags]}', proposal, false],
    ['{script: x, only: [branches@group/project]}', branch, true],
    ['{script: x, only: [branches@other/project]}', branch, false],
    ['{script: x, only: [main@group/project]}', branch, true],
    ['{script: x, only: [/^ma/@group/project]}', branch, true],
    ['{script: x, only: [//@group/project]}', branch, true],
    ['{script: x, only: [//@other/project]}', branch, false],
    ['{script: x, only: [/\\Am.+n\\Z/@group/project]}', branch, true],
    ['{script: x, only: [/\\Ama\\Z/]}', branch, false],
    ['{script: x, only: [/ma(?=in)/@group/project]}', branch, false],
    ['{script: x, only: [main, /ma(?=in)/@group/project]}', branch, true],
    ['{script: x, except: [main@group/project]}', branch, false],
    ['{script: x, only: {variables: [$A]}}', branch, false],
    ['{script: x, only: {variables: [$A, $B]}}', { ...branch, variables: { B: '1' } }, true],
    ['{script: x, only: {variables: [$A]}}', { ...proposal, variables: { A: '1' } }, false],
    ['{script: x, only: {refs: [tags], variables: [$A]}}', { ...branch, variables: { A: '1' } }, false],
    ['{script: x, except: {variables: [$A]}}', { ...branch, variables: { A: '1' } }, false],
    ['{script: x, only: {changes: [docs/*]}}', { ...branch, changed: ['docs/a'] }, true],
    ['{script: x, only: {changes: [docs/*]}}', { ...branch, changed: ['src/a'] }, false],
    ['{script: x, except: {changes: [docs/*]}}', { ...branch, changed: ['docs/a', 'src/a'] }, false],
    ['{script: x, only: {kubernetes: active}}', branch, false],
    ['{script: x, except: {kubernetes: active}}', branch, true],
    ['{script: x, only: {kubernetes: active}}', { ...branch, hasCluster: true }, true],
    ['{script: x, except: {kubernetes: active}}', { ...branch, hasCluster: true }, false],
  ]

  for (const [job, given, expected] of cases)
    test(`${job} is ${expected ? '' : 'not '}in a pipeline of ${JSON.stringify(given)}`, async () =>
      assert.deepEqual(await namesOf(`job: ${job}`, given), expected ? ['job'] : []))
})

describe('workflow', () => {
  const file = `
workflow:
  rules:
    - if: $SKIP
      when: never
    - if: $CI_COMMIT_BRANCH
      variables: {KIND: branch, BASE: workflow}
variables: {BASE: file}
a: {script: x}
b: {script: x, variables: {KIND: own}, rules: [{if: $BASE == "workflow"}]}
`

  test('decides whether there is a pipeline, and gives it variables that its jobs have too', async () => {
    const plan = await planOf(file, { variables: { CI_COMMIT_BRANCH: 'main' } })

    assert.deepEqual(plan.variables, [
      { key: 'KIND', value: 'branch' },
      { key: 'BASE', value: 'workflow' },
    ])
    assert.deepEqual(
      plan.jobs.map(({ name, variables }) => [name, Object.fromEntries(variables.map(({ key, value }) => [key, value]))]),
      [
        ['a', { BASE: 'workflow', KIND: 'branch' }],
        ['b', { BASE: 'workflow', KIND: 'own' }],
      ],
    )
  })

  test('leaves no pipeline where a rule says never, or none applies', async () => {
    const nothing = { kind: 'nothing', reason: 'workflow', warnings: [] }

    assert.deepEqual(await resultOf(file, { variables: { SKIP: '1', CI_COMMIT_BRANCH: 'main' } }), nothing)
    assert.deepEqual(await resultOf(file), nothing)
  })

  test('lets jobs that say nothing into merge request pipelines', async () => {
    const text = 'workflow: {rules: [{if: $MR}]}\na: {script: x}\nb: {script: x, only: [branches]}'

    assert.deepEqual(await namesOf(text, { ref_type: 'merge_request', source: 'merge_request_event', variables: { MR: '1' } }), ['a'])
  })

  test('what is understood and has no effect is said as well', async () => {
    const workflow = 'workflow: {rules: [{when: always, auto_cancel: {on_new_commit: none}}]}'
    const result = await resultOf(
      `${workflow}\na: {script: x, image: {name: i, pull_policy: always}, cache: {fallback_keys: [a], paths: [b]}}`,
    )

    assert.deepEqual(result.kind === 'plan' && result.plan.warnings, [
      'workflow:rules:[0]:auto_cancel has no effect: it is of a later level',
      'jobs:a:image:pull_policy has no effect: it is of a later level',
      'jobs:a:cache:fallback_keys has no effect: it is of a later level',
    ])
  })

  test('a job for pipelines of every kind is doubtful without it', async () => {
    const result = await resultOf('a: {script: x, rules: [{if: $A}, {when: always}]}')

    assert.deepEqual(result.kind === 'plan' && result.plan.warnings, [
      'jobs:a may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`',
    ])
  })
})
