/**
 * `npm run bench -- stall`: what holds the event loop longest. It needs no load and no other server: requests go to an application in the
 * process that measures, in the worlds of the tests.
 */
import { join, resolve } from 'node:path'
import { type RunOptions, run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Measures, one file after the other, and says what took longest; false where something holds the loop too long. */
export async function measureStalls(): Promise<boolean> {
  const root = resolve(import.meta.dirname, '../..')
  // The library's types do not know of the global setup yet.
  const options: RunOptions & { globalSetupPath: string } = {
    files: ['endpoints.ts', 'large.ts'].map(file => join(import.meta.dirname, file)),
    concurrency: 1,
    globalSetupPath: join(root, 'test', 'setup.ts'),
    execArgv: ['--import', join(root, 'test', 'following.ts')],
    cwd: root,
  }
  let isGood = true
  const results = run(options).on('test:fail', () => {
    isGood = false
  })
  for await (const text of results.compose(new spec())) process.stdout.write(text)
  return isGood
}
