import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const paths = (answer: { body: { path: string }[] }) => answer.body.map(row => row.path)

/** `count` projects beside another one, each an hour younger than the one before. */
async function addProjects(beside: { id: number; full_path: string }, visibility: string, from: number, count: number): Promise<void> {
  await sql`
    with made as (
      insert into projects (namespace_id, creator_id, name, path, visibility, created_at)
      select namespace_id, creator_id, 'Many ' || n, 'many-' || n, ${visibility}, timestamptz '2030-01-01' + n * interval '1 hour'
        from projects, generate_series(${from}::int, ${from + count - 1}::int) n where projects.id = ${beside.id}
      returning id, path, name)
    insert into routes (project_id, path, name) select id, ${beside.full_path} || '/' || path, name from made`.execute(db)
}

test('a list has what its reader may see, whether the first projects are open to them or not', async () => {
  const { project, owner } = await scene.project()
  const { full_path } = await db
    .selectFrom('routes')
    .select('path as full_path')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  const outsider = await scene.user()
  const list = () => outsider.get('/projects')

  await addProjects({ id: project.id, full_path }, 'internal', 0, 30)
  const open = await list()
  assert.deepEqual(
    paths(open),
    Array.from({ length: 20 }, (_, n) => `many-${29 - n}`),
  )

  // More than are looked at one by one.
  await addProjects({ id: project.id, full_path }, 'private', 30, 70)
  for (const _ of [1, 2, 3]) assert.deepEqual(paths(await list()), paths(open))
  assert.equal((await list()).headers['x-total'], open.headers['x-total'])
  assert.deepEqual(
    paths(await owner.get('/projects')),
    Array.from({ length: 20 }, (_, n) => `many-${99 - n}`),
  )
  assert.deepEqual(
    paths(await scene.root.get('/projects')),
    Array.from({ length: 20 }, (_, n) => `many-${99 - n}`),
  )

  // A role that was given counts in the next list, and one that was taken counts in none.
  const newest = (await owner.get('/projects?per_page=1')).body[0].id
  await owner.post(`/projects/${newest}/members`, { user_id: outsider.id, access_level: 10 })
  assert.equal(paths(await list())[0], 'many-99')
  await owner.delete(`/projects/${newest}/members/${outsider.id}`)
  assert.deepEqual(paths(await list()), paths(open))
})

test('a list of groups counts what is beyond its page, and before it', async () => {
  const person = await scene.user()
  for (const name of ['Alpha', 'Beta', 'Gamma']) await person.post('/groups', { name, path: `${name}-${person.username}` })

  const pages = await Promise.all([1, 2, 3].map(page => person.get(`/groups?per_page=2&page=${page}`)))

  assert.deepEqual(
    pages.map(page => [page.body.map((group: { name: string }) => group.name), page.headers['x-total'], page.headers['x-next-page']]),
    [
      [['Alpha', 'Beta'], '3', '2'],
      [['Gamma'], '3', ''],
      [[], '3', ''],
    ],
  )
})
