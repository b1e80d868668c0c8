/**
 * The statements of every reading endpoint are in test/golden/queries.sql, where a reviewer sees them change; and the
 * query budget: a list costs the same number of statements, and of git processes, whatever the length of its page
 * (house rule "Presenters cannot make N+1").
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordStatements } from '../../src/platform/db/statements/statements.ts'
import { gitProcesses, historyQuestions } from '../../src/platform/git/index.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { costOf as costOfRequest, slotOf } from '../../src/platform/kernel/request/cost.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { assertGolden, committedGolden, isEntryWanted, isUpdating } from '../golden.ts'
import { ROWS } from './making.ts'
import { openWorld, requestFor } from './world.ts'

/** Lists that are never long. May only shrink. */
const short: readonly string[] = [
  // The server asks about few flags.
  'GET /features/definitions',
  // There are five tiers.
  'GET /groups/:id/protected_environments',
  // The instance has one licence.
  'GET /licenses',
  // The project of the example is in one group, and is shared with none.
  'GET /projects/:id/groups',
  // The member of the example is one of the group and of its project.
  'GET /groups/:id/billable_members/:user_id/memberships',
  // The group and the project of the examples are each shared with one group.
  'GET /groups/:id/invited_groups',
  'GET /projects/:id/invited_groups',
  // No job of the examples waits for the resource group, and only few pushed lately.
  'GET /projects/:id/resource_groups/:key/upcoming_jobs',
  'GET /users/:user_id/contributed_projects',
]

const world = await openWorld()
// Long after the world was made a token's last use would be recorded again.
world.scene.setTime(world.begun)

interface Cost {
  readonly rows: number
  readonly statements: string[]
  readonly processes: number
}

/** What a page of this length costs an administrator. */
async function costOf(endpoint: Endpoint, rows: number): Promise<Cost> {
  const request = requestFor(world, endpoint, 'admin', 'private')
  const before = gitProcesses.started
  const { result, statements } = await recordStatements(() =>
    world.send('admin', { ...request, query: { ...request.query, per_page: rows } }),
  )
  assert.equal(result.status, 200, JSON.stringify(result.body))
  return { rows: result.body.length, statements, processes: gitProcesses.started - before }
}

/** What git does that may grow with a repository made for it: with its history, its references, or the lines of its files. */
const growing = ['archive', 'blame', 'diff-tree', 'format-patch', 'grep', 'log', 'merge-base', 'merge-tree', 'rev-list'] as const

const startedOf = () => growing.map(name => gitProcesses.by.get(name) ?? 0)

// Before the others: what git has found is kept.
test('what has git do work that may grow takes a place of those for such work', async () => {
  const found: string[] = []
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const [before, { asked }] = [startedOf(), { ...historyQuestions }]
    await world.send('admin', requestFor(world, endpoint, 'admin', 'private'))
    const names: string[] = startedOf().flatMap((count, index) => (count === before[index] ? [] : [growing[index] as string]))
    if (historyQuestions.asked > asked) names.push('a question about history')
    if (names.length > 0 && slotOf(costOfRequest(endpoint)) === undefined) found.push(`${endpoint.route}: ${names.join(', ')}`)
  }
  assert.deepEqual(found, [], 'you are here because the endpoint has no `cost` of `heavy` or `walk` (kernel/request/cost.ts)')
})

for (const endpoint of endpoints.filter(({ answers }) => answers.kind === 'page'))
  test(endpoint.route, { skip: isUpdating }, async () => {
    // Once before, for what is cached with the first use: a token's last use, git's long-lived readers. With a length of its own, since
    // pages of history are kept too.
    await costOf(endpoint, 2)
    const one = await costOf(endpoint, 1)
    const many = await costOf(endpoint, ROWS)

    if (short.includes(endpoint.route)) {
      assert.ok(many.rows < ROWS, 'this list has rows enough now: remove it from `short`')
    } else {
      assert.equal(
        many.rows,
        ROWS,
        `you are here because ${endpoint.route} has fewer than ${ROWS} rows to measure: add some to test/derived/fixtures.ts`,
      )
    }
    assert.ok(one.statements.length > 0, 'the statements of a request are recorded')
    // In the order of their texts: which of two that are sent together goes first is chance.
    assert.deepEqual(many.statements.toSorted(), one.statements.toSorted(), 'more rows must not cost more statements')
    assert.equal(many.processes, one.processes, 'more rows must not cost more git processes')
  })

test('the statements of every reading endpoint are what was looked at', async () => {
  const reading = endpoints.filter(({ method, dialect }) => method === 'GET' && dialect.name === 'rest')
  const finding = new Set((await statementsOf(endpoints.find(({ route }) => route === 'GET /version') as Endpoint)).map(laidOut))
  const committed = new Map(
    (await committedGolden('queries.sql')).split(/\n(?=-- )/).map(chapter => [/^-- (.*)/.exec(chapter)?.[1], chapter]),
  )
  const written = new Set([...committed.keys()].filter(route => route !== undefined))
  const chapters: string[] = []
  for (const endpoint of reading.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (isEntryWanted(endpoint.route, written)) {
      const statements = (await statementsOf(endpoint)).map(laidOut).filter(statement => !finding.has(statement))
      chapters.push(`-- ${endpoint.route}\n${statements.map(statement => `${statement};\n`).join('')}`)
    } else chapters.push(committed.get(endpoint.route) as string)
  }
  const title = '-- What the valid request of every reading endpoint asks the database, by an administrator, once the caller is found:\n'
  await assertGolden('queries.sql', `${title}${[...finding].map(statement => `${statement};\n`).join('')}\n${chapters.join('\n')}`)
})

async function statementsOf(endpoint: Endpoint): Promise<string[]> {
  const request = requestFor(world, endpoint, 'admin', 'private')
  return (await recordStatements(() => world.send('admin', request))).statements
}

/** A statement with its clauses on lines of their own. */
const laidOut = (statement: string): string =>
  statement
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ (from|where|order by|limit|union all|inner join|left join) /g, '\n  $1 ')
