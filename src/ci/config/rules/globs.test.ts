/** Issue "Pipelines, jobs and runners": `changes`, `exists` and `include` take patterns of paths. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileGlob } from './globs.ts'

/** Pattern, paths that fit, paths that do not. */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['Dockerfile', ['Dockerfile'], ['docker/Dockerfile', 'dockerfile']],
  ['*.md', ['README.md', '.md', '.hidden.md'], ['docs/a.md', 'a.mdx']],
  ['docs/*', ['docs/a', 'docs/.a'], ['docs/a/b', 'docs']],
  ['docs/**/*', ['docs/a', 'docs/a/b', 'docs/.x/y/z'], ['docs', 'other/docs/a']],
  ['**/*.rb', ['a.rb', 'x/a.rb', 'x/y/z.rb'], ['a.rbx']],
  ['**/Dockerfile', ['Dockerfile', 'a/b/Dockerfile'], ['aDockerfile', 'Dockerfile/a']],
  ['a/**/b/c', ['a/b/c', 'a/x/b/c'], ['ab/c', 'a/xb/c']],
  ['docs/**', ['docs/a'], ['docs/a/b']],
  ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts'], ['src/test/a/b.ts']],
  ['*.{yml,yaml}', ['a.yml', 'a.yaml'], ['a.json', 'a.{yml,yaml}']],
  ['{a,b}/{c,d{1,2}}', ['a/c', 'b/d1', 'a/d2'], ['a/d']],
  ['file?.txt', ['file1.txt'], ['file.txt', 'file12.txt']],
  ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
  ['[!a-c]x', ['dx'], ['ax']],
  ['\\*.md', ['*.md'], ['a.md']],
  ['./a', ['a'], ['b']],
  ['{a', ['{a'], ['a']],
]

for (const [pattern, fitting, others] of cases)
  test(`${pattern} is ${fitting.join(', ')} and not ${others.join(', ')}`, () => {
    const matches = compileGlob(pattern)
    assert.deepEqual([fitting.filter(path => !matches(path)), others.filter(path => matches(path))], [[], []])
  })

test('many stars take no longer than pattern times path', () => {
  const matches = compileGlob(`${'*a'.repeat(400)}b`)

  assert.equal(matches('a'.repeat(10_000)), false)
})

test('braces that would become too many patterns are taken as they are', () => {
  const matches = compileGlob('{a,b}'.repeat(20))

  assert.deepEqual([matches('a'.repeat(20)), matches('{a,b}'.repeat(20))], [false, true])
})

// As a pattern with two stars this took as many steps as the square of its length: for days.
test('a long pattern with braces that are not closed is read in one pass', () => {
  const pattern = `{${','.repeat(1_000_000)}`
  assert.equal(compileGlob(pattern)(pattern), true)
})
