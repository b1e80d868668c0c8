/** The endpoints of exports and imports of groups, and archives that are wrong. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { places } from '../../platform/config.ts'
import { tasksOf } from '../../server/tasks.ts'
import { formWith } from '../../spaces/uploads/scene.ts'
import type { Files } from '../project_archives/scene.ts'
import { importGroupArchive } from './importing/task.ts'
import { exportedGroupOf, groupArchive, importedGroup, runGroupExport } from './scene.ts'

const scene = await openScene({ settings: { rateLimit: 'on' } })
const { db } = scene.deps.database
const archive = await groupArchive()

const send = (fields: Record<string, string>, bytes = archive, name = 'export.tar.gz') => formWith('file', name, bytes, fields)

describe('an export', () => {
  test('takes the role Owner, and is downloaded by those who asked for it and by administrators', async () => {
    const { group, owner, maintainer } = await scene.group({ members: ['maintainer'], visibility: 'public' })
    const outsider = await scene.user()
    const second = await scene.user()
    await owner.post(`${group.url}/members`, { user_id: second.id, access_level: 50 })
    const statuses = await Promise.all(
      [owner, maintainer, outsider, scene.anonymous].map(async person => (await person.post(`${group.url}/export`)).status),
    )
    assert.deepEqual(statuses, [202, 403, 403, 401])
    assert.deepEqual(await owner.get(`${group.url}/export/download`), { status: 404, body: { message: '404 Not found or has expired' } })
    scene.deps.limiter.forgetCounts()
    assert.deepEqual((await owner.post(`${group.url}/export`)).body, { message: '202 Accepted' })
    await runGroupExport(scene, group.id)
    const got = await owner.get(`${group.url}/export/download`)
    assert.deepEqual([got.status, got.headers['content-type']], [200, 'application/gzip'])
    assert.match(got.headers['content-disposition'] as string, new RegExp(`_${group.path}_export\\.tar\\.gz`))
    const [entry] = (await owner.get(`${group.url}/audit_events`)).body
    assert.deepEqual([entry.author_id, entry.details.custom_message], [owner.id, 'Export file download started'])
    assert.equal((await second.get(`${group.url}/export/download`)).status, 404)
    assert.equal((await scene.root.get(`${group.url}/export/download`)).status, 200)
    assert.equal((await maintainer.get(`${group.url}/export/download`)).status, 403)
  })

  test('of an account that does not own the group any more is not made', async () => {
    const { group, owner } = await scene.group({})
    const second = await scene.user()
    await owner.post(`${group.url}/members`, { user_id: second.id, access_level: 50 })
    await second.post(`${group.url}/export`)
    await owner.put(`${group.url}/members/${second.id}`, { access_level: 40 })
    await runGroupExport(scene, group.id)
    const row = await db
      .selectFrom('group_exports')
      .select(['state', 'error', 'object_id'])
      .where('namespace_id', '=', group.id)
      .executeTakeFirst()
    assert.deepEqual(row, {
      state: 'failed',
      error: 'The account that asked for the export may not export the group any more.',
      object_id: null,
    })
  })

  test('is asked for six times a minute, and downloaded once; it is forgotten after a day', async () => {
    const { group, owner } = await scene.group({})
    const refused = { message: { error: 'This endpoint has been requested too many times. Try again later.' } }
    scene.deps.limiter.forgetCounts()
    await exportedGroupOf(scene, owner, group)
    assert.deepEqual(await owner.get(`${group.url}/export/download`), { status: 429, body: refused })
    for (let count = 0; count < 5; count++) assert.equal((await owner.post(`${group.url}/export`)).status, 202)
    assert.equal((await owner.post(`${group.url}/export`)).status, 429)
    scene.deps.limiter.forgetCounts()
    await runGroupExport(scene, group.id)
    const later = { ...scene.deps, now: () => new Date(Date.now() + 25 * 3_600_000) }
    await tasksOf(later).drop_unused_objects({}, undefined)
    assert.equal((await owner.get(`${group.url}/export/download`)).status, 404)
  })
})

describe('an import', () => {
  test('is refused for what is no archive, for a place where one may not create groups, and for a path that is taken', async () => {
    const { group, owner, developer } = await scene.group({ members: ['developer'], visibility: 'public' })
    const outsider = await scene.user()
    scene.deps.limiter.forgetCounts()
    const name = 'X'
    assert.deepEqual(await owner.post('/groups/import', send({ path: 'x', name }, archive, 'export.zip')), {
      status: 422,
      body: { message: { error: 'You need to upload a GitLab project export archive (ending in .gz).' } },
    })
    const parent_id = String(group.id)
    assert.deepEqual(await owner.post('/groups/import', send({ path: 'x', name, parent_id: '99999999' })), {
      status: 404,
      body: { message: '404 Group Not Found' },
    })
    for (const person of [developer, outsider])
      assert.equal((await person.post('/groups/import', send({ path: 'x', name, parent_id }))).status, 403)
    assert.equal((await scene.anonymous.post('/groups/import', send({ path: 'x', name }))).status, 401)
    for (const [fields, message] of [
      [{ path: group.path, name }, 'Failed to save group {:path=>["has already been taken"]}'],
      [{ path: 'admin', name }, 'Failed to save group {:path=>["admin is a reserved name"]}'],
    ] as const) {
      const answer = await owner.post('/groups/import', send(fields))
      assert.deepEqual([answer.status, answer.body], [400, { message }])
    }
    const missing = new FormData()
    missing.set('path', 'x')
    missing.set('name', 'X')
    assert.equal((await owner.post('/groups/import', missing)).status, 400)
    await db.updateTable('users').set({ can_create_group: false }).where('id', '=', outsider.id).execute()
    assert.equal((await outsider.post('/groups/import', send({ path: 'x', name }))).status, 403)
  })

  test('is asked for six times a minute', async () => {
    const owner = await scene.user()
    for (let count = 0; count < 6; count++)
      assert.equal((await owner.post('/groups/import', send({ path: 'x', name: 'X' }, archive, 'x.zip'))).status, 422)
    assert.equal((await owner.post('/groups/import', send({ path: 'x', name: 'X' }))).status, 429)
    scene.deps.limiter.forgetCounts()
  })

  test('fails where the user has lost the group since it was asked for', async () => {
    const { group: outer, owner } = await scene.group({})
    const second = await scene.user()
    await owner.post(`${outer.url}/members`, { user_id: second.id, access_level: 50 })
    scene.deps.limiter.forgetCounts()
    await second.post('/groups/import', send({ path: 'lost-group', name: 'Lost', parent_id: String(outer.id) }))
    await owner.delete(`${outer.url}/members/${second.id}`)
    const { id } = await db.selectFrom('namespaces').select('id').where('path', '=', 'lost-group').executeTakeFirstOrThrow()
    await importGroupArchive(scene.deps, { group_id: id })
    const row = await db.selectFrom('group_imports').select(['state', 'error']).where('namespace_id', '=', id).executeTakeFirst()
    assert.deepEqual(row, { state: 'failed', error: 'The account that asked for the import does not own the group any more.' })
    const said = (await owner.get(`/groups/${id}/audit_events`)).body.map((entry: { details: object }) => entry.details)
    assert.match(JSON.stringify(said), /Import failed: The account that asked for the import does not own the group any more\./)
    assert.equal((await owner.get(`/groups/${id}`)).body.description, '')
  })

  test('keeps the lock of the group that it comes into, which its user may not take away', async () => {
    const { group: outer, owner, maintainer } = await scene.group({ members: ['maintainer'] })
    await owner.put(outer.url, { share_with_group_lock: true })
    const unlocked = { id: 7, name: 'Lamps', path: 'lamps', parent_id: null, share_with_group_lock: false }
    const bytes = await groupArchive({}, { 'tree/groups/7.json': JSON.stringify(unlocked) })
    for (const person of [maintainer, owner]) {
      scene.deps.limiter.forgetCounts()
      const { url, state } = await importedGroup(scene, person, bytes, { parent_id: String(outer.id) })
      assert.deepEqual([state.state, state.error], ['finished', null])
      assert.match(JSON.stringify((await owner.get(`${url}/audit_events`)).body), /"custom_message":"Imported"/)
      assert.equal((await owner.get(url)).body.share_with_group_lock, true)
    }
  })

  test('leaves pages of the wiki that were written before', async () => {
    const owner = await scene.user()
    scene.deps.limiter.forgetCounts()
    await owner.post('/groups/import', send({ path: 'wiki-group', name: 'Wiki' }))
    assert.equal((await owner.post('/groups/wiki-group/wikis', { title: 'Mine', content: 'Written before' })).status, 201)
    const { id } = (await owner.get('/groups/wiki-group')).body
    await importGroupArchive(scene.deps, { group_id: id })
    const { error } = await db.selectFrom('group_imports').select('error').where('namespace_id', '=', id).executeTakeFirstOrThrow()
    assert.equal(error, 'The wiki of the group was written to before it was imported.')
    assert.equal((await owner.get('/groups/wiki-group/wikis/Mine')).body.content, 'Written before')
  })

  test('survives the deletion of the account and of the group', async () => {
    const owner = await scene.user()
    const { group: outer } = await scene.group({ owner: scene.root })
    await scene.root.post(`${outer.url}/members`, { user_id: owner.id, access_level: 50 })
    scene.deps.limiter.forgetCounts()
    await owner.post('/groups/import', send({ path: 'orphan-group', name: 'Orphan', parent_id: String(outer.id) }))
    await scene.root.delete(`/users/${owner.id}`)
    const { id } = await db.selectFrom('namespaces').select('id').where('path', '=', 'orphan-group').executeTakeFirstOrThrow()
    await importGroupArchive(scene.deps, { group_id: id })
    const row = await db.selectFrom('group_imports').select('state').where('namespace_id', '=', id).executeTakeFirst()
    assert.equal(row?.state, 'failed')
    await scene.root.delete(`/groups/${id}`)
    await importGroupArchive(scene.deps, { group_id: id })
  })
})

describe('archives that are wrong leave the group empty', () => {
  const times = { created_at: '2021-06-01T12:00:00.000Z', updated_at: '2021-06-02T12:00:00.000Z' }
  const epic = { id: 1, iid: 1, title: 'Light', author_id: 3, ...times }
  const child = (id: number, parent_id: number | null) => ({ id, name: `G${id}`, path: `g${id}`, parent_id })
  const cases: readonly (readonly [what: string, archive: () => Promise<Buffer>, error: string | RegExp])[] = [
    ['no list of groups', () => groupArchive({}, { 'tree/groups/_all.ndjson': '' }), 'groups: a line is no id'],
    ['a list of paths', () => groupArchive({}, { 'tree/groups/_all.ndjson': '7\n../../../etc\n' }), 'groups: a line is no id'],
    ['a group twice', () => groupArchive({}, { 'tree/groups/_all.ndjson': '7\n7\n' }), 'groups: an id is there twice'],
    ['a group without a file', () => groupArchive({}, { 'tree/groups/_all.ndjson': '7\n8\n' }), /the file of the group 8 is missing/],
    ['a file of another group', () => groupArchive({}, { 'tree/groups/7.json': '{"id":8}' }), /is of another one/],
    [
      'groups in a circle',
      () =>
        groupArchive(
          {},
          {
            'tree/groups/_all.ndjson': '7\n8\n9\n',
            'tree/groups/8.json': JSON.stringify(child(8, 9)),
            'tree/groups/9.json': JSON.stringify(child(9, 8)),
          },
        ),
      'groups: the group that 8 is in does not stand before it',
    ],
    [
      'a path that no group can have',
      () =>
        groupArchive(
          { labels: [{ title: 'bug', color: '#ff0000' }] },
          { 'tree/groups/_all.ndjson': '7\n8\n', 'tree/groups/8.json': JSON.stringify({ ...child(8, 7), path: '../x' }) },
        ),
      /^path /,
    ],
    [
      'very many groups',
      () => groupArchive({}, { 'tree/groups/_all.ndjson': Array.from({ length: 1001 }, (_, at) => `${at}\n`).join('') }),
      'groups: the archive has more than 1000',
    ],
    [
      'a script in a badge',
      () => groupArchive({ badges: [{ link_url: 'javascript:alert(1)', image_url: 'https://example.com' }] }),
      'link_url is invalid',
    ],
    ['an epic twice', () => groupArchive({ epics: [epic, { ...epic, id: 2 }] }), 'epics: the number 1 is there twice'],
    ['an id of an epic twice', () => groupArchive({ epics: [epic, { ...epic, iid: 2 }] }), 'epics: the id 1 is there twice'],
    [
      'iterations that overlap',
      () =>
        groupArchive({
          iterations: [
            { iid: 1, title: 'a', start_date: '2030-01-01', due_date: '2030-01-07' },
            { iid: 2, title: 'b', start_date: '2030-01-07', due_date: '2030-01-09' },
          ],
        }),
      'iterations: two of a group overlap',
    ],
    ['another form', () => groupArchive({}, { VERSION: '0.1.8' }), 'The archive has the form 0.1.8, and 0.2 is read.'],
    ['no archive', async () => Buffer.from('lamp'), 'The archive is damaged or is no tar.gz file.'],
    [
      'a bundle that is none',
      () => groupArchive({}, { 'repositories/7.wiki.bundle': 'lamp\n\n' }),
      /^The repository of the archive \(wiki\) cannot be read/,
    ],
  ] as readonly (readonly [string, () => Promise<Buffer>, string | RegExp])[]
  for (const [what, bytes, error] of cases)
    test(what, async () => {
      const owner = await scene.user()
      const { id, url, state } = await importedGroup(scene, owner, await bytes())
      assert.equal(state.state, 'failed')
      if (typeof error === 'string') assert.equal(state.error, error)
      else assert.match(state.error ?? '', error)
      assert.equal(state.object_id, null)
      assert.equal((await owner.get(url)).body.description, '')
      assert.deepEqual((await owner.get(`${url}/descendant_groups`)).body, [])
      const rows = await Promise.all(
        (['labels', 'epics', 'badges', 'iterations'] as const).map(table =>
          db.selectFrom(table).select('id').where('namespace_id', '=', id).execute(),
        ),
      )
      assert.deepEqual(rows.flat(), [])
      assert.deepEqual(await readdir(places(scene.deps.config).transfers), [])
    })

  test('one that unpacks to too much', async () => {
    const files: Files = { bomb: '0'.repeat(8 * 1024 * 1024) }
    const limits = { bytes: 4 * 1024 * 1024, entries: 50 }
    const { state } = await importedGroup(scene, await scene.user(), await groupArchive({}, files), { limits })
    assert.deepEqual([state.state, state.error], ['failed', 'The archive is larger than 4194304 bytes when it is unpacked.'])
  })

  test('ids of other groups’ epics and people name nothing here, and what has no place is named', async () => {
    const { group: other, owner: stranger } = await scene.group({})
    const theirs = (await stranger.post(`${other.url}/epics`, { title: 'Theirs' })).body
    const owner = await scene.user()
    const members = [{ access_level: 50, user: { id: 3, email: stranger.email, public_email: stranger.email } }]
    const { url, state } = await importedGroup(
      scene,
      owner,
      await groupArchive({
        members,
        epics: [{ ...epic, parent_id: theirs.id, timelogs: [{ time_spent: 1 }], resource_weight_events: [{ weight: 1 }] }],
      }),
    )
    assert.equal(state.state, 'finished', state.error ?? '')
    assert.deepEqual(state.failures, [{ relation: 'epics', source: 'epic 1', message: 'It has no parent here: it is not in the archive' }])
    const [made] = (await owner.get(`${url}/epics`)).body
    assert.deepEqual([made.author.id, made.parent_id], [owner.id, null])
    assert.deepEqual(
      (await owner.get(`${url}/members`)).body.map((member: { id: number }) => member.id),
      [owner.id],
    )
  })
})
