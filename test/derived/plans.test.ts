/**
 * How the database finds the rows of every list of projects, groups, issues and merge requests: the
 * plans, on a world big enough that they are those of a big instance, are in test/golden/plans, where a reviewer sees
 * them change. No list reads a big table from end to end.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadIssues } from '../../bench/world/issues.ts'
import { loadMergeRequests } from '../../bench/world/merge_requests.ts'
import { loadWorld } from '../../bench/world/projects.ts'
import { addRunnersTokens } from '../../src/spaces/runners_tokens/commands.ts'
import { assertGolden } from '../golden.ts'
import { openScene } from '../scene.ts'
import { Chapters } from './plans/chapters.ts'
import { exceptions } from './plans/exceptions.ts'
import { type Plan, plansOf, tablesRead } from './plans/explain.ts'
import { type Asker, askers, type List, listsOf } from './plans/lists.ts'

/** Rows from which on a table counts as a big one. */
const BIG = 2_000

const size = {
  users: 5_000,
  groups: 2_000,
  projects: 20_000,
  membersOfProjects: 2,
  issues: 50_000,
  issueProjects: 400,
  mergeRequests: 30_000,
  commits: 0,
  identities: 0,
}

const scene = await openScene()
const { pool } = scene.deps.database
scene.setTime('2021-07-01T12:00:00Z')
const outsider = await scene.user({ username: 'outsider' })

// A column of which many statistics are wanted makes the database look at all rows of its table instead of some at random: the same plans in
// every run. The first columns are ids, whose statistics cost the planner nothing.
const { rows: firstColumns } = await pool.query<{ statement: string }>(
  `select format('alter table %I alter column %I set statistics 1000', relname, attname) as statement
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1
    where relkind = 'r' and relnamespace = 'public'::regnamespace`,
)
for (const { statement } of firstColumns) await pool.query(statement)
const world = await loadWorld(scene.deps.database, size)
const issueWorld = await loadIssues(scene.deps.database, size)
await loadMergeRequests(scene.deps.database, size)

// Loading leaves these out, and lists would make them for callers who may see them: the plans would be those of a table that grows meanwhile.
await scene.run(scene.root, async ctx => {
  const projects = await ctx.db.selectFrom('projects').select('id').orderBy('id').execute()
  const groups = await ctx.db.selectFrom('namespaces').select('id').where('kind', '=', 'group').orderBy('id').execute()
  for (const [holder, rows] of [
    ['project_id', projects],
    ['namespace_id', groups],
  ] as const)
    await addRunnersTokens(
      ctx,
      holder,
      rows.map(({ id }) => id),
    )
})
await pool.query('vacuum (analyze) runners_tokens')

const tokens: Readonly<Record<Asker, string | undefined>> = {
  member: world.token,
  outsider: outsider.token,
  anonymous: undefined,
  admin: scene.root.token,
}

async function ask({ asker, path }: List): Promise<void> {
  const token = tokens[asker]
  const answer = await scene.app.inject({ url: `/api/v4${path}`, headers: token === undefined ? {} : { 'private-token': token } })
  assert.equal(answer.statusCode, 200, `${asker} ${path}: ${answer.body}`)
}

const { rows: bigTables } = await pool.query<{ name: string }>(
  "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1",
  [BIG],
)
const isBig = (table: string) => bigTables.some(({ name }) => name === table)

/** What finding each caller takes, and is the same for all lists; nobody needs to be found where nobody asks. */
const finding = new Set<string>()
for (const asker of askers.filter(name => name !== 'anonymous'))
  for (const { statement } of await plansOf(pool, () => ask({ asker, path: '/version' }))) finding.add(statement)

const resources: { name: string; plans: Map<List, Plan[]> }[] = []
for (const [name, lists] of Object.entries(listsOf(world, issueWorld))) {
  const plans = new Map<List, Plan[]>()
  for (const list of lists) {
    const all = await plansOf(pool, () => ask(list))
    const own = all.filter(({ statement }) => !finding.has(statement))
    // Rows and count are queried concurrently, and recorded in the order in which they came.
    plans.set(
      list,
      own.sort((a, b) => (a.statement + a.shape < b.statement + b.shape ? -1 : 1)),
    )
  }
  resources.push({ name, plans })
}

for (const { name, plans } of resources) {
  test(`the plans of lists of ${name} are what was looked at`, async () => {
    const chapters = new Chapters()
    for (const [{ asker, path }, found] of plans) chapters.add(`${asker}: GET ${decodeURIComponent(path)}`, found)
    await assertGolden(`plans/${name}.txt`, String(chapters))
  })

  for (const [{ asker, path }, found] of plans)
    test(`${asker}: GET ${path} reads no big table from end to end`, () => {
      const key = `${asker}: ${path}`
      const read = [...new Set(found.flatMap(tablesRead).filter(isBig))]
      if (exceptions.has(key))
        return assert.notDeepEqual(read, [], 'this list reads no big table any more: remove it from plans/exceptions.ts')
      assert.deepEqual(
        read,
        [],
        `you are here because a list of ${name} makes the database read all of ${read.join(', ')}: look at test/golden/plans/${name}.txt, and give the query an index or another form`,
      )
    })
}

test('every exception is of a list', () => {
  const lists = resources.flatMap(({ plans }) => [...plans.keys()].map(({ asker, path }) => `${asker}: ${path}`))
  assert.deepEqual(
    [...exceptions].filter(key => !lists.includes(key)),
    [],
  )
})
