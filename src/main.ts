/** The program's entry: runs the command line that it was started with. */
import { run } from './server/cli/program.ts'

// What goes wrong is said in one line and in the log; the queue's library also prints some failures, which it logs, with their traces.
console.trace = () => {}

process.exitCode = await run(process.argv.slice(2))
