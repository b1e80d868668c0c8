/** Servers that do not end, lie, or lead elsewhere; rights that are lost on the way; and processes that end in the middle. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { archiveWith, plain } from '../project_archives/scene.ts'
import { resumeMigration } from './commands.ts'
import { migrationsOf } from './queries.ts'
import { migrated, requested, turn } from './scene.ts'
import { migrateEntity } from './working/task.ts'
import { type MigrationLimits, migrationLimits } from './working/work.ts'

const here = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { db } = here.deps.database
const archive = await archiveWith({ ...plain, 'tree/project/labels.ndjson': [{ title: 'bright', color: '#ffcc00' }] })

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Answers = Readonly<Record<string, Answer | object>>

/** A server with these answers, by path without `/api/v4` and query; 404 for others. */
async function serverWith(answers: Answers) {
  const seen: { path: string; token: string | undefined }[] = []
  const server = createServer((request, response) => {
    const path = (request.url as string).replace('/api/v4', '').replace(/\?.*/, '')
    seen.push({ path, token: request.headers['private-token'] as string | undefined })
    request.resume()
    const answer = answers[`${request.method} ${path}`] ?? answers[path]
    if (typeof answer === 'function') return void (answer as Answer)(request, response)
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? { message: '404' }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const json =
  (value: unknown, status = 200): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const accepted = json({ message: '202 Accepted' }, 202)
const sendArchive: Answer = (_request, response) => response.writeHead(200, { 'content-type': 'application/gzip' }).end(archive)

/** Answers of a project that comes whole. */
const whole: Answers = {
  'POST /projects/a%2Fb/export': accepted,
  'GET /projects/a%2Fb/export': { export_status: 'finished' },
  '/projects/a%2Fb/export/download': sendArchive,
}
const group: Answers = {
  '/groups/a': { name: 'A', path: 'a', visibility: 'private' },
  '/groups/a/labels': [],
  '/groups/a/milestones': [],
  '/groups/a/members': [],
  '/groups/a/subgroups': [],
  '/groups/a/projects': [],
}

let count = 0
const projectNamed = () => ({
  source_type: 'project_entity',
  source_full_path: 'a/b',
  destination_slug: `b-${++count}`,
  destination_namespace: '',
})
const groupNamed = () => ({
  source_type: 'group_entity',
  source_full_path: 'a',
  destination_slug: `a-${++count}`,
  destination_namespace: '',
})

const short: MigrationLimits = {
  ...migrationLimits,
  pause: 0,
  silence: 0,
  attempts: 1,
  pages: 3,
  remote: { ...migrationLimits.remote, requests: 50, answer: 100_000, bytes: 400_000, values: 10_000, patience: 200, milliseconds: 60_000 },
}

/** The messages of what failed. */
async function reasons(answers: Answers, named: object, limits = short): Promise<string[]> {
  const { url } = await serverWith(answers)
  const id = await requested(here.root, url, 'the-token', [named])
  const { entities } = await migrated(here, undefined, here.root, id, limits)
  assert.equal(entities[0].status, 'failed', JSON.stringify(entities))
  return entities[0].failures.map((each: { exception_message: string }) => each.exception_message)
}

const hundred = Array.from({ length: 100 }, (_, n) => ({ id: n + 1, name: `label ${n}`, color: '#ffffff' }))

describe('a server that cannot be used', () => {
  const cases: readonly (readonly [what: string, answers: Answers, named: () => object, reason: RegExp])[] = [
    ['pages without an end', { ...group, '/groups/a/labels': hundred }, groupNamed, /more than 3 pages of labels/],
    [
      'a page with more rows than were asked for',
      { ...group, '/groups/a/labels': [...hundred, ...hundred] },
      groupNamed,
      /something else than a page of labels/,
    ],
    [
      'an answer without an end',
      { ...group, '/groups/a': (_request, response) => void response.writeHead(200).end('x'.repeat(200_000)) },
      groupNamed,
      /more than 100000 bytes/,
    ],
    [
      'too many values',
      { ...group, '/groups/a': (_request, response) => void response.writeHead(200).end(`[${'[],'.repeat(20_000)}0]`) },
      groupNamed,
      /too many values/,
    ],
    [
      'no JSON',
      { ...group, '/groups/a': (_request, response) => void response.writeHead(200).end('<html>') },
      groupNamed,
      /something else than JSON/,
    ],
    ['a list in the place of a thing', { ...group, '/groups/a': [1] }, groupNamed, /no object/],
    [
      'an answer that never ends',
      { ...group, '/groups/a': (_request, response) => void response.writeHead(200).write('{') },
      groupNamed,
      /No answer within 0.2 seconds/,
    ],
    ['errors of the server', { ...group, '/groups/a': json({}, 502) }, groupNamed, /The server answered 502/],
    ['no such group', {}, groupNamed, /The server answered 404/],
    [
      'values that cannot be',
      { ...group, '/groups/a/milestones': [{ iid: 1, title: 'x', due_date: '2030-02-31' }] },
      groupNamed,
      /due_date is not a day/,
    ],
    [
      'an archive that is never made',
      { ...whole, 'GET /projects/a%2Fb/export': { export_status: 'none' } },
      projectNamed,
      /has not made an archive/,
    ],
    [
      'an archive that is none',
      { ...whole, '/projects/a%2Fb/export/download': (_request, response) => void response.writeHead(200).end('nothing') },
      projectNamed,
      /damaged or is no tar.gz/,
    ],
    [
      'a file that leads round and round',
      {
        ...whole,
        '/projects/a%2Fb/export/download': (request, response) => void response.writeHead(302, { location: request.url as string }).end(),
      },
      projectNamed,
      /answered 302 in the place of a file/,
    ],
    [
      'a redirect of the API',
      { ...group, '/groups/a': (_request, response) => void response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end() },
      groupNamed,
      /redirect \(301\): give its real address/,
    ],
    [
      'a file on a private network',
      {
        ...whole,
        '/projects/a%2Fb/export/download': (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(),
      },
      projectNamed,
      /not allowed: 10.0.0.1/,
    ],
  ]
  for (const [what, answers, named, reason] of cases)
    test(what, async () => {
      const [found, ...others] = await reasons(answers, named())
      assert.match(found as string, reason)
      assert.deepEqual(others, [])
    })

  test('a milestone whose number another one has is left out and reported, and the others come', async () => {
    const twice = [
      { iid: 1, title: 'Spring' },
      { iid: 1, title: 'Summer' },
      { iid: 2, title: 'Winter' },
    ]
    const { url } = await serverWith({ ...group, '/groups/a/milestones': twice })
    const id = await requested(here.root, url, 'the-token', [groupNamed()])
    const { entities } = await migrated(here, undefined, here.root, id, {
      ...short,
      remote: { ...short.remote, patience: 5_000 },
    })
    assert.equal(entities[0].status, 'finished', JSON.stringify(entities))
    assert.match(entities[0].failures[0].exception_message, /^Summer: /)
    const { body } = await here.root.get(`/groups/${entities[0].namespace_id}/milestones`)
    assert.deepEqual(body.map((each: { title: string }) => each.title).sort(), ['Spring', 'Winter'])
  })

  test('groups that contain themselves come to an end', async () => {
    const { url } = await serverWith({ ...group, '/groups/a/subgroups': [{ full_path: 'a', path: 'again', name: 'Again' }] })
    const id = await requested(here.root, url, 'the-token', [groupNamed()])
    const { migration, entities } = await migrated(here, undefined, here.root, id, {
      ...short,
      remote: { ...short.remote, patience: 5_000 },
    })
    assert.equal(migration.status, 'finished')
    assert.match(entities.at(-1).failures[0].exception_message, /nested deeper than 20 levels/)
  })
})

test('an archive that is larger than the instance takes', async () => {
  const large = /^The archive is larger than \d+ bytes\.$/
  assert.match((await reasons(whole, projectNamed(), { ...short, archive: 10 }))[0] as string, large)
  await here.root.put('/application/settings', { max_import_size: 1 })
  try {
    const noise: Answer = (_request, response) => response.writeHead(200).end(Buffer.alloc(1_100_000, 1))
    assert.match((await reasons({ ...whole, '/projects/a%2Fb/export/download': noise }, projectNamed()))[0] as string, large)
  } finally {
    await here.root.put('/application/settings', { max_import_size: 0 })
  }
})

test('an error of this server ends the migration, and its token is forgotten', async () => {
  const { url } = await serverWith(whole)
  const id = await requested(here.root, url, 'the-token', [projectNamed()])
  const put = () => Promise.reject(new Error('no space left on device'))
  const logged: unknown[] = []
  const log = Object.create(here.deps.log, { error: { value: (_about: object, text: string) => logged.push(text) } })
  const deps = { ...here.deps, log, objects: Object.create(here.deps.objects, { put: { value: put } }) }
  const { id: entity_id } = await db
    .selectFrom('bulk_import_entities')
    .select('id')
    .where('bulk_import_id', '=', id)
    .executeTakeFirstOrThrow()
  await migrateEntity(deps, { entity_id }, short)
  const row = await db.selectFrom('bulk_imports').select(['status', 'access_token']).where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual(row, { status: 'failed', access_token: null })
  const [entity] = (await here.root.get(`/bulk_imports/${id}/entities`)).body
  assert.equal(entity.failures[0].exception_message, 'The import failed because of an error of the server.')
  assert.deepEqual(logged, ['a migration has failed'])
})

test('what is below a group comes into that group, and not into another one that has its path by now', async () => {
  const { url } = await serverWith({ ...group, '/groups/a/projects': [{ path_with_namespace: 'a/b', name: 'B', path: 'b' }], ...whole })
  const id = await requested(here.root, url, 'the-token', [groupNamed()])
  const [first] = (await here.root.get(`/bulk_imports/${id}/entities`)).body
  await migrateEntity(here.deps, { entity_id: first.id })
  const { namespace_id, destination_slug } = (await here.root.get(`/bulk_imports/${id}/entities/${first.id}`)).body
  await here.root.put(`/groups/${namespace_id}`, { path: `moved-${namespace_id}` })
  assert.equal((await here.root.post('/groups', { name: 'Another', path: destination_slug })).status, 201)
  const { entities } = await migrated(here, undefined, here.root, id)
  assert.equal((await here.root.get(`/projects/${entities[1].project_id}`)).body.namespace.id, namespace_id)
})

test('a redirect of the archive to another host is followed without the token', async () => {
  const elsewhere = await serverWith({ '/archive': sendArchive })
  const { url, seen } = await serverWith({
    ...whole,
    '/projects/a%2Fb/export/download': (_request, response) => void response.writeHead(302, { location: `${elsewhere.url}/archive` }).end(),
  })
  const id = await requested(here.root, url, 'the-token', [projectNamed()])
  const { entities } = await migrated(here, undefined, here.root, id)
  assert.equal(entities[0].status, 'finished', JSON.stringify(entities[0].failures))
  assert.deepEqual(elsewhere.seen, [{ path: '/archive', token: undefined }])
  assert.ok(seen.every(({ token }) => token === 'the-token'))
  assert.deepEqual((await here.root.get(`/projects/${entities[0].project_id}/labels`)).body.length, 1)
})

test('a server that wants to be asked later is asked later', async () => {
  let asked = 0
  const { url } = await serverWith({
    ...whole,
    'POST /projects/a%2Fb/export': (request, response) =>
      ++asked === 1 ? void response.writeHead(429, { 'retry-after': '90' }).end('{}') : accepted(request, response),
  })
  const id = await requested(here.root, url, 'the-token', [projectNamed()])
  await turn(here, id)
  const [job] = (await db.selectFrom('bulk_import_entities').select(['status', 'step']).where('bulk_import_id', '=', id).execute()) as {
    status: string
    step: string
  }[]
  assert.deepEqual(job, { status: 'started', step: 'begin' })
  assert.equal((await migrated(here, undefined, here.root, id)).migration.status, 'finished')
  assert.equal(asked, 2)
})

test('what has failed is resumed where it was, and what has come is not there twice', async () => {
  let works = false
  const { url, seen } = await serverWith({
    ...group,
    '/groups/a/labels': [{ id: 1, name: 'bright', color: '#ffcc00' }],
    '/groups/a/milestones': (request, response) => (works ? json([{ id: 1, iid: 4, title: 'Spring' }]) : json({}, 403))(request, response),
    '/groups/a/projects': [{ path_with_namespace: 'a/b', name: 'B', path: 'b' }],
    ...whole,
  })
  const id = await requested(here.root, url, 'the-token', [groupNamed()])
  const { migration, entities } = await migrated(here, undefined, here.root, id)
  assert.deepEqual([migration.status, entities[0].status], ['failed', 'failed'])
  works = true
  const resumed = await here.run(here.root, async ctx =>
    resumeMigration(ctx, await migrationsOf(ctx.db, here.root.id).where('id', '=', id).executeTakeFirstOrThrow(), 'another-token'),
  )
  assert.equal(resumed, 1)
  const again = await migrated(here, undefined, here.root, id)
  assert.deepEqual(
    again.entities.map((each: { status: string; namespace_id: number | null; failures: object[] }) => [each.status, each.failures]),
    [
      ['finished', []],
      ['finished', []],
    ],
  )
  assert.equal(again.entities[0].namespace_id, entities[0].namespace_id)
  assert.equal(again.migration.status, 'finished')
  const place = `/groups/${entities[0].namespace_id}`
  assert.equal((await here.root.get(`${place}/labels`)).body.length, 1)
  assert.deepEqual(
    (await here.root.get(`${place}/milestones`)).body.map((each: { iid: number }) => each.iid),
    [4],
  )
  assert.equal(seen.filter(({ path }) => path === '/groups/a/labels').length, 1)
  assert.equal(seen.at(-1)?.token, 'another-token')
})

describe('rights are asked again when the work is done', () => {
  test('an account that is blocked meanwhile migrates nothing', async () => {
    const person = await here.user()
    const { url, seen } = await serverWith(whole)
    const id = await requested(person, url, 'the-token', [projectNamed()])
    await here.root.post(`/users/${person.id}/block`)
    await turn(here, id)
    assert.deepEqual(seen, [])
    const row = await db.selectFrom('bulk_imports').select(['status', 'access_token']).where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual(row, { status: 'failed', access_token: null })
  })

  test('a role in the destination that is lost meanwhile', async () => {
    const { group: place, maintainer } = await here.group({ members: ['maintainer'] })
    const { url, seen } = await serverWith({ ...whole, ...group })
    const id = await requested(maintainer, url, 'the-token', [
      { ...projectNamed(), destination_namespace: place.full_path },
      { ...groupNamed(), destination_namespace: place.full_path },
    ])
    await here.root.delete(`${place.url}/members/${maintainer.id}`)
    const { entities } = await migrated(here, undefined, maintainer, id)
    assert.deepEqual(
      entities.map((each: { status: string; project_id: number | null; namespace_id: number | null }) => [
        each.status,
        each.project_id,
        each.namespace_id,
      ]),
      [
        ['failed', null, null],
        ['failed', null, null],
      ],
    )
    assert.ok(seen.length > 0)
  })

  test('a group that is given away between two steps gets nothing more', async () => {
    const person = await here.user()
    const { url } = await serverWith({
      ...group,
      '/groups/a/labels': async (request, response) => {
        await db.deleteFrom('members').where('user_id', '=', person.id).execute()
        json([{ id: 1, name: 'bright', color: '#ffcc00' }])(request, response)
      },
    })
    const id = await requested(person, url, 'the-token', [groupNamed()])
    const { entities } = await migrated(here, undefined, person, id)
    assert.match(entities[0].failures[0].exception_message, /may not administer it any more/)
    assert.deepEqual((await here.root.get(`/groups/${entities[0].namespace_id}/labels`)).body, [])
  })
})
