/** The program `ingot`: its commands and their options. The code of a command is loaded when it runs. */
import cluster from 'node:cluster'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { namespaceChoices } from '../../platform/settings.ts'
import { version } from '../../platform/system/version.ts'
import type { ImportOptions } from '../migration/command.ts'
import { assertStartable } from '../setup/before_start.ts'
import { report } from './failures.ts'
import type { RunnerOptions } from './runner.ts'
import type { ServeOptions } from './serve.ts'
import { configFrom, type SettingOptions, withSettings } from './settings.ts'

/**
 * Runs one command line.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return report(error)
  }
}

/** The commands with their options. */
export function program(): Command {
  const ingot = new Command('ingot')
    .description('A whole software-development platform in one program, behind the v4 REST API')
    .version(version)
    .exitOverride()

  withSettings(ingot.command('start'))
    .description('Start the server')
    .option('--ephemeral', 'Keep everything in a temporary folder that is gone at exit, on a free port unless one is given')
    .option('--json', 'Print one line of JSON instead of words: url, username, password, token, people, pid')
    .option('--world <file>', 'With --ephemeral: begin with the people, groups and projects of this YAML file')
    .option('--record <file>', 'With --ephemeral: add each request that clients make to this file, one JSON a line')
    .addOption(new Option('--attached', 'With --ephemeral: end with standard input').hideHelp())
    .action(async (options: SettingOptions & ServeOptions) => {
      const standards = options.ephemeral ? { port: '0', sshPort: '0', componentGallery: 'true' } : {}
      const config = configFrom(options, standards)
      // Before the program is loaded, which takes some seconds on a busy machine.
      if (!options.ephemeral && cluster.isPrimary) await assertStartable(config)
      const { serve } = await import('./serve.ts')
      await serve(config, options)
    })

  withSettings(ingot.command('doctor'))
    .description('Check the settings as a start would use them: ports, folders, database, files, mail, sign-in, addresses')
    .option('--json', 'Print one line of JSON: findings with check, outcome, says and remedy')
    .action(async (options: SettingOptions & { json?: true }) => {
      const { doctor } = await import('../doctor/command.ts')
      await doctor(options)
    })

  withSettings(ingot.command('routes'))
    .description('Print METHOD /path for every endpoint that is served')
    .option('--against <file>', 'Print the calls in a file, METHOD /path a line, that are not served')
    .action(async (options: SettingOptions & { against?: string }) => {
      const { printRoutes } = await import('./routes.ts')
      await printRoutes(options)
    })

  withSettings(ingot.command('seed'))
    .description('Fill the instance with a demo world')
    .addOption(new Option('--size <size>', 'How much of it').choices(['small', 'large']).default('small'))
    .action(async (options: SettingOptions & { size: 'small' | 'large' }) => {
      const { seed } = await import('./seed/seed.ts')
      await seed(options)
    })

  const several = (path: string, before: readonly string[]) => [...before, path]
  withSettings(ingot.command('import'))
    .description('Migrate groups and projects from another server of this API, and wait until they are here')
    .requiredOption('--from <url>', 'Address of the other server')
    .option('--token-file <file>', 'File with a token for it, with the scope `api`')
    .option('--token <token>', 'The token itself, which other users of this machine may see')
    .option('--group <path>', 'Full path of a group there, with all that is below it; may be given several times', several, [])
    .option('--project <path>', 'Full path of a project there; may be given several times', several, [])
    .option('--into <group>', 'Full path of the group here; the top, or the user’s own namespace for projects, unless given', '')
    .option('--as <username>', 'Who imports: an administrator keeps authors and members by their addresses', 'root')
    .option('--resume', 'Go on with the latest import from that server: what was stopped, and what has failed')
    .action(async (options: SettingOptions & ImportOptions) => {
      const { importFrom } = await import('../migration/command.ts')
      await importFrom(options)
    })

  withSettings(ingot.command('backup'))
    .description('Write one archive of the database, repositories, files and keys, also while the server runs')
    .argument('<file>', 'A file that does not exist yet, or an object in a bucket: s3://host/bucket/name')
    .option('--since <backup>', 'Write only what this earlier backup, and those that it builds on, do not have')
    .option('--passphrase-file <file>', 'File with the passphrase that encrypts it, instead of INGOT_BACKUP_PASSPHRASE')
    .action(async (file: string, options: SettingOptions & { passphraseFile?: string; since?: string }) => {
      const { runBackup } = await import('../backup/commands.ts')
      await runBackup(file, options)
    })

  withSettings(ingot.command('restore'))
    .description('Restore a backup into a data folder that does not exist yet')
    .argument('<file>', 'What `ingot backup` wrote')
    .argument('[earlier...]', 'Backups that it builds on, where they are not beside it')
    .option('--passphrase-file <file>', 'File with the passphrase of the backup, instead of INGOT_BACKUP_PASSPHRASE')
    .action(async (file: string, earlier: string[], options: SettingOptions & { passphraseFile?: string }) => {
      const { runRestore } = await import('../backup/commands.ts')
      await runRestore(file, earlier, options)
    })

  withSettings(ingot.command('verify'))
    .description('Read a backup and those that it builds on from end to end, and say whether they are whole')
    .argument('<file>', 'What `ingot backup` wrote')
    .argument('[earlier...]', 'Backups that it builds on, where they are not beside it')
    .option('--passphrase-file <file>', 'File with the passphrase of the backup, instead of INGOT_BACKUP_PASSPHRASE')
    .action(async (file: string, earlier: string[], options: SettingOptions & { passphraseFile?: string }) => {
      const { runVerify } = await import('../backup/commands.ts')
      await runVerify(file, earlier, options)
    })

  const backups = ingot.command('backups').description('Look after the archives of `ingot backup`')
  withSettings(backups.command('list'))
    .description('Say what a folder has of backups: names, sizes, instants, and which builds on which')
    .argument('<folder>', 'A folder, or a part of a bucket: s3://host/bucket/folder')
    .option('--json', 'Print one line of JSON instead of a table')
    .option('--passphrase-file <file>', 'File with the passphrase of the backups, instead of INGOT_BACKUP_PASSPHRASE')
    .action(async (folder: string, options: SettingOptions & { passphraseFile?: string; json?: true }) => {
      const { runList } = await import('../backup/commands.ts')
      await runList(folder, options)
    })
  withSettings(backups.command('merge'))
    .description('Make a backup and those that it builds on into one that stands alone')
    .argument('<last>', 'What `ingot backup --since` wrote')
    .argument('<file>', 'A file that does not exist yet, or an object in a bucket')
    .argument('[earlier...]', 'Backups that the last one builds on, where they are not beside it')
    .option('--passphrase-file <file>', 'File with the passphrase of the backups, instead of INGOT_BACKUP_PASSPHRASE')
    .action(async (last: string, file: string, earlier: string[], options: SettingOptions & { passphraseFile?: string }) => {
      const { runMerge } = await import('../backup/commands.ts')
      await runMerge(last, file, earlier, options)
    })

  withSettings(ingot.command('upgrade'))
    .description('Bring the database of a stopped instance to this version, as a start does; with --check, try whether that will work')
    .option('--check', 'Change nothing: migrate a copy of all rows, also while an older server runs')
    .option('--json', 'With --check: print one line of JSON instead of a table')
    .action(async (options: SettingOptions & { check?: true; json?: true }) => {
      const { checkUpgrade, upgrade } = await import('../upgrade/command.ts')
      await (options.check ? checkUpgrade(options) : upgrade(options))
    })

  withSettings(ingot.command('status'))
    .description('Version, migrations, background jobs, room on the disk, and the last backup')
    .option('--json', 'Print one line of JSON instead of words')
    .action(async (options: SettingOptions & { json?: true }) => {
      const { printStatus } = await import('../backup/status.ts')
      await printStatus(options)
    })

  withSettings(ingot.command('check'))
    .description('Look whether database, repositories and files are whole and fit together, also while the server runs')
    .option('--mend', 'Make right what can be made right without a loss')
    .option('--digests', 'Read all files, and compare their digests')
    .option('--json', 'Print one line of JSON instead of a table')
    .action(async (options: SettingOptions & { mend?: true; digests?: true; json?: true }) => {
      const { check } = await import('../check/command.ts')
      await check(options)
    })

  const world = ingot.command('world').description('Check the files of worlds for tests')
  world
    .command('check')
    .description('Say what is wrong with a file')
    .argument('<file>')
    .action(async (file: string) => {
      const { checkWorld } = await import('../worlds/command.ts')
      await checkWorld(file)
    })
  world
    .command('schema')
    .description('Print the JSON schema of such files')
    .action(async () => {
      const { printWorldSchema } = await import('../worlds/command.ts')
      printWorldSchema()
    })

  withSettings(ingot.command('why'))
    .description('Say what decides whether a user may do something')
    .argument('<user>', 'Username, or "anonymous"')
    .argument('<ability>', 'As in the handbook’s tables of permissions')
    .argument('[place]', 'Full path of the project or group, or another username')
    .action(async (user: string, ability: string, place: string | undefined, options: SettingOptions) => {
      const { why } = await import('./why.ts')
      await why(user, ability, place, options)
    })

  ingot
    .command('runner')
    .description('Run the jobs of an instance on this machine, as the user that starts it')
    .option('--url <url>', 'Address of the instance', 'http://127.0.0.1:8080')
    .option('--token-file <file>', 'File with a registration token or the token of a runner, instead of INGOT_RUNNER_TOKEN')
    .option('--concurrency <number>', 'Concurrent jobs', '4')
    .option(
      '--builds-dir <folder>',
      'Where jobs have their folders, caches are kept, and the token of the runner',
      join(homedir(), '.ingot-runner'),
    )
    .option('--tags <tags>', 'Tags of the runner, with commas, when it registers', '')
    .option('--description <text>', 'What the runner is called when it registers')
    .option('--run-as <uid:gid>', 'Give up root for this user before the first job; the token of the runner stays out of its reach')
    .addOption(
      new Option(
        '--namespaces <when>',
        'Keep jobs apart from the machine and from each other, by bubblewrap: where that works, always, or never',
      )
        .choices(namespaceChoices)
        .default('auto'),
    )
    .addOption(
      new Option(
        '--containers <when>',
        'Run jobs that name an image in containers, by podman or docker: where that works, always, or never',
      )
        .choices(namespaceChoices)
        .default('auto'),
    )
    .addOption(new Option('--hide <path...>', 'Folders and files of which jobs in namespaces see nothing').hideHelp())
    .addOption(new Option('--attached', 'Take the token from standard input, and end with it').hideHelp())
    .action(async (options: RunnerOptions) => {
      const { runRunner } = await import('./runner.ts')
      await runRunner(options)
    })

  const objects = ingot.command('objects').description('Look after the files outside of git')
  withSettings(objects.command('move'))
    .description(
      'Copy all files into the object store of the settings, from the one of INGOT_FORMER_OBJECT_STORE (empty: the folder of the data directory)',
    )
    .option('--delete-old', 'Delete in the former store what the new one has, and copy nothing')
    .action(async (options: SettingOptions & { deleteOld?: true }) => {
      const { moveObjects } = await import('../objects/command.ts')
      await moveObjects(options)
    })

  const admin = ingot.command('admin').description('Look after an instance')
  withSettings(admin.command('reset-password'))
    .description('Give a user a new password and end their sessions')
    .argument('<username>')
    .option('--stdin', 'Read the new password from standard input instead of making one')
    .action(async (username: string, options: SettingOptions & { stdin?: true }) => {
      const { resetPassword } = await import('./accounts.ts')
      await resetPassword(username, options)
    })
  withSettings(admin.command('make-administrator'))
    .description('Make a user an administrator, and their account active')
    .argument('<username>')
    .action(async (username: string, options: SettingOptions) => {
      const { makeAdministrator } = await import('./accounts.ts')
      await makeAdministrator(username, options)
    })
  withSettings(admin.command('renew-secrets'))
    .description('Encrypt all secrets with the present key, so that former ones are no longer needed')
    .action(async (options: SettingOptions) => {
      const { renewSecrets } = await import('./renew_secrets.ts')
      await renewSecrets(options)
    })
  withSettings(admin.command('rotate-signing-key'))
    .description('Sign id tokens with a new key; the former one is published until no token that it has signed lives')
    .action(async (options: SettingOptions) => {
      const { rotateKey } = await import('./rotate_signing_key.ts')
      await rotateKey(options)
    })

  return ingot
}
