/** The program's entry: runs the command line that it was started with. */
import { run } from './server/cli/program.ts'

// What goes wrong is said in one line and in the log; the queue's library also prints some failures, which it logs, with their traces.
console.trace = () => {}

// The reader of a pipe may end first, as `head` does: what is left to be said is not said, and that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await run(process.argv.slice(2))
