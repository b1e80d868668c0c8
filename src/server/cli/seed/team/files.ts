/** The files of the demo team's project: a small program that watches addresses, with tests and a pipeline. */

/** What a commit changes: paths with their contents. */
export type Files = Readonly<Record<string, string>>

const readme = `# Beacon

Beacon asks a list of addresses whether they answer, and writes a page that says so.

\`\`\`sh
node src/beacon.js https://example.com
\`\`\`

| Exit code | Meaning |
| --- | --- |
| 0 | All addresses answer |
| 1 | At least one does not |

The project is made by \`ingot seed\`: change what you like.
`

const ci = `stages: [build, test, deploy]

workflow:
  rules:
    - if: $CI_COMMIT_BRANCH

default:
  interruptible: true

build:
  stage: build
  script:
    - node build.js
  artifacts:
    paths: [public]

unit tests:
  stage: test
  script:
    - node --test --test-reporter=junit > report.xml
  artifacts:
    when: always
    reports:
      junit: report.xml

lint:
  stage: test
  script:
    - node lint.js
  allow_failure: true

production:
  stage: deploy
  script:
    - ./deploy.sh production
  environment:
    name: production
    url: https://beacon.example.com
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
      allow_failure: true
`

const probe = `/** Asks an address whether it answers. */
export async function probe(address, { fetch = globalThis.fetch } = {}) {
  const begun = performance.now()
  try {
    const { status } = await fetch(address)
    return { address, isUp: status < 500, ms: Math.round(performance.now() - begun) }
  } catch {
    return { address, isUp: false, ms: Math.round(performance.now() - begun) }
  }
}
`

const page = `/** Writes the page of some answers. */
export const pageOf = answers => \`<!doctype html>
<title>Beacon</title>
<ul>
\${answers.map(({ address, isUp, ms }) => \`<li>\${address}: \${isUp ? \`up, \${ms} ms\` : 'down'}</li>\`).join('\\n')}
</ul>\`
`

const main = `import { pageOf } from './page.js'
import { probe } from './probe.js'

const answers = await Promise.all(process.argv.slice(2).map(address => probe(address)))
console.log(pageOf(answers))
process.exitCode = answers.every(({ isUp }) => isUp) ? 0 : 1
`

const probeTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probe } from '../src/probe.js'

test('an address that answers is up', async () => {
  const { isUp } = await probe('https://example.com', { fetch: async () => ({ status: 200 }) })
  assert.equal(isUp, true)
})
`

export const first: Files = {
  'README.md': readme,
  'package.json': `${JSON.stringify({ name: 'beacon', version: '0.1.0', type: 'module', private: true }, null, 2)}\n`,
  'src/beacon.js': main,
  'src/probe.js': probe,
  'src/page.js': page,
}

export const pipeline: Files = { '.gitlab-ci.yml': ci, 'test/probe.test.js': probeTest }

export const retries: Files = {
  'src/probe.js': probe
    .replace('{ fetch = globalThis.fetch } = {}', '{ fetch = globalThis.fetch, tries = 3 } = {}')
    .replace(
      '  try {\n',
      '  for (let left = tries; left > 1; left--) {\n    const answer = await fetch(address).catch(() => undefined)\n    if (answer) return { address, isUp: answer.status < 500, ms: Math.round(performance.now() - begun) }\n  }\n  try {\n',
    ),
}

export const escaping: Files = {
  'src/page.js': page
    .replace(
      '/** Writes the page of some answers. */\n',
      `const escaped = text => text.replace(/[&<>"]/g, sign => \`&#\${sign.codePointAt(0)};\`)\n\n/** Writes the page of some answers. */\n`,
    )
    .replace('{address}:', '{escaped(address)}:'),
}

export const escapingTest: Files = {
  'test/page.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from '../src/page.js'

test('an address is text, whatever it holds', () => {
  assert.match(pageOf([{ address: '<b>', isUp: true, ms: 1 }]), /&#60;b&#62;: up, 1 ms/)
})
`,
}

export const darkMode: Files = {
  'src/style.css': `:root {\n  color-scheme: light dark;\n}\n\nli {\n  font: 1rem/1.5 sans-serif;\n}\n`,
}

export const slowAddresses: Files = {
  'src/probe.js': (retries['src/probe.js'] as string).replace(
    'fetch(address).catch',
    'fetch(address, { signal: AbortSignal.timeout(5000) }).catch',
  ),
}

export const usage: Files = {
  'docs/usage.md': `# Usage\n\nBeacon takes addresses as arguments and prints a page.\n\n1. Put the addresses into a file.\n2. Run \`xargs node src/beacon.js < addresses.txt > public/index.html\`.\n3. Serve \`public\`.\n`,
}

/** A report of tests in the form of JUnit; `failure`: what the second one says, if it fails. */
export const junit = (failure?: string): string => `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testsuite name="beacon" tests="2" failures="${failure === undefined ? 0 : 1}" time="0.42">
    <testcase name="an address that answers is up" classname="test/probe.test.js" time="0.12"/>
    <testcase name="an address is text, whatever it holds" classname="test/page.test.js" time="0.3">${
      failure === undefined ? '' : `<failure message="AssertionError">${failure}</failure>`
    }</testcase>
  </testsuite>
</testsuites>
`
