/** A repository of GitHub that becomes a project. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { places } from '../../platform/config.ts'
import { remoteLimits } from '../../platform/outbound/remote_api.ts'
import { github } from './scene.ts'
import { importFromGithub } from './task.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { root } = scene
const { db } = scene.deps.database
const mona = await scene.user({ username: 'mona-here', email: 'mona@example.com' })

const user = (id: number, login: string) => ({ id, login, type: 'User' })
const octo = user(1, 'octo')
const monalisa = user(2, 'mona')
const at = (day: number) => ({ created_at: `2021-03-0${day}T10:00:00Z`, updated_at: `2021-03-0${day}T11:00:00Z` })
const api = 'https://api.example.com/repos/octo/lamp'
const bug = { id: 1, name: 'bug', color: 'd73a4a' }
const pullOf = (number: number, branch: string, sha: string, base: string, more: object) => ({
  number,
  title: `Pull ${number}`,
  body: 'Please',
  state: 'open',
  locked: false,
  user: octo,
  labels: [bug],
  assignees: [],
  requested_reviewers: [monalisa],
  milestone: null,
  head: { ref: branch, sha, repo: { id: 7 } },
  base: { ref: 'main', sha: base, repo: { id: 7 } },
  ...at(3),
  ...more,
})

const token = 'token-of-github'
const server = await github(
  token,
  { name: 'lamp', full_name: 'octo/lamp', description: 'A lamp', private: false, default_branch: 'main', has_wiki: true },
  ({ base, head, fork }) => {
    const pulls = [
      pullOf(2, 'of-a-fork', fork, base, { user: monalisa, head: { ref: 'of-a-fork', sha: fork, repo: { id: 8 } } }),
      pullOf(3, 'brighter', head, base, { title: 'Brighter', draft: true }),
      pullOf(4, 'gone', head, base, {
        state: 'closed',
        merged_at: '2021-03-05T10:00:00Z',
        closed_at: '2021-03-05T10:00:00Z',
        merge_commit_sha: head,
      }),
    ]
    return {
      '/labels': [
        bug,
        { id: 2, name: 'good first, issue', color: '7057ff', description: 'Easy' },
        { id: 3, name: 'third', color: '000000' },
      ],
      '/milestones': [{ number: 1, title: 'Spring', description: 'Soon', state: 'closed', due_on: '2021-05-01T07:00:00Z', ...at(1) }],
      '/issues': [
        {
          number: 1,
          title: 'It is dark',
          body: 'Very',
          state: 'closed',
          closed_at: '2021-03-04T10:00:00Z',
          locked: true,
          user: octo,
          labels: [bug],
          assignees: [monalisa],
          milestone: { title: 'Spring' },
          ...at(2),
        },
        ...pulls.map(pull => ({ ...pull, pull_request: { url: 'x' } })),
        {
          number: 5,
          title: 'Later',
          body: null,
          state: 'open',
          locked: false,
          user: monalisa,
          labels: [],
          assignees: [],
          milestone: null,
          ...at(6),
        },
      ],
      '/issues/comments': [
        { id: 1, issue_url: `${api}/issues/1`, body: 'Indeed', user: monalisa, ...at(3) },
        { id: 2, issue_url: `${api}/issues/1`, body: 'Quite', user: octo, ...at(4) },
        { id: 3, issue_url: `${api}/issues/3`, body: 'Nice', user: null, ...at(4) },
      ],
      '/pulls': pulls,
      '/pulls/comments': [
        {
          id: 10,
          pull_request_url: `${api}/pulls/3`,
          path: 'lamp.txt',
          line: 2,
          side: 'RIGHT',
          body: 'Why two?',
          user: monalisa,
          ...at(4),
        },
        {
          id: 11,
          in_reply_to_id: 10,
          pull_request_url: `${api}/pulls/3`,
          path: 'lamp.txt',
          line: 2,
          side: 'RIGHT',
          body: 'Because',
          user: octo,
          ...at(5),
        },
        { id: 12, pull_request_url: `${api}/pulls/3`, path: 'old.txt', line: null, side: 'RIGHT', body: 'Outdated', user: octo, ...at(5) },
      ],
      '/pulls/2/reviews': [],
      '/pulls/3/reviews': [
        { id: 20, state: 'COMMENTED', body: '', user: monalisa, submitted_at: '2021-03-04T12:00:00Z' },
        { id: 21, state: 'APPROVED', body: 'Good', user: monalisa, submitted_at: '2021-03-06T12:00:00Z' },
        { id: 22, state: 'CHANGES_REQUESTED', body: '', user: octo, submitted_at: '2021-03-06T13:00:00Z' },
      ],
      '/pulls/4/reviews': [],
      '/releases': [
        {
          tag_name: 'v1',
          name: 'One',
          body: 'The first',
          draft: false,
          author: octo,
          created_at: '2021-03-01T10:00:00Z',
          published_at: '2021-03-02T10:00:00Z',
          assets: [{ name: 'lamp.zip', browser_download_url: 'https://example.com/lamp.zip' }],
        },
        { tag_name: 'v2', name: 'Two', body: '', draft: true, author: octo, created_at: '2021-03-01T10:00:00Z', assets: [] },
      ],
      users: [
        { ...octo, email: null },
        { ...monalisa, email: 'Mona@example.com' },
      ],
    }
  },
)

let count = 0
const body = (person: Person, more: object = {}) => ({
  personal_access_token: token,
  repo_id: 7,
  new_name: `lamp-${++count}`,
  target_namespace: person.username,
  github_hostname: server.url,
  ...more,
})

async function imported(person: Person) {
  const { status, body: made } = await person.post('/import/github', body(person))
  assert.equal(status, 201, JSON.stringify(made))
  await importFromGithub(scene.deps, { project_id: made.id })
  return { made, url: `/projects/${made.id}` }
}

const whole = await imported(root)
const { url } = whole
const get = async (path: string) => (await root.get(`${url}${path}`)).body

test('the answer names the project, and the import says where it comes from', async () => {
  const { id, ...made } = whole.made
  assert.deepEqual(made, { name: 'lamp-1', full_path: '/root/lamp-1', full_name: 'Name of root / lamp-1' })
  const state = await get('/import')
  assert.deepEqual(
    [state.id, state.import_status, state.import_error, state.import_type, state.failed_relations],
    [id, 'finished', null, 'github', []],
  )
  const project = await get('')
  assert.deepEqual([project.description, project.default_branch, project.visibility], ['A lamp', 'main', 'public'])
})

test('the repository, its tags and the wiki are here', async () => {
  const names = (await get('/repository/branches')).map((branch: { name: string }) => branch.name)
  assert.deepEqual(names, ['brighter', 'main', 'of-a-fork'])
  assert.deepEqual(
    (await get('/repository/tags')).map((tag: { name: string }) => tag.name),
    ['v1'],
  )
  assert.deepEqual(
    (await get('/wikis?with_content=true')).map((page: { content: string }) => page.content.trim()),
    ['Welcome'],
  )
})

test('labels, milestones, issues and their comments keep numbers, times and authors', async () => {
  const labels = (await get('/labels')).map((label: { name: string; color: string }) => [label.name, label.color.toLowerCase()])
  assert.deepEqual(labels.sort(), [
    ['bug', '#d73a4a'],
    ['good first  issue', '#7057ff'],
    ['third', '#000000'],
  ])
  const [milestone] = await get('/milestones')
  assert.deepEqual([milestone.iid, milestone.title, milestone.state, milestone.due_date], [1, 'Spring', 'closed', '2021-05-01'])
  const issue = await get('/issues/1')
  assert.deepEqual(
    [issue.title, issue.description, issue.state, issue.discussion_locked, issue.labels, issue.milestone.title, issue.author.username],
    ['It is dark', '*Created by: octo*\n\nVery', 'closed', true, ['bug'], 'Spring', 'root'],
  )
  assert.deepEqual([issue.assignees[0].username, Date.parse(issue.created_at)], ['mona-here', Date.parse('2021-03-02T10:00:00Z')])
  const notes = (await get('/issues/1/notes?sort=asc')) as { body: string; author: { username: string } }[]
  assert.deepEqual(
    notes.map(note => [note.author.username, note.body]),
    [
      ['mona-here', 'Indeed'],
      ['root', '*Created by: octo*\n\nQuite'],
    ],
  )
  assert.equal((await get('/issues/5')).author.username, 'mona-here')
  assert.deepEqual(
    (await get('/issues')).map((each: { iid: number }) => each.iid),
    [5, 1],
  )
  assert.equal((await root.post(`${url}/issues`, { title: 'Next' })).body.iid, 6)
})

test('pull requests are merge requests with their commits, comments on lines, reviews and approvals', async () => {
  const [fork, open, merged] = [await get('/merge_requests/2'), await get('/merge_requests/3'), await get('/merge_requests/4')]
  assert.deepEqual([fork.state, fork.source_branch, fork.author.username], ['opened', 'of-a-fork', 'mona-here'])
  assert.deepEqual([open.state, open.title, open.draft, open.reviewers[0].username], ['opened', 'Draft: Brighter', true, 'mona-here'])
  assert.deepEqual([merged.state, Date.parse(merged.merged_at)], ['merged', Date.parse('2021-03-05T10:00:00Z')])
  assert.deepEqual(
    (await get('/merge_requests/3/commits')).map((commit: { title: string }) => commit.title),
    ['Write lamp.txt'],
  )
  assert.deepEqual(
    (await get('/merge_requests/3/changes')).changes.map((change: { new_path: string }) => change.new_path),
    ['lamp.txt'],
  )
  const threads = (await get('/merge_requests/3/discussions')) as {
    notes: { body: string; position?: { new_line: number; new_path: string } }[]
  }[]
  const onLine = threads.find(({ notes }) => notes[0]?.body === 'Why two?')
  assert.deepEqual([onLine?.notes.length, onLine?.notes[0]?.position?.new_path, onLine?.notes[0]?.position?.new_line], [2, 'lamp.txt', 2])
  const bodies = threads.flatMap(({ notes }) => notes.map(note => note.body))
  assert.ok(bodies.includes('*Created by: ghost*\n\nNice'))
  assert.ok(bodies.includes('`old.txt`\n\n*Created by: octo*\n\nOutdated'))
  assert.ok(bodies.includes('**Review:** Approved\n\nGood'))
  assert.ok(bodies.includes('*Created by: octo*\n\n**Review:** Changes requested'))
  assert.equal(bodies.length, 6)
  const approvals = (await get('/merge_requests/3/approvals')).approved_by
  assert.deepEqual(
    approvals.map((each: { user: { username: string } }) => each.user.username),
    ['mona-here'],
  )
})

test('releases come with their files as links; drafts do not', async () => {
  const releases = await get('/releases')
  assert.deepEqual(
    releases.map((each: { tag_name: string; name: string; assets: { links: { name: string; url: string }[] } }) => [
      each.tag_name,
      each.name,
      each.assets.links.map(link => [link.name, link.url]),
    ]),
    [['v1', 'One', [['lamp.zip', 'https://example.com/lamp.zip']]]],
  )
})

test('the word of a server that anybody may run names no author for users who are no administrators', async () => {
  const person = await scene.user()
  const { url } = await imported(person)
  const issue = (await person.get(`${url}/issues/5`)).body
  assert.deepEqual([issue.author.username, issue.description], [person.username, '*Created by: mona*\n\n'])
  assert.deepEqual((await person.get(`${url}/merge_requests/3/approvals`)).body.approved_by, [])
  assert.deepEqual((await mona.get(`${url}/members`)).status, 200)
})

test('the token is forgotten when the import has ended, and is not shown', async () => {
  const row = await db.selectFrom('github_imports').selectAll().where('project_id', '=', whole.made.id).executeTakeFirstOrThrow()
  assert.equal(row.token, null)
  assert.equal(JSON.stringify([await get(''), await get('/import')]).includes(token), false)
})

test('when the quota is spent it goes on later, and asks for no whole list again', async () => {
  const { body: made } = await root.post('/import/github', body(root))
  const before = server.seen.length
  const labelsAsked = () => server.seen.slice(before).filter(path => path.endsWith('/labels')).length
  server.spend(1)
  await importFromGithub(scene.deps, { project_id: made.id })
  assert.equal((await root.get(`/projects/${made.id}/import`)).body.import_status, 'started')
  assert.equal(labelsAsked(), 1)
  await importFromGithub(scene.deps, { project_id: made.id })
  assert.equal((await root.get(`/projects/${made.id}/import`)).body.import_status, 'finished')
  assert.equal(labelsAsked(), 3)
})

test('a server that breaks off again and again fills no disk: what is kept counts in the next attempt', async () => {
  const { body: made } = await root.post('/import/github', body(root))
  const lists = join(places(scene.deps.config).transfers, `github-${made.id}`)
  await mkdir(lists, { recursive: true })
  await writeFile(join(lists, 'labels.ndjson'), `${JSON.stringify({ name: 'x'.repeat(200), color: 'ffffff' })}\n`.repeat(100))
  await writeFile(join(lists, 'pulls.ndjson.part'), 'broken off')
  const before = server.seen.length
  await importFromGithub(scene.deps, { project_id: made.id }, { ...remoteLimits, bytes: 20_000 })
  const state = (await root.get(`/projects/${made.id}/import`)).body
  assert.deepEqual([state.import_status, state.import_error], ['failed', 'The server answered more than 20000 bytes in all'])
  assert.equal(server.seen.length, before)
})

test('a repository for which the project has no room is not imported', async () => {
  await root.put('/application/settings', { repository_size_limit: 1 })
  try {
    const { url } = await imported(root)
    const state = (await root.get(`${url}/import`)).body
    assert.equal(state.import_status, 'failed')
    assert.match(state.import_error, /too large/)
    assert.equal((await root.get(url)).body.empty_repo, true)
  } finally {
    await root.put('/application/settings', { repository_size_limit: 0 })
  }
})

test('an account that is blocked meanwhile imports nothing', async () => {
  const person = await scene.user()
  const { body: made } = await person.post('/import/github', body(person))
  const before = server.seen.length
  await root.post(`/users/${person.id}/block`)
  await importFromGithub(scene.deps, { project_id: made.id })
  assert.equal(server.seen.length, before)
  const project = await db.selectFrom('projects').select('import_error').where('id', '=', made.id).executeTakeFirstOrThrow()
  assert.equal(project.import_error, 'The account that asked for the import is not active.')
  assert.equal(
    (await db.selectFrom('github_imports').select('token').where('project_id', '=', made.id).executeTakeFirstOrThrow()).token,
    null,
  )
})

describe('what is refused immediately', () => {
  const failed = 'Import failed due to a GitHub error: '
  const cases: readonly (readonly [what: string, more: object, errors: string])[] = [
    ['a repository that is not there', { repo_id: 8 }, `${failed}The server answered 404: /repositories/8`],
    ['a private address', { github_hostname: 'http://10.0.0.1' }, 'Invalid URL'],
    ['no address', { github_hostname: 'github' }, 'Invalid URL'],
    ['a namespace that is not there', { target_namespace: 'nowhere' }, 'This namespace has already been taken. Choose a different one.'],
    ['the namespace of another user', { target_namespace: 'mona-here' }, 'This namespace has already been taken. Choose a different one.'],
    ['a name that cannot be', { new_name: '-' }, 'name'],
  ]
  for (const [what, more, errors] of cases)
    test(what, async () => {
      const person = await scene.user()
      const answer = await person.post('/import/github', body(person, more))
      assert.equal(answer.status, 422)
      assert.ok(answer.body.errors.startsWith(errors), answer.body.errors)
    })

  test('a token that GitHub does not take', async () => {
    const { status, body: refused } = await root.post('/import/github', body(root, { personal_access_token: 'wrong' }))
    assert.deepEqual({ status, refused }, { status: 401, refused: { error: 'Access denied to your GitHub account.' } })
  })

  test('all of it where administrators have switched GitHub off', async () => {
    const before = (await root.get('/application/settings')).body.import_sources
    const asked = server.seen.length
    await root.put('/application/settings', { import_sources: ['git'] })
    try {
      for (const person of [mona, root])
        assert.deepEqual(await person.post('/import/github', body(person)), { status: 403, body: { message: '403 Forbidden' } })
      assert.equal(server.seen.length, asked)
    } finally {
      await root.put('/application/settings', { import_sources: before })
    }
  })

  test('a caller without credentials', async () => assert.equal((await scene.anonymous.post('/import/github', body(root))).status, 401))
})
