/** The program's entry: runs the command line that it was started with. */
import { run } from './cli/program.ts'

process.exitCode = await run(process.argv.slice(2))
