/** CODEOWNERS files: patterns, sections, and the bounds of hostile ones (code owners at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_ENTRIES, ownersOfPaths, parseOwners } from './file.ts'
import { fitsPattern, partsOf, patternOf } from './pattern.ts'

const fits = (pattern: string, path: string) => fitsPattern(patternOf(pattern), partsOf(path), { steps: 0 })

/** Each pattern with paths that it means, and paths that it does not. */
const patterns: Readonly<Record<string, readonly [fits: readonly string[], others: readonly string[]]>> = {
  '*': [['README.md', '.env', 'a/b/c.txt'], []],
  '*.rb': [
    ['a.rb', 'lib/b.rb', '.rb'],
    ['a.rb/c', 'a.RB', 'a.rbx'],
  ],
  'README.md': [
    ['README.md', 'docs/README.md'],
    ['README.mdx', 'readme.md', 'README.md/a'],
  ],
  '/README.md': [['README.md'], ['docs/README.md']],
  '/docs/': [
    ['docs/a.md', 'docs/b/c.md'],
    ['docs', 'x/docs/a.md'],
  ],
  'lib/': [
    ['lib/a.rb', 'x/y/lib/z/a.rb'],
    ['lib', 'libs/a.rb'],
  ],
  '/docs/*': [
    ['docs/index.md', 'docs/.hidden'],
    ['docs/projects/index.md', 'docs'],
  ],
  '/docs/**': [['docs/index.md', 'docs/projects/index.md'], ['docs']],
  '/docs/**/*.md': [
    ['docs/index.md', 'docs/a/b/index.md'],
    ['docs/a.txt', 'x/docs/a.md'],
  ],
  'ee/docs/': [['ee/docs/a', 'x/ee/docs/a'], ['docs/a']],
  '/a/**/b/**/c': [
    ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c'],
    ['a/c', 'a/b/c/d'],
  ],
  'path\\ with\\ spaces/': [['path with spaces/a'], ['path\\ with\\ spaces/a', 'path/a']],
  '\\#file': [
    ['#file', 'a/#file'],
    ['\\#file', 'file'],
  ],
  '\\*.txt': [['*.txt'], ['a.txt']],
  'a?c': [
    ['abc', 'a😀c'],
    ['ac', 'a/c', 'abbc'],
  ],
  'v[0-9a].txt': [
    ['v1.txt', 'va.txt'],
    ['vb.txt', 'v-.txt'],
  ],
  'v[!0-9].txt': [['vb.txt'], ['v1.txt']],
  'v[1': [['v[1'], ['v1']],
  'a*b*c': [
    ['abc', 'axbxbxc'],
    ['acb', 'abcd'],
  ],
  'größe/': [['größe/a'], ['grosse/a']],
  '//docs//a': [['docs/a'], ['a']],
  '**': [['a', 'a/b'], []],
}

for (const [pattern, [meant, others]] of Object.entries(patterns))
  test(`the pattern ${pattern} means ${meant.join(', ')} and nothing else`, () => {
    for (const path of meant) assert.ok(fits(pattern, path), path)
    for (const path of others) assert.ok(!fits(pattern, path), path)
  })

const ownersOf = async (text: string, ...paths: string[]) =>
  (await ownersOfPaths(parseOwners(text), paths)).map(({ section, isOptional, name, paths, emails }) => ({
    ...(section !== null && { section }),
    ...(isOptional && { isOptional }),
    name,
    owners: [...paths, ...emails].join(' '),
  }))

test('the last pattern that fits a path counts, and comments, blank lines and words that are no owners say nothing', async () => {
  const text = '# * @nobody\n\n* @All\r\n*.md\t@docs word  jane@Example.com @@maintainer\n/a\\ b @group/Sub\n'

  assert.deepEqual(await ownersOf(text, 'x', 'y.md', 'a b'), [
    { name: '*', owners: 'all' },
    { name: '*.md', owners: 'docs jane@example.com' },
    { name: '/a\\ b', owners: 'group/sub' },
  ])
  assert.deepEqual(await ownersOf(text, 'y.md'), [{ name: '*.md', owners: 'docs jane@example.com' }])
})

test('of a pattern that is there twice the last one counts, and lines with bytes that no path has do not', async () => {
  assert.deepEqual(await ownersOf('*.md @a\n/x @b\n*.md @c\n\0 @d\n* @e\0\n', 'y.md', 'x'), [
    { name: '/x', owners: 'b' },
    { name: '*.md', owners: 'c' },
  ])
})

test('a pattern without owners takes paths out of the ownership of those before it', async () => {
  assert.deepEqual(await ownersOf('* @all\n/generated/\n', 'generated/a'), [])
})

test('each section has owners of its own; those of one name are one, and optional only if all are', async () => {
  const text = '* @all\n[Docs]\n*.md @docs\n^[Go]\n*.go @go\n^[docs] @ignored\nREADME.md @readme\n^[Late]\n* @late\n[LATE]\n'

  assert.deepEqual(await ownersOf(text, 'README.md', 'a.go'), [
    { name: '*', owners: 'all' },
    { section: 'Docs', name: 'README.md', owners: 'readme' },
    { section: 'Go', isOptional: true, name: '*.go', owners: 'go' },
    { section: 'Late', name: '*', owners: 'late' },
  ])
})

test('entries after the bound do not count, and a file of a megabyte is read and compared in bounded time', async () => {
  const kinds = [
    'a @b\n',
    `${'**/'.repeat(1000)} @b\n`,
    `${'*a'.repeat(2000)}b @b\n`,
    `${'**/*a/'.repeat(600)}b @b\n`,
    '[\n',
    '^[x]\n',
    '\\\n',
    '[a] @b\n* @b\n',
    `* ${'@a '.repeat(5000)}\n`,
  ]
  for (const kind of kinds) {
    const start = performance.now()
    const sections = parseOwners(kind.repeat((1024 * 1024) / kind.length))
    assert.ok(sections.reduce((sum, { entries }) => sum + entries.length, 0) <= MOST_ENTRIES)
    const found = await ownersOfPaths(sections, ['a'.repeat(4000), 'a/'.repeat(2000), 'x'], 5_000_000)
    assert.ok(found.every(({ paths }) => paths.length <= 100))
    assert.ok(performance.now() - start < 5_000, kind.slice(0, 20))
  }
})

test('where the comparison takes too long every entry with owners counts', async () => {
  const sections = parseOwners('/a @a\n/b @b\n/c\n')

  assert.deepEqual(
    (await ownersOfPaths(sections, ['x', 'y', 'a'], 1)).map(({ name }) => name),
    ['/a', '/b'],
  )
})
