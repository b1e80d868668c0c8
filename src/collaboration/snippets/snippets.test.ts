/** Snippets: personal ones and those of projects (snippets and project snippets API at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { type Client, openScene } from '../../../test/scene.ts'
import { resolveCommit, updateRefs } from '../../platform/git/index.ts'
import { repositoryOf } from './repository.ts'

const scene = await openScene()

const oneFile = { files: [{ file_path: 'hello.sh', content: 'echo hello\n' }] }

describe('a personal snippet', () => {
  test('has several files in a repository of its own', async () => {
    const person = await scene.user()

    const { status, body } = await person.post('/snippets', {
      title: 'Greetings',
      description: 'In two languages',
      visibility: 'public',
      files: [
        { file_path: 'hello.rb', content: "puts 'hello'\n" },
        { file_path: 'docs/a b.md', content: '# Hello\n' },
      ],
    })

    assert.equal(status, 201)
    assert.deepEqual(
      [body.title, body.description, body.visibility, body.project_id, body.author.id, body.file_name],
      ['Greetings', 'In two languages', 'public', null, person.id, 'docs/a b.md'],
    )
    assert.equal(body.web_url, `${scene.url}/-/snippets/${body.id}`)
    assert.equal(body.raw_url, `${scene.url}/-/snippets/${body.id}/raw`)
    assert.equal(body.http_url_to_repo, `${scene.url}/snippets/${body.id}.git`)
    assert.match(body.ssh_url_to_repo, new RegExp(`snippets/${body.id}\\.git$`))
    assert.deepEqual(body.files, [
      { path: 'docs/a b.md', raw_url: `${scene.url}/-/snippets/${body.id}/raw/main/docs/a%20b.md` },
      { path: 'hello.rb', raw_url: `${scene.url}/-/snippets/${body.id}/raw/main/hello.rb` },
    ])
    assert.deepEqual((await scene.anonymous.get(`/snippets/${body.id}`)).body.id, body.id)
    assert.equal((await person.get(`/snippets/${body.id}/raw`)).body, '# Hello\n')
    assert.equal((await person.get(`/snippets/${body.id}/files/main/hello.rb/raw`)).body, "puts 'hello'\n")
    assert.deepEqual(await person.get(`/snippets/${body.id}/files/main/other.rb/raw`), {
      status: 404,
      body: { message: '404 File Not Found' },
    })
    assert.deepEqual(await person.get(`/snippets/${body.id}/files/other/hello.rb/raw`), {
      status: 404,
      body: { message: '404 Reference Not Found' },
    })
  })

  test('is internal unless said otherwise, and takes the older form of one file', async () => {
    const person = await scene.user()

    const { status, body } = await person.post('/snippets', { title: 'Short', file_name: 'a.txt', content: 'A' })

    assert.deepEqual([status, body.visibility, body.files.length, body.file_name], [201, 'internal', 1, 'a.txt'])
  })

  test('is refused without files, with both forms, without a name, and with a blank title', async () => {
    const person = await scene.user()
    const refused = async (given: object) => (await person.post('/snippets', { title: 'A', ...given })).status

    assert.equal(await refused({}), 400)
    assert.equal(await refused({ ...oneFile, content: 'A', file_name: 'a' }), 400)
    assert.equal(await refused({ content: 'A' }), 400)
    assert.equal(await refused({ ...oneFile, title: ' ' }), 400)
    assert.equal(await refused({ files: [{ file_path: 'a', content: '' }] }), 400)
    assert.equal(await refused({ files: [{ file_path: '../a', content: 'A' }] }), 400)
    assert.equal(await refused({ files: [{ file_path: '.git/config', content: 'A' }] }), 400)
    assert.equal(await refused({ ...oneFile, visibility: 'secret' }), 400)
    const many = Array.from({ length: 11 }, (_, n) => ({ file_path: `${n}.txt`, content: 'A' }))
    assert.equal(await refused({ files: many }), 400)
    assert.deepEqual((await person.get('/snippets')).body, [])
  })

  test('is seen as its visibility says, and changed by its author and administrators', async () => {
    const [author, other, external] = [await scene.user(), await scene.user(), await scene.user()]
    await scene.root.put(`/users/${external.id}`, { external: true })
    const made = async (visibility: string) =>
      (await author.post('/snippets', { title: visibility, visibility, ...oneFile })).body.id as number
    const [hidden, internal, open] = [await made('private'), await made('internal'), await made('public')]
    const seen = async (by: typeof author | typeof scene.anonymous) =>
      Promise.all([hidden, internal, open].map(async id => (await by.get(`/snippets/${id}`)).status))

    assert.deepEqual(await seen(author), [200, 200, 200])
    assert.deepEqual(await seen(scene.root), [200, 200, 200])
    assert.deepEqual(await seen(other), [404, 200, 200])
    assert.deepEqual(await seen(external), [404, 404, 200])
    assert.deepEqual(await seen(scene.anonymous), [404, 404, 200])
    assert.deepEqual(await other.put(`/snippets/${open}`, { title: 'Mine' }), { status: 404, body: { message: '404 Snippet Not Found' } })
    assert.equal((await other.delete(`/snippets/${open}`)).status, 404)
    assert.equal((await scene.root.put(`/snippets/${open}`, { title: 'Theirs' })).body.title, 'Theirs')
    assert.equal((await external.post('/snippets', { title: 'A', ...oneFile })).status, 403)
    assert.equal((await author.delete(`/snippets/${open}`)).status, 204)
    assert.equal((await author.delete(`/snippets/${open}`)).status, 404)
  })

  test('is listed for its author; the public ones for everyone', async () => {
    const author = await scene.user()
    const { body: hidden } = await author.post('/snippets', { title: 'A', visibility: 'private', ...oneFile })
    const { body: open } = await author.post('/snippets', { title: 'B', visibility: 'public', ...oneFile })
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

    assert.deepEqual(ids((await author.get('/snippets')).body), [open.id, hidden.id])
    assert.equal((await scene.anonymous.get('/snippets')).status, 401)
    const listed = ids((await scene.anonymous.get('/snippets/public', { per_page: '100' })).body)
    assert.deepEqual([listed.includes(open.id), listed.includes(hidden.id)], [true, false])
  })

  test('is in the list of all snippets for those who may see it', async () => {
    const person = await scene.user()
    const other = await scene.user()
    const { body: secret } = await person.post('/snippets', { title: 'Mine', visibility: 'private', ...oneFile })
    const { project, owner } = await scene.project()
    const { body: inside } = await owner.post(`${project.url}/snippets`, { title: 'Inside', visibility: 'private', ...oneFile })
    const among = async (client: Client, query = {}) =>
      (await client.get('/snippets/all', query)).body
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => [secret.id, inside.id].includes(id))

    assert.deepEqual([await among(person), await among(owner), await among(other)], [[secret.id], [inside.id], []])
    assert.deepEqual(await among(scene.root), [inside.id, secret.id])
    assert.deepEqual(await among(scene.root, { created_after: inside.created_at }), [inside.id])
    assert.deepEqual(await among(scene.root, { created_before: inside.created_at }), [secret.id])
    assert.equal((await scene.anonymous.get('/snippets/all')).status, 401)
  })

  test('says to administrators alone from where it was written', async () => {
    const author = await scene.user()
    const from = scene.as({ 'private-token': author.token, 'user-agent': 'Example/1.0' })
    const { body } = await from.post('/snippets', { title: 'A', visibility: 'public', ...oneFile })

    assert.deepEqual(await scene.root.get(`/snippets/${body.id}/user_agent_detail`), {
      status: 200,
      body: { user_agent: 'Example/1.0', ip_address: '127.0.0.1', akismet_submitted: false },
    })
    assert.equal((await author.get(`/snippets/${body.id}/user_agent_detail`)).status, 403)
  })

  test('has only the visibilities that the instance lets people give', async () => {
    const author = await scene.user()
    const { body: before } = await scene.root.get('/application/settings')
    await scene.root.put('/application/settings', { restricted_visibility_levels: ['public'], snippet_size_limit: 100 })
    try {
      assert.equal((await author.post('/snippets', { title: 'A', visibility: 'public', ...oneFile })).status, 403)
      const { body } = await author.post('/snippets', { title: 'A', visibility: 'private', ...oneFile })
      assert.equal((await author.put(`/snippets/${body.id}`, { visibility: 'public' })).status, 403)
      assert.equal((await author.put(`/snippets/${body.id}`, { content: 'A'.repeat(101) })).status, 400)
      assert.equal((await author.put(`/snippets/${body.id}`, { content: 'A'.repeat(100) })).status, 200)
    } finally {
      await scene.root.put('/application/settings', {
        restricted_visibility_levels: before.restricted_visibility_levels,
        snippet_size_limit: before.snippet_size_limit,
      })
    }
  })

  test('goes with its author', async () => {
    const author = await scene.user()
    const { body } = await author.post('/snippets', { title: 'A', visibility: 'public', ...oneFile })

    await scene.root.delete(`/users/${author.id}`)

    assert.equal((await scene.root.get(`/snippets/${body.id}`)).status, 404)
  })
})

describe('changing files', () => {
  async function snippet(files = ['a.txt', 'b.txt']) {
    const author = await scene.user()
    const { body } = await author.post('/snippets', { title: 'A', files: files.map(file_path => ({ file_path, content: file_path })) })
    return { author, url: `/snippets/${body.id}`, body }
  }
  const paths = ({ files }: { files: { path: string }[] }) => files.map(({ path }) => path)

  test('creates, updates, moves and deletes in one step', async () => {
    const { author, url } = await snippet(['a.txt', 'b.txt', 'c.txt'])

    const { status, body } = await author.put(url, {
      title: 'B',
      files: [
        { action: 'create', file_path: 'd.txt', content: 'new' },
        { action: 'update', file_path: 'a.txt', content: 'changed' },
        { action: 'move', previous_path: 'b.txt', file_path: 'e.txt' },
        { action: 'delete', file_path: 'c.txt' },
      ],
    })

    assert.deepEqual([status, body.title, paths(body)], [200, 'B', ['a.txt', 'd.txt', 'e.txt']])
    assert.equal((await author.get(`${url}/files/main/a.txt/raw`)).body, 'changed')
    assert.equal((await author.get(`${url}/files/main/e.txt/raw`)).body, 'b.txt')
  })

  test('in the older form is about the one file', async () => {
    const { author, url } = await snippet(['a.txt'])

    assert.deepEqual(paths((await author.put(url, { content: 'new' })).body), ['a.txt'])
    assert.deepEqual(paths((await author.put(url, { file_name: 'b.txt' })).body), ['b.txt'])
    assert.equal((await author.get(`${url}/raw`)).body, 'new')
    const two = await snippet()
    assert.deepEqual(await two.author.put(two.url, { content: 'new' }), {
      status: 400,
      body: { message: { error: 'To update Snippets with multiple files, you must use the `files` parameter' } },
    })
  })

  test('is refused as a whole where a part cannot be done', async () => {
    const { author, url, body } = await snippet()
    const refused = async (files: object[]) => (await author.put(url, { files })).status

    assert.equal(await refused([{ action: 'update', file_path: 'c.txt', content: 'A' }]), 400)
    assert.equal(await refused([{ action: 'create', file_path: 'a.txt', content: 'A' }]), 400)
    assert.equal(await refused([{ action: 'update', file_path: 'a.txt' }]), 400)
    assert.equal(await refused([{ action: 'move', file_path: 'c.txt' }]), 400)
    assert.equal(await refused([{ action: 'chmod', file_path: 'a.txt' }]), 400)
    assert.equal(
      await refused([
        { action: 'delete', file_path: 'a.txt' },
        { action: 'delete', file_path: 'b.txt' },
      ]),
      400,
    )
    assert.equal(await refused(Array.from({ length: 9 }, (_, n) => ({ action: 'create', file_path: `${n}`, content: 'A' }))), 400)
    assert.equal((await author.put(url, {})).status, 400)
    assert.deepEqual((await author.get(url)).body, body)
  })
})

describe('a snippet of a project', () => {
  async function world(visibility: 'private' | 'public' = 'public') {
    const made = await scene.project({ visibility, members: ['guest', 'reporter', 'maintainer'] })
    return { ...made, url: `${made.project.url}/snippets` }
  }

  test('is written by Reporters, changed by its author and Maintainers', async () => {
    const { guest, reporter, maintainer, owner, project, url } = await world()

    assert.equal((await guest.post(url, { title: 'A', visibility: 'public', ...oneFile })).status, 403)
    assert.equal((await reporter.post(url, { title: 'A', ...oneFile })).status, 400)
    const { status, body } = await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })

    assert.deepEqual([status, body.project_id, body.web_url], [201, project.id, `${scene.url}/${project.full_path}/-/snippets/${body.id}`])
    assert.equal(body.http_url_to_repo, `${scene.url}/${project.full_path}/snippets/${body.id}.git`)
    assert.equal((await guest.put(`${url}/${body.id}`, { title: 'B' })).status, 403)
    assert.equal((await reporter.put(`${url}/${body.id}`, { title: 'B' })).body.title, 'B')
    assert.equal((await maintainer.put(`${url}/${body.id}`, { title: 'C' })).body.title, 'C')
    assert.equal((await guest.get(`${url}/${body.id}/raw`)).body, 'echo hello\n')
    assert.equal((await owner.get(project.url, { statistics: 'true' })).body.statistics.snippets_size > 0, true)
    assert.equal((await guest.delete(`${url}/${body.id}`)).status, 403)
    assert.equal((await maintainer.delete(`${url}/${body.id}`)).status, 204)
    assert.equal((await owner.get(project.url, { statistics: 'true' })).body.statistics.snippets_size, 0)
  })

  test('is for members where it is private, for all who see the project where it is public', async () => {
    const { reporter, guest, url } = await world()
    const outsider = await scene.user()
    const made = async (visibility: string) => (await reporter.post(url, { title: visibility, visibility, ...oneFile })).body.id
    const ids = [await made('private'), await made('internal'), await made('public')]
    const seen = (by: typeof guest | typeof scene.anonymous) => Promise.all(ids.map(async id => (await by.get(`${url}/${id}`)).status))

    assert.deepEqual(await seen(guest), [200, 200, 200])
    assert.deepEqual(await seen(outsider), [404, 200, 200])
    assert.deepEqual(await seen(scene.anonymous), [404, 404, 200])
    assert.equal((await guest.get(url)).body.length, 3)
    assert.equal((await outsider.get(url)).body.length, 2)
    assert.equal((await scene.anonymous.get(url)).status, 401)
    assert.equal((await outsider.get(`/snippets/${ids[0]}`)).status, 404)
    assert.equal((await outsider.get(`/snippets/${ids[2]}`)).status, 200)
  })

  test('does not exist outside of a private project, and is refused where the project has no snippets', async () => {
    const { reporter, owner, project, url } = await world('private')
    const { body } = await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })
    const outsider = await scene.user()

    assert.deepEqual(await outsider.get(`${url}/${body.id}`), { status: 404, body: { message: '404 Project Not Found' } })
    assert.equal((await outsider.get(`/snippets/${body.id}`)).status, 404)
    await owner.put(project.url, { snippets_access_level: 'disabled' })
    for (const status of [
      (await reporter.get(url)).status,
      (await reporter.get(`${url}/${body.id}`)).status,
      (await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })).status,
      (await scene.root.delete(`${url}/${body.id}`)).status,
    ])
      assert.equal(status, 403)
    assert.deepEqual((await reporter.get('/snippets')).body, [])
    assert.equal((await reporter.get(`/snippets/${body.id}`)).status, 404)
  })

  test('stays as it is in an archived project', async () => {
    const { reporter, owner, project, url } = await world()
    const { body } = await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })
    await owner.post(`${project.url}/archive`)

    assert.equal((await reporter.put(`${url}/${body.id}`, { title: 'B' })).status, 403)
    assert.equal((await reporter.put(`/snippets/${body.id}`, { title: 'B' })).status, 403)
    assert.equal((await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })).status, 403)
    assert.equal((await reporter.post(`${url}/${body.id}/notes`, { body: 'A' })).status, 403)
    assert.equal((await reporter.get(`${url}/${body.id}`)).status, 200)
  })

  test('has notes, threads and reactions', async () => {
    const { reporter, guest, maintainer, project, url } = await world()
    const { body: snippet } = await reporter.post(url, { title: 'A', visibility: 'public', ...oneFile })
    const { body: issue } = await reporter.post(`${project.url}/issues`, { title: 'Broken' })
    const one = `${url}/${snippet.id}`

    const note = await guest.post(`${one}/notes`, { body: `@${reporter.username}, see #${issue.iid}` })
    const thread = await reporter.post(`${one}/discussions`, { body: 'Why?' })
    const answer = await guest.post(`${one}/discussions/${thread.body.id}/notes`, { body: 'Because' })
    const award = await guest.post(`${one}/award_emoji`, { name: 'tada' })
    await guest.post(`${one}/notes/${note.body.id}/award_emoji`, { name: 'thumbsup' })

    assert.deepEqual(
      [note.status, note.body.noteable_type, note.body.noteable_id, note.body.project_id, note.body.noteable_iid],
      [201, 'Snippet', snippet.id, project.id, null],
    )
    assert.deepEqual([thread.status, thread.body.individual_note, answer.status], [201, false, 201])
    assert.deepEqual([award.status, award.body.awardable_type, award.body.awardable_id], [201, 'Snippet', snippet.id])
    assert.equal((await guest.get(`${one}/notes`)).body.length, 3)
    assert.equal((await guest.get(`${one}/discussions`)).body.length, 2)
    assert.equal((await reporter.put(`${one}/notes/${note.body.id}`, { body: 'Other' })).status, 403)
    assert.equal((await maintainer.put(`${one}/notes/${note.body.id}`, { body: 'Other' })).body.body, 'Other')
    assert.deepEqual((await reporter.get('/todos')).body, [])
    const mentions = (await guest.get(`${project.url}/issues/${issue.iid}/notes`)).body.map(({ body }: { body: string }) => body)
    assert.deepEqual(mentions, [`mentioned in snippet $${snippet.id}`])
    const { body: events } = await guest.get(`${project.url}/events`, { action: 'commented' })
    assert.deepEqual(events[0] && [events[0].target_type, events[0].target_title, events[0].note.noteable_type], ['Note', 'A', 'Snippet'])
    assert.equal((await guest.delete(`${one}/notes/${answer.body.id}`)).status, 204)
    assert.equal((await reporter.delete(one)).status, 204)
    assert.equal((await guest.get(`${one}/notes`)).status, 404)
  })

  test('is linked where a text names it', async () => {
    const { reporter, guest, project, url } = await world()
    const outsider = await scene.user()
    const { body } = await reporter.post(url, { title: 'Secret <b>', visibility: 'private', ...oneFile })
    const render = async (by: typeof guest) =>
      (await by.post('/markdown', { text: `See $${body.id} and $0`, gfm: true, project: project.full_path })).body.html

    assert.match(await render(guest), new RegExp(`href="[^"]*/${project.full_path}/-/snippets/${body.id}"[^>]*>\\$${body.id}</a> and \\$0`))
    assert.doesNotMatch(await render(outsider), /href/)
  })
})

test('a raw file that the client has is not sent again', async () => {
  const { project, owner } = await scene.project()
  const path = 'hello.sh'
  const { body: personal } = await owner.post('/snippets', { title: 'Mine', ...oneFile })
  const { body: ofProject } = await owner.post(`${project.url}/snippets`, { title: 'Ours', visibility: 'private', ...oneFile })
  for (const snippet of [`/snippets/${personal.id}`, `${project.url}/snippets/${ofProject.id}`])
    for (const raw of [`${snippet}/raw`, `${snippet}/files/main/${path}/raw`]) {
      const { headers, body } = await owner.get(raw)
      assert.equal(body, 'echo hello\n')
      assert.equal((await owner.get(raw, {}, { 'if-none-match': String(headers.etag) })).status, 304, raw)
    }
})

test('a change of files that a push comes before is refused, and the push stays', async () => {
  const { project, owner } = await scene.project()
  const { deps } = scene
  const { db } = deps.database
  const makers: [string, Client][] = [
    ['/snippets', owner],
    [`${project.url}/snippets`, owner],
  ]
  for (const [path, client] of makers) {
    const { body: made } = await client.post(path, { title: 'Contested', visibility: 'private', ...oneFile })
    const change = (content: string) => client.put(`${path}/${made.id}`, { files: [{ action: 'update', file_path: 'hello.sh', content }] })
    const row = await db.selectFrom('snippets').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
    const repository = (await repositoryOf(deps, row))!
    const before = (await resolveCommit(repository, 'main'))!
    assert.equal((await change('echo second\n')).status, 200)
    const tip = (await resolveCommit(repository, 'main'))!

    // The change waits with its commit, before it moves the branch: until then the queue takes nothing.
    const answer = await db.transaction().execute(async held => {
      await sql`lock table graphile_worker._private_jobs in share mode`.execute(held)
      const changing = change('echo third\n')
      await eventually(async () => {
        const { rows } = await sql`select from pg_locks where not granted and relation = 'graphile_worker._private_jobs'::regclass`.execute(
          held,
        )
        return rows.length > 0
      }, 'the change to wait for the queue')
      await updateRefs(repository, [{ ref: 'refs/heads/main', old: tip, new: before }])
      return { changing }
    })

    assert.deepEqual(await answer.changing, { status: 409, body: { message: 'The files of the snippet have changed meanwhile' } })
    assert.equal((await client.get(`${path}/${made.id}/raw`)).body, 'echo hello\n')
  }
})
