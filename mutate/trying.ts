/**
 * The program of a process that runs test files: with a mutant (`loading.ts`), or to find what of the sources they run. Its arguments are an empty
 * folder for notes, a file for the coverage (`-` where none is wanted), and the test files.
 */
import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { runTogether } from '../test/together.ts'

const [claims = '', coverage = '-', ...files] = process.argv.slice(2)

const session = coverage === '-' ? undefined : new Session()
session?.connect()
await session?.post('Profiler.enable')
await session?.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
await runTogether(files, claims)
if (session) {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await writeFile(coverage, JSON.stringify(result.filter(({ url }) => url.includes('/src/'))))
}
