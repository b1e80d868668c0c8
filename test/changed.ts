/** Which tests a change touches: `npm test -- --changed`. */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Read declarations and sources without trying anything out: seconds, whatever has changed. */
const ALWAYS = /^test\/(derived\/(structure|openapi|answers)|documents|dependencies)\.test\.ts$/

/** Files that say who may do what, or which statements a list takes. */
const DECLARING = /^src\/.*\/(endpoints|pages|scope|entity|abilities|queries)\b/

/** What tries the declarations out: minutes. */
const TRYING = /^test\/derived\/(access|queries|hot_requests)\.test\.ts$/

/** The files that differ from the branch `main` (from the last commit where there is no such branch), committed or not, by their paths from `root`. */
export async function changedFiles(root: string): Promise<string[]> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.split('\n').filter(line => line !== '')
  const [base = 'HEAD'] = await git('merge-base', 'HEAD', 'main').catch(() => [])
  return [...(await git('diff', '--name-only', base)), ...(await git('ls-files', '--others', '--exclude-standard'))]
}

/**
 * Those of the tests that a change concerns: the tests of the changed folders, and the derived ones that look at all of them. What other
 * folders do with these is left to the whole run.
 * @param tests paths of all test files
 * @param changed paths of the changed files; one that all tests are run with makes it all tests
 */
export function testsConcerning(tests: readonly string[], changed: readonly string[]): string[] {
  if (changed.some(file => dirname(file) === 'test' && !file.endsWith('.test.ts'))) return [...tests]
  const folders = new Set(changed.filter(file => file.startsWith('src/')).map(file => nearestTested(dirname(file), tests)))
  const isDeclaring = changed.some(file => DECLARING.test(file))
  return tests.filter(
    test =>
      changed.includes(test) ||
      (changed.length > 0 && ALWAYS.test(test)) ||
      (isDeclaring && TRYING.test(test)) ||
      [...folders].some(folder => test.startsWith(`${folder}/`)),
  )
}

/** The folder itself, or the first above it that has tests. */
function nearestTested(folder: string, tests: readonly string[]): string {
  const isTested = tests.some(test => test.startsWith(`${folder}/`))
  return isTested || !folder.includes('/') ? folder : nearestTested(dirname(folder), tests)
}
