/** The libraries of Perl and Ruby as Debian packages them, unmodified; python-gitlab has tests of its own. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()

/** Runs a journey of `debian/` as a new person, and gives what the library was answered. */
async function journey(program: string, file: string): Promise<Record<string, unknown>> {
  const { token } = await scene.user()
  const { code, stdout, stderr } = await workbench.attempt(program, [join(import.meta.dirname, 'debian', file)], {
    env: { INGOT_URL: scene.url, INGOT_TOKEN: token },
  })
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

const hasPerl = await workbench.has('perl', ['-MGitLab::API::v4', '-e', '1'])
test('GitLab::API::v4', { skip: !hasPerl && 'Debian’s libgitlab-api-v4-perl is not installed' }, async () => {
  const { version, ...seen } = await journey('perl', 'journey.pl')

  assert.match(String(version), /^14\.0/)
  assert.deepEqual(seen, {
    changes: ['b.txt'],
    compared: 1,
    discussion: ['Which one?', 'The left one'],
    links: ['https://example.com/first'],
    missing: 'undefined',
    paged: 26,
    path: 'by-perl',
    protected: ['main', 'stable'],
    raw: 'two\n',
    snippets: ['Bit'],
    spent: '1h',
    state: 'merged',
    tree: ['docs', 'README.md', 'docs/a b.md'],
    variable: 'a value',
    wiki: 'Welcome',
  })
})

const hasRuby = await workbench.has('ruby', ['-rgitlab', '-e', '1'])
test('the gem gitlab', { skip: !hasRuby && 'Debian’s ruby-gitlab is not installed' }, async () => {
  const { version, ...seen } = await journey('ruby', 'journey.rb')

  assert.match(String(version), /^14\.0/)
  assert.deepEqual(seen, {
    approved: 1,
    changes: ['b.txt', 'c.txt'],
    compared: 2,
    linked: ['A window is open'],
    links: ['https://example.com/first'],
    missing: 404,
    paged: 27,
    path: 'by-ruby',
    raw: 'two\n',
    schedules: ['nightly'],
    service: true,
    spent: '1h',
    state: 'merged',
    upload: true,
    variable: 'a value',
    wiki: 'Welcome',
  })
})
