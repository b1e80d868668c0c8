/** `ingot doctor`: checks a configuration as a start would use it, and says of each part whether it will work and what to do. */
import { openLog } from '../../platform/log.ts'
import { CommandFailure } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { checkStorage } from './database.ts'
import { type Finding, lineOf } from './finding.ts'
import { checkDataFolder, checkPorts, checkPrograms } from './machine.ts'
import { checkExternalUrl, checkMail, checkProviders, checkSettings } from './network.ts'
import { checkRunner } from './runner.ts'

/** Runs all checks and prints what they found. @throws CommandFailure where something is wrong */
export async function doctor(options: SettingOptions & { readonly json?: true }): Promise<void> {
  const config = configFrom(options)
  // What the parts log of a failure is what the finding says.
  const log = openLog('silent')
  const now = () => new Date()
  const findings = (
    await Promise.all([
      checkSettings(config),
      checkPrograms(),
      checkPorts(config),
      checkDataFolder(config),
      checkStorage(config, log),
      checkMail(config),
      checkProviders(config, now),
      checkExternalUrl(config, now),
      checkRunner(config),
    ])
  ).flat()
  process.stdout.write(options.json ? `${JSON.stringify({ findings })}\n` : tableOf(findings))
  const count = (outcome: Finding['outcome']) => findings.filter(finding => finding.outcome === outcome).length
  if (count('wrong') > 0) throw new CommandFailure(`${count('wrong')} of ${findings.length} checks found something wrong`)
  const warnings = count('warning')
  const also = warnings > 0 ? `; ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}` : ''
  if (!options.json) process.stdout.write(`Ingot can start${also}\n`)
}

function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings.map(finding => lineOf(finding, width)).join('')
}
