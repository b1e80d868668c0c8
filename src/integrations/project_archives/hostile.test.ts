/** Archives that lie, are broken, or reach for what is not theirs: each fails with its reason, and leaves an empty project. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { openScene } from '../../../test/scene.ts'
import { places } from '../../platform/config.ts'
import { streamBundle } from '../../platform/git/index.ts'
import { archiveWith, exported, type Files, imported } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const owner = await scene.user()
const limits = { bytes: 4 * 1024 * 1024, entries: 50 }

/** An archive with one entry more than every archive has, with this header. */
async function withEntry(header: Partial<Header> & { name: string }, content = 'x'): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: './VERSION' }, '0.2.4')
  archive.entry({ name: './tree/project.json' }, '{}')
  if (header.type && header.type !== 'file') archive.entry(header)
  else archive.entry(header, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** A header of tar: its type, and its bytes. */
function tarBlock(name: string, type: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\0', 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0`,
    148,
  )
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** An archive of empty files, each with so many extensions of keys that nothing asks for. */
function withPax(extensions: number, files: number, keys: number): Buffer {
  const records = Array.from({ length: keys }, (_, at) => `12 k${String(at).padStart(5, '0')}=a\n`).join('')
  const blocks = Array.from({ length: files }, (_, file) => [
    ...Array.from({ length: extensions }, () => tarBlock('x', 'x', Buffer.from(records))),
    tarBlock(`f${file}`, '0', Buffer.alloc(0)),
  ])
  return gzipSync(Buffer.concat([...blocks.flat(), Buffer.alloc(1024)]))
}

async function assertRefused(archive: Buffer, error: string | RegExp) {
  const { id, url, state } = await imported(scene, owner, archive, { limits } as never)
  assert.equal(state.import_status, 'failed')
  if (typeof error === 'string') assert.equal(state.import_error, error)
  else assert.match(state.import_error, error)
  assert.equal(state.failed_relations.at(-1).exception_message, state.import_error)
  const project = (await owner.get(url)).body
  assert.deepEqual([project.empty_repo, project.visibility, project.description], [true, 'private', null])
  const rows = await Promise.all(
    (['issues', 'labels', 'merge_requests', 'uploads', 'snippets', 'releases'] as const).map(table =>
      db.selectFrom(table).select('id').where('project_id', '=', id).execute(),
    ),
  )
  assert.deepEqual(rows.flat(), [])
  assert.equal(await scene.deps.storages.get('default').exists(scene.deps.storages.get('default').repository(id)), false)
  assert.deepEqual(await readdir(places(scene.deps.config).transfers), [])
}

describe('files that lead out, links, and too much', () => {
  const cases: readonly (readonly [what: string, archive: () => Promise<Buffer> | Buffer, error: string | RegExp])[] = [
    [
      'a path with ..',
      () => withEntry({ name: './uploads/../../../escaped' }),
      'The archive has a file outside of its folder: ./uploads/../../../escaped',
    ],
    ['an absolute path', () => withEntry({ name: '/etc/escaped' }), 'The archive has a file outside of its folder: /etc/escaped'],
    ['a backslash', () => withEntry({ name: 'uploads\\..\\escaped' }), /^The archive has a file outside/],
    [
      'a symbolic link',
      () => withEntry({ name: './tree/project', type: 'symlink', linkname: '/etc' }),
      'The archive has a link or a special file: ./tree/project',
    ],
    [
      'a hard link',
      () => withEntry({ name: './VERSION2', type: 'link', linkname: './VERSION' }),
      'The archive has a link or a special file: ./VERSION2',
    ],
    ['a device', () => withEntry({ name: './null', type: 'character-device' }), 'The archive has a link or a special file: ./null'],
    ['a file twice', () => withEntry({ name: './VERSION' }), 'The archive has two files of the same name.'],
    ['a file below a file', () => withEntry({ name: './VERSION/x' }), 'The archive has two files of the same name.'],
    ['a name of 300 bytes', () => withEntry({ name: `./${'a'.repeat(300)}` }), /^The archive has an entry with a name that is too long/],
    [
      'a name of 100 KB',
      () => withEntry({ name: './x', pax: { path: 'a/'.repeat(50_000) } } as never),
      'The archive has an entry with a name that is too long.',
    ],
    ['many extensions before one entry', () => withPax(5, 1, 20), 'The archive is damaged or is no tar.gz file.'],
    ['many entries with extensions', () => withPax(4, 11, 20), 'The archive has more than 50 files.'],
    [
      'a bomb',
      () => withEntry({ name: './bomb' }, '0'.repeat(8 * 1024 * 1024)),
      'The archive is larger than 4194304 bytes when it is unpacked.',
    ],
    [
      'many files',
      () => archiveWith(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`uploads/${at}`, '']))),
      'The archive has more than 50 files.',
    ],
    [
      'half an archive',
      async () => (await archiveWith({ a: 'b'.repeat(5000) })).subarray(0, 200),
      'The archive is damaged or is no tar.gz file.',
    ],
    ['no archive', () => Buffer.from('lamp'), 'The archive is damaged or is no tar.gz file.'],
    ['an empty file', () => gzipSync(''), 'The archive is damaged or is no tar.gz file.'],
    ['no tar', () => gzipSync('l'.repeat(2048)), 'The archive is damaged or is no tar.gz file.'],
  ]
  for (const [what, archive, error] of cases) test(what, async () => assertRefused(await archive(), error))
})

const times = { created_at: '2021-06-01T12:00:00.000Z', updated_at: '2021-06-02T12:00:00.000Z' }
const issue = { iid: 1, title: 'Lamp', state: 'opened', author_id: 7, ...times }

describe('rows that are wrong', () => {
  const cases: readonly (readonly [what: string, files: Files, error: string | RegExp])[] = [
    ['another form', { VERSION: '0.1.8' }, 'The archive has the form 0.1.8, and 0.2 is read.'],
    ['no object', { 'tree/project/issues.ndjson': '[1]\n' }, 'issues has a line that is no object'],
    ['no JSON', { 'tree/project/issues.ndjson': '{"iid":\n' }, 'issues is not JSON'],
    ['a title that is a number', { 'tree/project/issues.ndjson': [{ ...issue, title: 5 }] }, 'issues: title is not a text'],
    ['no title', { 'tree/project/issues.ndjson': [{ ...issue, title: null }] }, 'issues: title is missing'],
    [
      'a long title',
      { 'tree/project/issues.ndjson': [{ ...issue, title: 'a'.repeat(256) }] },
      'issues: title is longer than 255 characters',
    ],
    ['notes that are no list', { 'tree/project/issues.ndjson': [{ ...issue, notes: {} }] }, 'issues: notes is not a list'],
    ['a number twice', { 'tree/project/issues.ndjson': [issue, issue] }, 'issues: the number 1 is there twice'],
    ['a negative number', { 'tree/project/issues.ndjson': [{ ...issue, iid: -1 }] }, 'issues: iid is not between 1 and 1000000000'],
    [
      'a number after which none is left',
      { 'tree/project/issues.ndjson': [{ ...issue, iid: 2_147_483_647 }] },
      'issues: iid is not between 1 and 1000000000',
    ],
    ['a time that is none', { 'tree/project/issues.ndjson': [{ ...issue, created_at: 'now' }] }, 'issues: created_at is not a time'],
    ['a NUL', { 'tree/project/issues.ndjson': [{ ...issue, description: 'a\0b' }] }, 'issues: description is not a text'],
    [
      'a color that is none',
      { 'tree/project/labels.ndjson': [{ title: 'bug', color: 'red;x' }] },
      'labels: the color of a label is not valid',
    ],
    [
      'two milestones of one number',
      {
        'tree/project/milestones.ndjson': [
          { title: 'a', iid: 1, ...times },
          { title: 'b', iid: 1, ...times },
        ],
      },
      'The rows of the archive contradict each other (milestones_project_iid_key).',
    ],
    [
      'a branch that git would take for a flag',
      { 'tree/project/merge_requests.ndjson': [{ ...issue, source_branch: '--upload-pack=x', target_branch: 'main' }] },
      'merge_requests: "--upload-pack=x" is not a name of a branch',
    ],
    [
      'a link that runs a script',
      { 'tree/project/releases.ndjson': [{ tag: 'v1', ...times, links: [{ name: 'a', url: 'javascript:alert(1)' }] }] },
      'releases: the URL of a link is not valid',
    ],
    [
      'an LFS object of another name',
      { [`lfs-objects/${'a'.repeat(64)}`]: 'lamp' },
      'lfs-objects: the bytes of an object are not those of its name',
    ],
  ]
  for (const [what, files, error] of cases) test(what, async () => assertRefused(await archiveWith(files), error))

  test('no project', async () =>
    assertRefused(await archiveWith({ VERSION: '0.2.4' }, { isPlain: false }), /it has no file tree\/project.json/))
  test('no form', async () => assertRefused(await archiveWith({ a: '' }, { isPlain: false }), /it has no file VERSION/))
})

test('a line that is too long is refused before it is read whole', async () => {
  const archive = await archiveWith({ 'tree/project/issues.ndjson': `{"iid":1,"title":"${'a'.repeat(25 * 1024 * 1024)}"}\n` })
  const { state } = await imported(scene, owner, archive)
  assert.deepEqual([state.import_status, state.import_error], ['failed', 'issues has a line of more than 25165824 bytes'])
})

test('a line of very many values is refused before it is parsed', async () => {
  const archive = await archiveWith({ 'tree/project/issues.ndjson': `{"iid":1,"notes":[${'{},'.repeat(600_000)}{}]}\n` })
  const { state } = await imported(scene, owner, archive)
  assert.deepEqual([state.import_status, state.import_error], ['failed', 'issues has a line of more than 1000000 values'])
})

describe('repositories that are wrong', async () => {
  const { project } = await scene.project({ owner })
  await scene.commit(project, { 'a.txt': 'a' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const chunks: Buffer[] = []
  for await (const chunk of (await streamBundle(repository)) as AsyncIterable<Buffer>) chunks.push(chunk)
  const bundle = Buffer.concat(chunks)
  const end = bundle.indexOf('\n\n')
  const header = bundle.subarray(0, end).toString()
  const [tip = ''] = /[0-9a-f]{40}/.exec(header) ?? []
  const withHeader = (change: (text: string) => string) => Buffer.concat([Buffer.from(change(header)), bundle.subarray(end)])
  const unreadable = (reason: string) => `The repository of the archive (project) cannot be read: ${reason}.`
  const cases: readonly (readonly [what: string, bundle: Buffer, error: string])[] = [
    ['no bundle', Buffer.from('lamp\n\n'), unreadable('it is no git bundle')],
    ['an endless header', Buffer.from('# v2 git bundle\n'), unreadable('it is no git bundle')],
    [
      'a part of a repository',
      withHeader(text => text.replace('bundle\n', `bundle\n-${tip} before\n`)),
      unreadable('it holds a part of a repository only'),
    ],
    [
      'a reference that leads out',
      withHeader(text => `${text}\n${tip} refs/heads/../../x`),
      unreadable('it has a reference with a bad name: "refs/heads/../../x"'),
    ],
    [
      'a branch that git would take for a flag',
      withHeader(text => `${text}\n${tip} refs/heads/-x`),
      unreadable('it has a reference with a bad name: "refs/heads/-x"'),
    ],
    [
      'a branch that looks like a commit',
      withHeader(text => `${text}\n${tip} refs/heads/${tip}`),
      unreadable(`it has a reference with a bad name: "refs/heads/${tip}"`),
    ],
    [
      'a reference to nothing',
      withHeader(text => `${text}\n${'1'.repeat(40)} refs/heads/x`),
      unreadable('its objects are damaged, or some are missing'),
    ],
    [
      'a kept commit of another name',
      withHeader(text => `${text}\n${tip} refs/keep-around/${'1'.repeat(40)}`),
      unreadable(`a reference does not name what it is for: refs/keep-around/${'1'.repeat(40)}`),
    ],
    ['half a pack', bundle.subarray(0, bundle.length - 30), unreadable('its objects are damaged, or some are missing')],
    [
      'other bytes',
      Buffer.concat([bundle.subarray(0, end + 2), Buffer.from('PACK lamp')]),
      unreadable('its objects are damaged, or some are missing'),
    ],
  ]
  for (const [what, bytes, error] of cases) test(what, async () => assertRefused(await archiveWith({ 'project.bundle': bytes }), error))

  test('a header of 9 MB is refused before it is parsed', async () => {
    const many = Array.from({ length: 160_000 }, (_, at) => `\n${tip} refs/heads/b${at}`).join('')
    const { state } = await imported(scene, owner, await archiveWith({ 'project.bundle': withHeader(text => text + many) }))
    assert.deepEqual([state.import_status, state.import_error], ['failed', unreadable('it has too many references')])
  })

  test('references of the platform’s own are left out', async () => {
    const archive = await archiveWith({ 'project.bundle': withHeader(text => `${text}\n${tip} refs/pipelines/5\n${tip} refs/ingot/x`) })
    const { id, state } = await imported(scene, owner, archive)
    assert.equal(state.import_status, 'finished', state.import_error)
    const made = scene.deps.storages.repository({ id, repository_storage: 'default' })
    assert.deepEqual((await readdir(join(made.path, 'refs'))).includes('ingot'), false)
  })
})

describe('nothing of an archive gives rights, or reaches another project', () => {
  test('ids of other projects’ labels, milestones, issues and people name nothing here', async () => {
    const { project: other } = await scene.project({ owner })
    const label = (await owner.post(`${other.url}/labels`, { name: 'theirs', color: '#ff0000' })).body
    const milestone = (await owner.post(`${other.url}/milestones`, { title: 'theirs' })).body
    const theirs = (await owner.post(`${other.url}/issues`, { title: 'theirs' })).body
    const before = (await owner.get(`${other.url}/issues/1`)).body
    const { url, state } = await imported(
      scene,
      owner,
      await archiveWith({
        'tree/project/labels.ndjson': [{ id: label.id, title: 'bug', color: '#00ff00', project_id: other.id }],
        'tree/project/issues.ndjson': [
          {
            ...issue,
            id: theirs.id,
            project_id: other.id,
            author_id: scene.root.id,
            milestone_id: milestone.id,
            moved_to_id: theirs.id,
            epic_id: 1,
            label_links: [{ label_id: label.id, label: { id: label.id, title: 'bug', color: '#00ff00', project_id: other.id } }],
            issue_assignees: [{ user_id: scene.root.id }],
            notes: [
              {
                note: 'mine',
                author_id: scene.root.id,
                noteable_id: theirs.id,
                author: { name: 'Root' },
                discussion_id: 'a'.repeat(40),
                ...times,
              },
            ],
          },
        ],
      }),
    )
    assert.equal(state.import_status, 'finished', state.import_error)
    assert.deepEqual((await owner.get(`${other.url}/issues/1`)).body, before)
    const made = (await owner.get(`${url}/issues/1`)).body
    assert.deepEqual(
      [made.author.id, made.assignees[0].id, made.milestone, made.moved_to_id, made.labels],
      [owner.id, owner.id, null, null, ['bug']],
    )
    const [note] = (await owner.get(`${url}/issues/1/notes`)).body
    assert.deepEqual([note.author.id, note.body], [owner.id, 'mine\n\n *By Root on 2021-06-02T12:00:00 (imported from GitLab)*'])
  })

  test('members of the archive become none, unless an administrator imports it; approvals are nobody’s', async () => {
    const friend = await scene.user()
    const members = [{ access_level: 50, user: { id: 9, email: friend.email, username: friend.username } }]
    const archive = await archiveWith({
      'tree/project/project_members.ndjson': members,
      'tree/project/issues.ndjson': [{ ...issue, author_id: 9 }],
    })
    const plain = await imported(scene, owner, archive)
    assert.equal((await friend.get(plain.url)).body.permissions?.project_access ?? null, null)
    const byRoot = await imported(scene, scene.root, archive)
    assert.equal((await friend.get(byRoot.url)).body.permissions.project_access.access_level, 40, 'an owner becomes a Maintainer')
    assert.equal((await friend.get(`${byRoot.url}/issues/1`)).body.author.id, friend.id)
  })

  test('an address that nobody has confirmed is nobody’s', async () => {
    const waiting = await scene.user()
    await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', waiting.id).execute()
    const members = [{ access_level: 40, user: { id: 9, email: waiting.email } }]
    const { id } = await imported(scene, scene.root, await archiveWith({ 'tree/project/project_members.ndjson': members }))
    const found = await db.selectFrom('members').select('id').where('project_id', '=', id).where('user_id', '=', waiting.id).execute()
    assert.deepEqual(found, [])
  })

  test('a project is never more open than its group', async () => {
    const { group } = await scene.group({ owner, visibility: 'private' })
    const { url } = await imported(scene, owner, await archiveWith({}), { namespace: String(group.id) })
    assert.deepEqual([(await owner.get(url)).body.visibility, (await owner.get(url)).body.description], ['private', 'From elsewhere'])
  })

  test('protections of single users and groups become those of Maintainers', async () => {
    const rows = [
      {
        name: 'main',
        ...times,
        push_access_levels: [{ user_id: owner.id, access_level: 40 }],
        merge_access_levels: [{ access_level: 60 }],
      },
    ]
    const { url } = await imported(scene, owner, await archiveWith({ 'tree/project/protected_branches.ndjson': rows }))
    const [branch] = (await owner.get(`${url}/protected_branches`)).body
    assert.deepEqual(
      [branch.push_access_levels, branch.merge_access_levels].map(levels =>
        levels.map((level: { access_level: number; user_id: unknown }) => [level.access_level, level.user_id]),
      ),
      [[[40, null]], [[40, null]]],
    )
  })

  test('notes that name another project’s items are not exported', async () => {
    const { project: shown } = await scene.project({ owner, visibility: 'public' })
    const { project: hidden } = await scene.project({ owner })
    await owner.post(`${shown.url}/issues`, { title: 'Shown' })
    await owner.post(`${hidden.url}/issues`, { title: 'Hidden', description: `See ${shown.full_path}#1` })
    const { url, state } = await imported(scene, owner, await exported(scene, owner, shown))
    assert.equal(state.import_status, 'finished', state.import_error)
    assert.deepEqual((await owner.get(`${url}/issues/1/notes`)).body, [])
    assert.equal((await owner.get(`${shown.url}/issues/1/notes`)).body.length, 1)
  })
})
