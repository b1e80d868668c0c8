/**
 * `npm run generate`, second half: the tests that compare golden files write them instead. What follows from the declarations and the documents
 * alone takes seconds. What has to be tried out, on a database, is made for endpoints that are new; `npm run generate -- badges` makes the
 * entries of the routes with that word, and `npm run generate -- all` everything, plans of statements too.
 */
import { join } from 'node:path'
import { type RunOptions, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { endpoints } from '../src/server/endpoints.ts'
import { attributesOf, rowsOf, titleOf } from './derived/titles.ts'
import { committedGolden, updateVariable } from './golden.ts'

const declared = [
  'derived/openapi',
  'derived/patterns',
  'documents',
  'dependencies',
  '../src/server/worlds/worlds',
  '../src/portal/graphql/schema',
]
const byEndpoint = ['derived/examples_of_answers', 'derived/access', 'derived/queries']
const whole = ['derived/plans', 'derived/mails']

const [wanted = 'new'] = process.argv.slice(2)
// biome-ignore lint/style/noProcessEnv: the way from here to the tests
process.env[updateVariable] = wanted

/** Whether the table of access has other rows than there are endpoints. */
async function hasOtherEndpoints(): Promise<boolean> {
  const written = rowsOf(await committedGolden('access.txt'))
  const titles = new Set([...endpoints.map(titleOf), ...attributesOf(endpoints).map(({ title }) => title)])
  return new Set(written.keys()).symmetricDifference(titles).size > 0
}

async function write(names: readonly string[], setup: { globalSetupPath?: string }): Promise<void> {
  // The library's types do not know of the global setup yet.
  const options: RunOptions & { globalSetupPath?: string } = {
    files: names.map(name => join(import.meta.dirname, `${name}.test.ts`)),
    concurrency: true,
    ...setup,
  }
  const results = run(options).on('test:fail', () => {
    process.exitCode = 1
  })
  for await (const text of results.compose(new spec())) process.stdout.write(text)
}

const tried = wanted === 'all' ? [...byEndpoint, ...whole] : wanted !== 'new' || (await hasOtherEndpoints()) ? byEndpoint : []
if (tried.length > 0) await write(tried, { globalSetupPath: join(import.meta.dirname, 'setup.ts') })
// Last, because the description shows the examples.
await write(declared, {})
