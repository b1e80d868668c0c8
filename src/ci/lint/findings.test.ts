import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkConfig, type Sources } from '../config/index.ts'
import { findingsIn } from './findings.ts'

const none: Sources = {
  local: async () => undefined,
  files: async () => [],
  project: async () => undefined,
  remote: async () => undefined,
  template: async () => undefined,
}

/** `severity line message` of each finding. */
async function findings(text: string): Promise<string[]> {
  const checked = await checkConfig(text, none)
  return findingsIn(text, checked).map(({ severity, line, message }) => `${severity} ${line ?? '-'} ${message}`)
}

test('each message has the line of the key that it is about', async () => {
  const text = `stages: [build]
build:
  stage: build
  script: [make]
  when: later
  artifacts:
    paths: [dist]
    path: x
  rules:
    - if: $A
    - if: "=="
other:
  scripts: x
unknown: 3
`
  const lines = new Map((await findings(text)).map(each => [each.split(' ')[2], each.split(' ')[1]]))
  assert.deepEqual(
    ['jobs:build:when', 'jobs:build:rules:[1]:if', 'jobs:build:artifacts', 'jobs:other', 'root'].map(at => lines.get(at)),
    ['5', '11', '8', '12', '14'],
  )
})

test('messages about jobs among each other lead to the key that names the other', async () => {
  assert.deepEqual(await findings('a:\n  script: x\n  needs: [b]\nc:\n  parallel: 2\n  script: x\n  stage: none\n'), [
    'error 3 a job: undefined need: b',
    'error 7 c 1/2 job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post',
    'error 7 c 2/2 job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post',
  ])
})

test('the copies of a job have the line of the one that the file has', async () => {
  const copies = 'a:\n  script: x\nc:\n  parallel: { matrix: [{ V: [one, "[two]"] }] }\n  script: x\n  stage: none\n'
  const reason = 'chosen stage does not exist; available stages are .pre, build, test, deploy, .post'
  assert.deepEqual(await findings(copies), [`error 6 c: [one] job: ${reason}`, `error 6 c: [[two]] job: ${reason}`])
})

test('what is no YAML, and includes that are not there, have their lines too', async () => {
  assert.match((await findings('a:\n  script: [x\n'))[0] ?? '', /^error 3 /)
  assert.deepEqual(await findings('include:\n  - local: a.txt\n  - b.yml\n'), [
    'error 2 Included file `a.txt` does not have YAML extension!',
  ])
  assert.deepEqual(await findings('a: { script: x }\ninclude:\n  - b.yml\n'), ['error 3 Local file `b.yml` does not exist!'])
})

test('warnings come after the errors, and a message about another file has no line', async () => {
  const sources = { ...none, local: async () => 'theirs: { script: x, when: later }\n' }
  const text = 'include: theirs.yml\nmine:\n  script: x\n  publish: y\n'
  const found = findingsIn(text, await checkConfig(text, sources))

  assert.deepEqual(
    found.map(({ severity, line }) => [severity, line]),
    [
      ['error', undefined],
      ['warning', 4],
    ],
  )
})

test('a misspelled key is answered with the one that may be meant, and messages stay as clients know them', async () => {
  const cases: readonly (readonly [text: string, hint: string | undefined])[] = [
    ['a: { scripts: x }', 'Did you mean `script`, not `scripts`?'],
    ['a: { script: x, imgae: ruby, Tags: [b] }', 'Did you mean `image`, not `imgae`? Did you mean `tags`, not `Tags`?'],
    ['a: { script: x, before-script: [y] }', 'Did you mean `before_script`, not `before-script`?'],
    ['a: { script: x, artifacts: { path: [y] } }', 'Did you mean `paths`, not `path`?'],
    ['a: { script: x }\nstage: [b]', 'Did you mean `stages`, not `stage`?'],
    ['a: { script: x }\nvariable: { A: b }', 'Did you mean `variables`, not `variable`?'],
    // What is meant is there already, or nothing is near.
    ['a: { script: x, scripts: y }', undefined],
    ['a: { script: x, colour: red }', undefined],
    ['a: { script: x }\nbuilding: { make: x }', undefined],
  ]
  for (const [text, hint] of cases) {
    const checked = await checkConfig(text, none)
    const [finding] = findingsIn(text, checked)
    assert.deepEqual([finding?.message, finding?.hint], [checked.errors[0], hint], text)
  }
})
