/** Issue "Pipelines, jobs and runners": `include` of local files, other projects' and other servers'; limits on includes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorsOf, type Given, jobOf, namesOf } from '../scene.ts'

const job = (name: string) => `${name}: {script: ${name}}`

test('what is included comes first and in order, and the file itself is put on top', async () => {
  const given: Given = {
    files: { 'a.yml': 'shared: {script: a, image: a, tags: [a]}', 'b.yml': 'shared: {script: b, image: b}' },
  }

  const shared = await jobOf('include: [a.yml, /b.yml]\nshared: {script: own}', 'shared', given)

  assert.deepEqual([shared.options.script, shared.options.image, shared.tags], [['own'], { name: 'b' }, ['a']])
})

const cases: readonly (readonly [string, string, Given, readonly string[]])[] = [
  ['a template, under the file itself', 'include: {template: Nodejs.gitlab-ci.yml}\nlint: {script: x}', {}, ['test', 'lint']],
  [
    'a template of a folder',
    'include: [{template: Pages/Hugo.gitlab-ci.yml}, {template: Workflows/Branch-Pipelines.gitlab-ci.yml}]',
    { variables: { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' } },
    ['pages'],
  ],
  [
    'no pipeline where the rules of a workflow template say so',
    'include: {template: Workflows/MergeRequest-Pipelines.gitlab-ci.yml}\na: {script: x}',
    { variables: { CI_COMMIT_BRANCH: 'topic', CI_DEFAULT_BRANCH: 'main' } },
    [],
  ],
  ['a file of the commit', 'include: {local: /ci/a.yml}', { files: { 'ci/a.yml': job('a') } }, ['a']],
  [
    'the files that fit a pattern, in the order of their names',
    'include: "ci/*.yml"',
    { files: { 'ci/b.yml': job('b'), 'ci/a.yml': job('a'), 'ci/x/c.yml': job('c'), 'ci/d.txt': '' } },
    ['a', 'b'],
  ],
  ['files of every depth', 'include: {local: "ci/**/*.yml"}', { files: { 'ci/b.yml': job('b'), 'ci/x/y/c.yml': job('c') } }, ['b', 'c']],
  [
    'files of another project',
    'include: [{project: group/ci, ref: v1, file: [/a.yml, b.yml]}]',
    { projects: { 'group/ci:a.yml@v1': job('a'), 'group/ci:b.yml@v1': job('b') } },
    ['a', 'b'],
  ],
  [
    'what lies next to a file of another project',
    'include: {project: group/ci, file: a.yml}',
    { projects: { 'group/ci:a.yml@HEAD': 'include: /b.yml', 'group/ci:b.yml@HEAD': job('b') }, files: { 'b.yml': job('wrong') } },
    ['b'],
  ],
  [
    'files of another server, and what they include of others',
    'include: https://ci.example/a.yml',
    { remotes: { 'https://ci.example/a.yml': 'include: {remote: "https://ci.example/b.yml"}', 'https://ci.example/b.yml': job('b') } },
    ['b'],
  ],
  [
    'of a file of another server, only projects that are public',
    'include: https://ci.example/a.yml',
    { remotes: { 'https://ci.example/a.yml': 'include: {project: g/p, file: b.yml}' }, projects: { 'public:g/p:b.yml@HEAD': job('b') } },
    ['b'],
  ],
  ['names with variables', 'include: {local: "$KIND.yml"}', { files: { 'node.yml': job('a') }, variables: { KIND: 'node' } }, ['a']],
  [
    'what its rules let in',
    'include: [{local: a.yml, rules: [{if: $A}]}, {local: b.yml, rules: [{exists: [b.yml]}]}, {local: c.yml, rules: [{if: $B, when: never}]}]',
    { files: { 'a.yml': job('a'), 'b.yml': job('b') }, variables: { B: '1' } },
    ['b'],
  ],
  ['a file twice', 'include: [a.yml, a.yml]', { files: { 'a.yml': job('a') } }, ['a']],
]

describe('included are', () => {
  for (const [name, text, given, jobs] of cases) test(name, async () => assert.deepEqual(await namesOf(text, given), jobs))
})

const wrong: readonly (readonly [string, Given, string])[] = [
  ['include: none.yml', {}, 'Local file `none.yml` does not exist!'],
  ['include: none.txt', {}, 'Included file `none.txt` does not have YAML extension!'],
  ['include: "*.yml"', {}, 'No file matches `*.yml`!'],
  ['include: empty.yml', { files: { 'empty.yml': ' ' } }, 'Included file `empty.yml` is empty!'],
  ['include: a.yml', { files: { 'a.yml': '[x]' } }, 'a.yml: Invalid configuration format'],
  ['include: a.yml', { files: { 'a.yml': 'include: a.yml' } }, 'Maximum of 100 nested includes are allowed!'],
  ['include: {project: a/b, file: x.yml}', {}, 'Project `a/b` file `x.yml` does not exist!'],
  ['include: {project: a/b}', {}, 'include:project `a/b` needs a file, or a list of files'],
  ['include: {remote: ftp://x/a.yml}', {}, 'Remote file `ftp://x/a.yml` does not have a valid address!'],
  ['include: {local: a.yml, remote: b.yml}', {}, 'Each include must use only one of: local, remote'],
  ['include: {file: a.yml}', {}, 'Include `{"file":"a.yml"}` needs to match exactly one accessor: local, project, remote or template!'],
  ['include: {local: a.yml, ref: x}', {}, 'include config contains unknown keys: ref'],
  ['include: {component: host/a/b@1}', {}, 'Component `host/a/b@1` cannot be included: components are of a later level'],
  ['include: 5', {}, 'include config should be a text, a map, or a list of these'],
  ['include: {local: a.yml, rules: [{if: "=="}]}', {}, 'include:rules:[0]:if invalid expression syntax'],
  [
    'include: {template: Security/SAST.gitlab-ci.yml}',
    {},
    'Template file `Security/SAST.gitlab-ci.yml` is not found! No template of that name comes with this server.',
  ],
  [
    'include: https://ci.example/a.yml',
    { remotes: { 'https://ci.example/a.yml': 'include: b.yml' }, files: { 'b.yml': job('b') } },
    'Local file `b.yml` cannot be included by a remote file',
  ],
]

describe('refused is', () => {
  for (const [text, given, error] of wrong) test(`${text}: ${error}`, async () => assert.deepEqual(await errorsOf(text, given), [error]))
})
