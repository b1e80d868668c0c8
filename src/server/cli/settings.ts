/** The settings as flags: every command that opens an instance takes them. */
import { type Command, Option } from 'commander'
import { type Config, type Given, loadConfig } from '../../platform/config.ts'
import { flagOf, type SettingName, settings } from '../../platform/settings.ts'

/** What commander read of the flags below. */
export type SettingOptions = Given & { readonly config?: string }

const names = (Object.keys(settings) as SettingName[]).filter(name => !('secret' in settings[name]))

/** Adds a flag for each setting that is not a secret, and `--config`: in the help they come after the options of the command itself. */
export function withSettings(command: Command): Command {
  command.option('--config <file>', 'Read settings from this JSON file instead of ingot.json')
  for (const name of names)
    command.addOption(
      new Option(
        `${flagOf(name)} ${'isSwitch' in settings[name] ? '[value]' : '<value>'}`,
        `${settings[name].says} (${settings[name].env})`,
      ).helpGroup('Settings of the instance:'),
    )
  return command
}

/**
 * The configuration that flags, environment and file give.
 * @throws ConfigError
 */
export function configFrom(options: SettingOptions, standards: Given = {}): Config {
  const given = names.map(name => [name, options[name]] as const).filter(([, value]) => value !== undefined)
  // A switch without a value is on.
  const flags = Object.fromEntries(given.map(([name, value]) => [name, String(value)])) as Given
  return loadConfig(flags, options.config, standards)
}
