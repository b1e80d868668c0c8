/** How a command that fails says so: one line on stderr, and an exit code that scripts can rely on. */
import { CommanderError } from 'commander'
import { ConfigError } from '../../platform/config.ts'

/** The exit codes of the program. */
export const exitCodes = { done: 0, failed: 1, misconfigured: 2 } as const

/** A failure that its message explains; nothing is wrong with the program. */
export class CommandFailure extends Error {}

/** Says what went wrong, unless it has been said, and returns the exit code. */
export function report(error: unknown): number {
  // Commander has written its own line, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misconfigured
  const message = error instanceof Error ? error.message || error.name : String(error)
  process.stderr.write(`ingot: ${message.replaceAll(/\s*\n\s*/g, ' ')}${isMissingPackage(error) ? ': run npm ci' : ''}\n`)
  return error instanceof ConfigError ? exitCodes.misconfigured : exitCodes.failed
}

/** Is a dependency missing? After an update they are installed again. */
const isMissingPackage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package')
