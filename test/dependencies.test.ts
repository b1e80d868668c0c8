/** What is installed: under which licences, and that none of it runs a script while it is installed (SECURITY.md). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import satisfies from 'spdx-satisfies'
import program from '../package.json' with { type: 'json' }
import lock from '../package-lock.json' with { type: 'json' }
import { assertGenerated } from './golden.ts'

/** Licences that allow what the MIT licence of Ingot promises to its users. */
const allowed = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'Python-2.0', 'PSF-2.0'],
  // Of openpgp.js, which is delivered as it was published and loaded from its own folder, so that anyone can put another version in its place.
  'LGPL-3.0-or-later',
  // Of data: lists of licences.
  'CC-BY-3.0',
]

/** Of tools that are not delivered: a browser's accessibility checks. */
const allowedInDevelopment = ['MPL-2.0']

/** Licences of packages that do not state them in the form the lock file takes over or that is known, from their own files. */
const statedElsewhere: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  khroma: 'MIT',
  only: 'MIT',
  // It says `LGPL-3.0+`, the former spelling.
  openpgp: 'LGPL-3.0-or-later',
  optimist: 'MIT',
  rai: 'MIT',
  simplesmtp: 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
  'xml-escape': 'MIT',
}

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const packages = Object.entries(lock.packages as Record<string, Locked>)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => {
    const name = path.split('node_modules/').at(-1) as string
    return { name, ...locked, license: statedElsewhere[name] ?? locked.license }
  })

test('every dependency has a licence that is allowed', () => {
  const wrong = packages.filter(
    ({ license, dev }) => license === undefined || !satisfies(license, dev ? [...allowed, ...allowedInDevelopment] : allowed),
  )
  assert.deepEqual(
    wrong.map(({ name, license }) => `${name}: ${license}`),
    [],
    'choose another package, or add the licence to `allowed` after reading it',
  )
})

test('every dependency is pinned by its digest', () => {
  assert.deepEqual(
    packages.filter(({ integrity }) => !integrity).map(({ name }) => name),
    [],
  )
})

test('no dependency runs a script while it is installed', () => {
  const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  assert.deepEqual(
    [...new Set(withScript)].sort(),
    Object.keys(program.allowScripts).sort(),
    'a package with an install script is new or gone: deny it in `allowScripts` of package.json, and do what it needs at the first start',
  )
  assert.deepEqual(Object.values(program.allowScripts).filter(Boolean), [])
})

test('the page of dependencies lists what is delivered, with its licences', async () => {
  const rows = packages
    .filter(({ dev }) => !dev)
    .map(({ name, version, license }) => `| ${name} | ${version} | ${license} |\n`)
    .sort((one, other) => (one < other ? -1 : 1))
  await assertGenerated(
    'docs/dependencies.md',
    () =>
      `# Dependencies and their licences\n\nWritten by \`npm run generate\` from the lock file; \`test/dependencies.test.ts\` holds each licence against the list of those that are allowed.\n\`npm run sbom\` prints the same as a bill of materials in CycloneDX's form. Tools for development are not listed.\n\n| Package | Version | Licence |\n| --- | --- | --- |\n${[...new Set(rows)].join('')}`,
  )
})
