/** `ingot check`: looks whether an instance is whole, while it is used or stopped. */
import { ConfigError } from '../../platform/config.ts'
import { isBackupRunning } from '../../platform/db/migrating/backup_lock.ts'
import { migrationState } from '../../platform/db/migrating/migrate.ts'
import { openLog } from '../../platform/log.ts'
import { CommandFailure } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { type Finding, lineOf } from '../doctor/finding.ts'
import { openInstance } from '../setup/instance.ts'
import { checkInstance, widestCheck } from './check.ts'

export interface CheckCommandOptions extends SettingOptions {
  readonly mend?: true
  readonly digests?: true
  readonly json?: true
}

/** Runs all checks, and prints each as it ends. @throws CommandFailure where something is wrong and was not mended */
export async function check(options: CheckCommandOptions): Promise<void> {
  const config = configFrom(options)
  // What is mended stands in the table.
  const log = openLog('error')
  const instance = await openInstance({ config, log, shared: true, existing: true, asItIs: true })
  try {
    const { database } = instance.deps
    const { pending, unknown } = await migrationState({ url: database.url, log })
    if (pending.length + unknown.length > 0)
      throw new ConfigError('the database has the form of another version: start the server of this version first, or check with that one')
    if (options.mend && (await isBackupRunning(database.db))) throw new CommandFailure('a backup is being made: mend when it has ended')
    const findings: Finding[] = []
    for await (const finding of checkInstance(instance.deps, { mend: options.mend === true, digests: options.digests === true })) {
      findings.push(finding)
      if (!options.json) process.stdout.write(lineOf(finding, widestCheck))
    }
    if (options.json) process.stdout.write(`${JSON.stringify({ findings })}\n`)
    const wrong = findings.filter(({ outcome }) => outcome === 'wrong').length
    if (wrong > 0) throw new CommandFailure(`${wrong} of ${findings.length} checks found something wrong`)
    if (!options.json) process.stdout.write('The instance is whole\n')
  } finally {
    await instance.close()
  }
}
