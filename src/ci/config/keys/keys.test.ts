/** Issue "Pipelines, jobs and runners": errors of a CI file name the job and the key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorsOf, jobOf, planOf } from '../scene.ts'
import { meantBy } from './place.ts'

describe('what is wrong is said with the job and the key', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['a: {script: x, scripts: y}', 'jobs:a config contains unknown keys: scripts'],
    ['a: {image: ruby}', 'jobs:a config should implement a script: or a trigger: keyword'],
    ['a: text', 'root config contains unknown keys: a'],
    ['.a: {script: x}', 'jobs config should contain at least one visible job'],
    ['a: {script: }', "jobs:a:script config can't be blank"],
    ['a: {script: []}', "jobs:a:script config can't be blank"],
    ['a: {script: {x: y}}', 'jobs:a:script config should be a string or a nested array of strings up to 10 levels deep'],
    ['a: {script: x, stage: none}', 'a job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post'],
    ['a: {script: x, when: later}', 'jobs:a:when config should be one of: on_success, on_failure, always, manual, delayed'],
    ['a: {script: x, when: delayed}', 'jobs:a start in should be a duration'],
    ['a: {script: x, when: delayed, start_in: 2 weeks}', 'jobs:a:start_in config should not exceed the limit of one week'],
    ['a: {script: x, start_in: 1 day}', 'jobs:a start in must be blank where the job is not delayed'],
    ['a: {script: x, rules: [{when: always}], only: [main]}', 'jobs:a config key may not be used with `rules`: only'],
    ['a: {script: x, rules: [{if: "$A ="}]}', 'jobs:a:rules:[0]:if invalid expression syntax'],
    ['a: {script: x, rules: [{unless: $A}]}', 'jobs:a:rules:[0] config contains unknown keys: unless'],
    ['a: {script: x, rules: {if: $A}}', 'jobs:a:rules config should be an array of hashes'],
    ['a: {script: x, only: [/(/]}', 'jobs:a:only config should be an array of strings or regular expressions: /(/ is none'],
    ['a: {script: x, only: {branches: [main]}}', 'jobs:a:only config contains unknown keys: branches'],
    ['a: {script: x, image: [x]}', 'jobs:a:image config should be a hash or a string'],
    ['a: {script: x, image: {entrypoint: [""]}}', 'jobs:a:image config should have a name'],
    ['a: {script: x, services: x}', 'jobs:a:services config should be an array of services'],
    ['a: {script: x, services: [{name: x, port: 1}]}', 'jobs:a:services:[0] config contains unknown keys: port'],
    ['a: {script: x, variables: [A]}', 'jobs:a:variables config should be a hash of key value pairs'],
    ['a: {script: x, variables: {A: [b]}}', 'jobs:a:variables config should be a hash of key value pairs'],
    ['a: {script: x, tags: x}', 'jobs:a:tags config should be an array of strings'],
    ['a: {script: x, artifacts: {expire_in: soon}}', 'jobs:a:artifacts:expire_in config should be a duration'],
    ['a: {script: x, artifacts: {reports: {junits: x}}}', 'jobs:a:artifacts:reports config contains unknown keys: junits'],
    [
      'a: {script: x, artifacts: {reports: {coverage_report: {coverage_format: jacoco, path: x}}}}',
      'jobs:a:artifacts:reports:coverage_report config should have the coverage_format cobertura',
    ],
    ['a: {script: x, artifacts: {expose_as: x}}', 'jobs:a:artifacts paths should be given where expose_as is'],
    ['a: {script: x, cache: {policy: none}}', 'jobs:a:cache:policy config should be one of: pull-push, pull, push'],
    ['a: {script: x, cache: {key: a/b}}', 'jobs:a:cache:key config should be without slashes, and more than dots'],
    ['a: {script: x, cache: {key: a%2Fb}}', 'jobs:a:cache:key config should be without slashes, and more than dots'],
    ['a: {script: x, cache: {key: .%2e}}', 'jobs:a:cache:key config should be without slashes, and more than dots'],
    [
      'a: {script: x, cache: {key: {files: [a], prefix: ../a}}}',
      'jobs:a:cache:key:prefix config should be without slashes, and more than dots',
    ],
    ['a: {script: x, cache: {key: {files: [a, b, c]}}}', 'jobs:a:cache:key:files config should have one or two files'],
    [`a: {script: x, services: [${'x, '.repeat(101)}]}`, 'jobs:a:services config should have at most 100 services'],
    ['a: {script: x, cache: [{}, {}, {}, {}, {}]}', 'jobs:a:cache config should have at most 4 caches'],
    ['a: {script: x, retry: 3}', 'jobs:a:retry config should be 0, 1 or 2'],
    ['a: {script: x, retry: {max: 1, when: bad_luck}}', 'jobs:a:retry:when config contains unknown values: bad_luck'],
    ['a: {script: x, timeout: 2 months}', 'jobs:a:timeout config should not exceed the limit of one month'],
    ['a: {script: x, timeout: soon}', 'jobs:a:timeout config should be a duration'],
    ['a: {script: x, allow_failure: sometimes}', 'jobs:a:allow_failure config should be a hash or a boolean value'],
    [
      'a: {script: x, allow_failure: {exit_codes: [x]}}',
      'jobs:a:allow_failure:exit_codes config should be an exit code, or an array of them',
    ],
    ['a: {script: [x, [1]]}', 'jobs:a:script config should be a string or a nested array of strings up to 10 levels deep'],
    ['a: {script: x, parallel: 1}', 'jobs:a:parallel config should be a number from 2 to 50, or a matrix'],
    ['a: {script: x, parallel: 51}', 'jobs:a:parallel config should be a number from 2 to 50, or a matrix'],
    ['a: {script: x, parallel: {matrix: []}}', 'jobs:a:parallel:matrix config should be an array of hashes'],
    ['a: {script: x, interruptible: maybe}', 'jobs:a:interruptible config should be a boolean value'],
    ['a: {script: x, coverage: "100%"}', 'jobs:a:coverage config should be a regular expression between slashes'],
    ['a: {script: x, environment: {url: x}}', 'jobs:a:environment config should have a name'],
    [
      'a: {script: x, environment: "a*b"}',
      'jobs:a:environment config can contain only letters, digits, spaces, variables, `-`, `_`, `/`, `.`',
    ],
    [
      'a: {script: x, environment: {name: a, action: run}}',
      'jobs:a:environment:action config should be one of: start, prepare, stop, verify, access',
    ],
    ['a: {script: x, environment: {name: a, on_stop: b}}', 'a job: on_stop job b is not defined'],
    [
      'a: {script: x, environment: {name: a, on_stop: b}}\nb: {script: x, environment: a}',
      'a job: on_stop job b needs to have action stop defined',
    ],
    [
      'a: {script: x, secrets: {A: {vault: b}}}',
      'jobs:a:secrets are not supported: this server reads no external vaults, use masked variables',
    ],
    ['a: {script: x, inherit: {default: [image, foo]}}', 'jobs:a:inherit:default config contains unknown values: foo'],
    ['a: {script: x, release: {tag_name: v1}}', 'jobs:a:release config should have a description'],
    ['a: {script: x, inherit: {default: 5}}', 'jobs:a:inherit:default config should be a bool or array of strings'],
    ['a: {script: x, dependencies: [b]}', 'a job: undefined dependency: b'],
    ['a: {script: x, dependencies: [b]}\nb: {stage: deploy, script: x}', 'a job: dependency b is not defined in current or prior stages'],
    ['a: {script: x, needs: [], dependencies: [b]}\nb: {stage: build, script: x}', 'a job: dependencies the b should be part of needs'],
    ['a: {script: x, needs: [b]}', 'a job: undefined need: b'],
    ['a: {script: x, needs: [b]}\nb: {stage: deploy, script: x}', 'a job: need b is not defined in current or prior stages'],
    ['a: {script: x, needs: [b]}\nb: {script: x, needs: [a]}', 'The pipeline has circular dependencies: a, b'],
    ['a: {script: x, needs: [a]}', 'The pipeline has circular dependencies: a'],
    ['a: {script: x, needs: [b, b]}\nb: {script: x}', 'jobs:a:needs config names b more than once'],
    ['a: {script: x, needs: [{artifacts: true}]}', 'jobs:a:needs:[0] config should have a job'],
    ['a: {script: x, needs: [{pipeline: x}]}', 'jobs:a:needs:[0] config should have a job where a pipeline is needed'],
    ['a: {script: x, needs: [b]}\nb: {script: x, rules: [{if: $NO}]}', "'a' job needs 'b' job, but 'b' was not added to the pipeline"],
    [
      `a: {script: x, needs: [${Array.from({ length: 51 }, (_, at) => `j${at}`).join(', ')}]}`,
      'jobs:a:needs config has too many jobs: one job can only need 50 others, but it lists 51',
    ],
    ['a: {trigger: x, script: y}', 'jobs:a config contains unknown keys: script'],
    ['a: {trigger: {project: x, include: y.yml}}', 'jobs:a:trigger config should have either a project or an include'],
    ['a: {trigger: {include: {file: x}}}', 'jobs:a:trigger:include config should have one of: local, project, artifact, remote, template'],
    ['a: {trigger: {include: {artifact: x}}}', 'jobs:a:trigger:include config should have a job'],
    ['a: {trigger: {project: x, strategy: wait}}', 'jobs:a:trigger:strategy config should be one of: depend'],
    ['stages: [x, [y]]\nvariables: 5\na: {stage: y, script: x}', 'variables config should be a hash of key value pairs'],
    ['default: {script: x}\na: {script: x}', 'default config contains unknown keys: script'],
    ['default: {image: a}\nimage: b\na: {script: x}', 'default image is defined in top-level and `default:` entry'],
    ['image: [a]\na: {script: x}\nb: {script: x}', 'image config should be a hash or a string'],
    ['workflow: {rules: [{when: manual}]}\na: {script: x}', 'workflow:rules:[0]:when config should be one of: always, never'],
    ['workflow: {rule: []}\na: {script: x}', 'workflow config contains unknown keys: rule'],
    [`${'n'.repeat(256)}: {script: x}`, `jobs:${'n'.repeat(256)} name should have at most 255 characters`],
  ]

  for (const [text, ...errors] of cases)
    test(`${text.slice(0, 80)}: ${errors.join('; ').slice(0, 80)}`, async () => assert.deepEqual(await errorsOf(text), errors))

  test('all errors of a file are reported together', async () => {
    assert.deepEqual(await errorsOf('a: {script: x, foo: 1}\nb: {script: x, retry: 9}'), [
      'jobs:a config contains unknown keys: foo',
      'jobs:b:retry config should be 0, 1 or 2',
    ])
  })
})

describe('what a job is', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['script: [a, [b, [c]]]', { script: ['a', 'b', 'c'] }],
    ['image: {name: ruby, entrypoint: [""]}', { image: { name: 'ruby', entrypoint: [''] } }],
    ['services: [a, {name: b, alias: c, command: [d]}]', { services: [{ name: 'a' }, { name: 'b', command: ['d'], alias: 'c' }] }],
    [
      'artifacts: {name: n, paths: [a], exclude: [b], untracked: true, when: always, expire_in: 1 week, reports: {junit: [r.xml], dotenv: e.env, coverage_report: {coverage_format: cobertura, path: c.xml}}}',
      {
        artifacts: {
          name: 'n',
          paths: ['a'],
          exclude: ['b'],
          untracked: true,
          when: 'always',
          expire_in: '1 week',
          reports: { junit: ['r.xml'], dotenv: ['e.env'], cobertura: ['c.xml'] },
        },
      },
    ],
    ['artifacts: {paths: [a], expire_in: never}', { artifacts: { paths: ['a'], expire_in: 'never' } }],
    ['cache: {key: $A, paths: [a], policy: pull}', { cache: [{ key: '$A', paths: ['a'], policy: 'pull' }] }],
    [
      'cache: {key: {files: [x.lock], prefix: p}, paths: [a]}',
      { cache: [{ key_files: { files: ['x.lock'], prefix: 'p' }, paths: ['a'] }] },
    ],
    [
      'cache: [{key: a, paths: [a]}, {key: b, paths: [b]}]',
      {
        cache: [
          { key: 'a', paths: ['a'] },
          { key: 'b', paths: ['b'] },
        ],
      },
    ],
    ['retry: 2', { retry: { max: 2, when: ['always'] } }],
    [
      'retry: {max: 1, when: [script_failure, runner_system_failure]}',
      { retry: { max: 1, when: ['script_failure', 'runner_system_failure'] } },
    ],
    ['allow_failure: {exit_codes: 137}', { allow_failure_exit_codes: [137] }],
    ['when: delayed\n  start_in: 3 mins 4 sec', { start_in: 184 }],
    ['coverage: /Code coverage. \\d+/', { coverage: 'Code coverage. \\d+' }],
    [
      'environment: {name: review/$A, url: "https://$A", on_stop: stop, auto_stop_in: 1 day, deployment_tier: testing}',
      { environment: { name: 'review/$A', url: 'https://$A', on_stop: 'stop', auto_stop_in: '1 day', deployment_tier: 'testing' } },
    ],
    ['environment: production', { environment: { name: 'production' } }],
    [
      'release: {tag_name: v1, description: d, milestones: [m], assets: {links: [{name: n, url: u}]}}',
      { release: { tag_name: 'v1', description: 'd', milestones: ['m'], assets: { links: [{ name: 'n', url: 'u' }] } } },
    ],
    ['needs: [{project: g/p, ref: main, job: b}]', { other_needs: [{ project: 'g/p', ref: 'main', job: 'b', artifacts: true }] }],
    ['needs: [{pipeline: $P, job: b, artifacts: false}]', { other_needs: [{ pipeline: '$P', job: 'b', artifacts: false }] }],
  ]
  const stop = 'stop: {stage: deploy, script: x, environment: {name: review/$A, action: stop}}'

  for (const [key, options] of cases)
    test(key, async () => {
      const text = `job:\n  ${key}\n${key.startsWith('script') ? '' : '  script: x\n'}${stop}`
      const { script, ...found } = (await jobOf(text, 'job')).options
      assert.deepEqual(key.startsWith('script') ? { script } : found, options)
    })

  const bridges: readonly (readonly [string, unknown])[] = [
    ['trigger: group/project', { project: 'group/project' }],
    ['trigger: {project: g/p, branch: main, strategy: depend}', { project: 'g/p', branch: 'main', strategy: 'depend' }],
    ['trigger: {include: ci/child.yml}', { include: [{ local: 'ci/child.yml' }] }],
    [
      'trigger: {include: [{local: a.yml}, {artifact: b.yml, job: make}]}',
      { include: [{ local: 'a.yml' }, { artifact: 'b.yml', job: 'make' }] },
    ],
    ['trigger: {include: {project: g/p, file: c.yml, ref: v1}}', { include: [{ project: 'g/p', file: 'c.yml', ref: 'v1' }] }],
    ['trigger: {project: g/p, forward: {pipeline_variables: true}}', { project: 'g/p', forward: { pipeline_variables: true } }],
  ]
  for (const [key, trigger] of bridges)
    test(key, async () => {
      const job = await jobOf(`default: {image: x, tags: [t]}\njob:\n  ${key}`, 'job')
      assert.deepEqual([job.kind, job.options, job.tags], ['bridge', { trigger }, []])
    })

  test('a bridge may take over the status of another pipeline', async () => {
    const job = await jobOf('job: {needs: {pipeline: group/project}}', 'job')

    assert.deepEqual([job.kind, job.needs, job.options.other_needs], ['bridge', undefined, [{ upstream_pipeline: 'group/project' }]])
  })
})

describe('what jobs take over', () => {
  const file = `
default: {image: ruby, tags: [a], retry: 1}
before_script: [prepare]
variables: {A: 1, B: {value: b, description: What b is}, C: {value: $A, expand: false}}
`
  const seen = async (job: string) => {
    const { tags, variables, options } = await jobOf(`${file}job: ${job}`, 'job')
    return [options.image?.name, options.before_script, tags, variables.map(({ key }) => key).join()]
  }

  test('is everything, unless they say otherwise', async () => {
    assert.deepEqual(await seen('{script: x}'), ['ruby', ['prepare'], ['a'], 'A,B,C'])
    assert.deepEqual(await seen('{script: x, image: node, before_script: [], tags: [b]}'), ['node', [], ['b'], 'A,B,C'])
    assert.deepEqual(await seen('{script: x, inherit: {default: false, variables: false}}'), [undefined, undefined, [], ''])
    assert.deepEqual(await seen('{script: x, inherit: {default: [image], variables: [B]}}'), ['ruby', undefined, [], 'B'])
  })

  test('a variable may be kept from expansion', async () => {
    const { variables } = await jobOf(`${file}job: {script: x}`, 'job')

    assert.deepEqual(variables, [
      { key: 'A', value: '1' },
      { key: 'B', value: 'b' },
      { key: 'C', value: '$A', raw: true },
    ])
  })
})

describe('parallel', () => {
  test('jobs are numbered, know their number, and are needed all together by their common name', async () => {
    const { jobs } = await planOf('a: {script: x, parallel: 2, stage: build}\nb: {script: x, needs: [a], dependencies: [a]}')

    assert.deepEqual(
      jobs
        .slice(0, 2)
        .map(({ name, variables, options }) => [name, variables.map(({ key, value }) => `${key}=${value}`), options.parallel]),
      [
        ['a 1/2', ['CI_NODE_INDEX=1', 'CI_NODE_TOTAL=2'], { index: 1, total: 2 }],
        ['a 2/2', ['CI_NODE_INDEX=2', 'CI_NODE_TOTAL=2'], { index: 2, total: 2 }],
      ],
    )
    assert.deepEqual(
      [jobs[2]?.needs?.map(({ name }) => name), jobs[2]?.options.dependencies],
      [
        ['a 1/2', 'a 2/2'],
        ['a 1/2', 'a 2/2'],
      ],
    )
  })

  test('a matrix makes a job of every combination, named by its values', async () => {
    const { jobs } = await planOf(`
a: {script: x, stage: build, parallel: {matrix: [{OS: [linux, mac], V: ["1", "2"]}, {OS: bsd}]}}
b: {script: x, needs: ["a: [mac, 2]"]}
`)

    assert.deepEqual(
      jobs.map(({ name }) => name),
      ['a: [linux, 1]', 'a: [linux, 2]', 'a: [mac, 1]', 'a: [mac, 2]', 'a: [bsd]', 'b'],
    )
    assert.deepEqual(
      jobs[3]?.variables.map(({ key, value }) => `${key}=${value}`),
      ['OS=mac', 'V=2', 'CI_NODE_INDEX=4', 'CI_NODE_TOTAL=5'],
    )
  })

  test('too many copies are refused', async () => {
    const many = (length: number) => Array.from({ length }, (_, at) => at).join(', ')

    assert.deepEqual(await errorsOf(`a: {script: x, parallel: {matrix: [{A: [${many(17)}], B: [1, 2, 3]}]}}`), [
      'jobs:a:parallel:matrix config generates too many jobs (maximum is 50)',
    ])
    assert.equal((await planOf(`a: {script: x, parallel: {matrix: [{A: [${many(10)}], B: [${many(5)}]}]}}`)).jobs.length, 50)
    assert.equal((await planOf('a: {script: x, parallel: 50}')).jobs.length, 50)
  })
})

describe('needs', () => {
  test('an empty list is no need to wait; one that is not there and optional is left out', async () => {
    const { jobs } = await planOf(`
a: {script: x, needs: []}
b: {script: x, needs: [{job: a, artifacts: false}, {job: c, optional: true}, {job: gone, optional: true}]}
c: {script: x, rules: [{if: $NO}]}
`)

    assert.deepEqual(
      jobs.map(({ name, needs }) => [name, needs]),
      [
        ['a', []],
        ['b', [{ name: 'a', artifacts: false, optional: false }]],
      ],
    )
  })
})

test('what misspelled keys are meant to be is said of the first ones alone', () => {
  const known = Array.from({ length: 30 }, (_, at) => `keyword_${at}`)

  const meant = meantBy([...known, ...known.map(key => `${key}x`)], new Set(known), new Map())

  assert.deepEqual(
    [...meant.keys()],
    known.slice(0, 20).map(key => `${key}x`),
  )
})
