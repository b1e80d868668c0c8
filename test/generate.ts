/** `npm run generate`, second half: the tests that compare golden files write them instead. */
import { join } from 'node:path'
import { type RunOptions, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { updateVariable } from './golden.ts'

const comparing = ['derived/access', 'derived/openapi', 'derived/plans', 'derived/queries', 'documents', 'dependencies']

// biome-ignore lint/style/noProcessEnv: the way from here to the tests
process.env[updateVariable] = '1'
// The library's types do not know of the global setup yet.
const options: RunOptions & { globalSetupPath: string } = {
  files: comparing.map(name => join(import.meta.dirname, `${name}.test.ts`)),
  concurrency: true,
  globalSetupPath: join(import.meta.dirname, 'setup.ts'),
}
run(options)
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)
