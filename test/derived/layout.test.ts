/** How the source is laid out: what files and folders are called, how large they are, and what a library shows of itself. */
import { test } from 'node:test'
import { all, assertNothing, shipped } from './source_files.ts'

test('a library inside is imported by its index alone', () => {
  const libraries = ['src/platform/git/', 'src/ci/config/', 'src/ci/artifacts/zip/', 'src/runner/']
  /** Scenes are for tests. */
  const isEntry = (path: string) => /\/(index|scene)\.ts$/.test(path)
  const found = all.flatMap(({ path, imports }) =>
    imports
      .filter(name => libraries.some(library => name.startsWith(library) && !path.startsWith(library) && !isEntry(name)))
      .map(name => `${path} imports ${name}`),
  )
  assertNothing(found, 'what a library keeps inside may change any day. Import its index.ts, and export there what is missing')
})

test('files are named for what they hold', () => {
  const found = all.filter(
    ({ path }) => /(util|helper|manager|service|misc|common)s?\.ts$/.test(path) && !path.startsWith('src/platform/kernel/openapi/'),
  )
  assertNothing(
    found.map(({ path }) => path),
    'these names say nothing. Name the noun that the code is about',
  )
})

test('a folder below a wing has at most twelve entries, tests not counted', () => {
  const entries = new Map<string, Set<string>>()
  for (const { path } of shipped) {
    const parts = path.split('/')
    for (let depth = 3; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth] as string))
    }
  }
  assertNothing(
    [...entries].filter(([, names]) => names.size > 12).map(([folder, names]) => `${folder}: ${names.size}`),
    'these folders are too full to be read at a glance. Move what belongs together into a folder of its subject',
  )
})

test('files end at 400 lines', () => {
  const generated = ['src/platform/db/schema.ts']
  const found = all.filter(({ path, text }) => !generated.includes(path) && text.split('\n').length > 401)
  assertNothing(
    found.map(({ path, text }) => `${path}: ${text.split('\n').length - 1}`),
    'these files are too long to read in one go. Split them by noun',
  )
})
