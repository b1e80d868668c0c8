/** Long lists of packages: the pages of a project and of a group are the same however many packages there are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { recordQueries } from '../../platform/db/statements/statements.ts'
import { packageOrders, packagesOf } from './lists.ts'

const scene = await openScene()
const { pool } = scene.deps.database

/** Writes rows of packages `from` to `to` of a project: two of a name, every third for npm, every tenth without a version or hidden. */
const fill = (projectId: number, from: number, to: number) =>
  pool.query(
    `insert into packages (project_id, package_type, name, lookup_name, version, status, created_at, updated_at)
     select $1, case when n % 3 = 0 then 'npm' else 'generic' end, name, name, case when n % 10 < 9 then '1.' || n * 37 % 101 || '.' || n end,
            case when n % 20 = 1 then 'hidden' else 'default' end, made, made
       from generate_series($2::int, $3::int) n,
            lateral (select 'Thing-' || n / 2 * 7919 % 9973 as name, timestamptz '2020-01-01' + n * 7919 % 9973 / 3 * interval '1 minute' as made) named`,
    [projectId, from, to],
  )

/** What the list is in a statement that reads and sorts all of it. */
async function idsOf(projectIds: readonly number[], where: string, order: string): Promise<number[]> {
  const { rows } = await pool.query(
    `select packages.id from packages join routes on routes.project_id = packages.project_id
      where packages.project_id = any($1) and ${where} order by ${order}`,
    [projectIds],
  )
  return rows.map(({ id }) => id)
}

const { group, owner } = await scene.group()
const first: { id: number } = (await owner.post('/projects', { name: 'first', namespace_id: group.id })).body
const second: { id: number } = (await owner.post('/projects', { name: 'second', namespace_id: group.id })).body
const other = await scene.project()
await fill(first.id, 0, 2_799)
await fill(second.id, 2_000, 2_299)
await fill(other.project.id, 0, 9)

const places = [
  { path: `/projects/${first.id}/packages`, ids: [first.id], orders: packageOrders },
  { path: `/groups/${group.id}/packages`, ids: [first.id, second.id], orders: [...packageOrders, 'project_path'] },
] as const

const columnOf = (order: string) => (order === 'project_path' ? 'routes.path' : `packages.${order === 'type' ? 'package_type' : order}`)

const isShown = "version is not null and status = 'default'"

const filters = {
  '': isShown,
  'package_type=npm': `${isShown} and package_type = 'npm'`,
  'package_name=tHING-77': `${isShown} and packages.name ilike '%thing-77%'`,
  'package_name=G-': `${isShown} and packages.name like '%g-%'`,
  'package_name=7': `${isShown} and packages.name like '%7%'`,
  'package_name=%25': 'false',
  'status=hidden': "version is not null and status = 'hidden'",
  'include_versionless=true': "status = 'default'",
}

for (const { path, ids, orders } of places)
  for (const order of orders)
    test(`GET ${path} by ${order} answers each page of what the filters select`, async () => {
      for (const sort of ['asc', 'desc'])
        for (const [filter, where] of Object.entries(filters)) {
          const expected = await idsOf(ids, where, `${columnOf(order)} ${sort}, packages.id ${sort}`)
          const last = Math.max(1, Math.ceil(expected.length / 100))
          for (const page of [1, last, last + 1]) {
            const { status, body, headers } = await owner.get(`${path}?order_by=${order}&sort=${sort}&per_page=100&page=${page}&${filter}`)
            assert.equal(status, 200)
            const about = `${filter} ${sort}, page ${page}`
            assert.deepEqual(
              body.map((row: { id: number }) => row.id),
              expected.slice((page - 1) * 100, page * 100),
              about,
            )
            assert.equal(headers['x-total'], String(expected.length), about)
          }
        }
    })

test('a part of a name without a trigram is looked for in the names alone', async () => {
  await pool.query('vacuum analyze packages')
  const { queries } = await recordQueries(() =>
    packagesOf(scene.deps.database.db, first.id, { order_by: 'name', sort: 'asc', package_name: 'Zz' }).count(10_001),
  )
  const [counting] = queries
  assert.ok(counting)
  const { rows } = await pool.query({ text: `explain (costs off) ${counting.sql}`, values: [...counting.parameters] })
  assert.match(rows.map(row => row['QUERY PLAN']).join('\n'), /Index Only Scan using packages_shown_names/)
})
