/** Environment variables, `ingot.json` and flags as one typed, frozen object; no other file reads the environment. What is invalid ends the start. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type Tier, tiers } from './kernel/declaration/types.ts'
import { type RateLimits, rateLimits } from './kernel/request/limits.ts'
import { type MailSender, parseSmtpUrl, type SmtpServer, senderOf } from './mail/addresses.ts'
import { type AddressPattern, type ImapMailbox, parseAddressPattern, parseImapUrl } from './mail/incoming/addresses.ts'
import { mistypedIn } from './mistyped_variables.ts'
import { isNetwork } from './networks.ts'
import { parseS3Address, type S3Address } from './object_store/s3/address.ts'
import { Secret } from './secret.ts'
import { flagOf, logLevels, namespaceChoices, type SettingName, settings } from './settings.ts'

export interface Config {
  /** The address to listen on. */
  readonly host: string
  /** The port to listen on; 0 lets the system choose. */
  readonly port: number
  /** The port of the SSH server; 0 lets the system choose, undefined: there is none. */
  readonly sshPort: number | undefined
  /** Where clients reach the SSH server, if its host or port differs from those that the server knows. */
  readonly externalSsh: SshAddress | undefined
  /** The base URL for users and clients, without a trailing slash; undefined: the host of the request is used. */
  readonly externalUrl: string | undefined
  /** Host names, with or without a port, that requests may use and links then contain; in lower case. */
  readonly hosts: readonly string[]
  /** Limit of open connections from one address; 0: none. */
  readonly connectionsPerAddress: number
  /** Limit of open connections; 0: none. */
  readonly connections: number
  /** Seconds that a client may stall in the middle of a request. */
  readonly stallTimeout: number
  /** Seconds for which a server that is stopped goes on serving, without being ready. */
  readonly stopDelay: number
  /** Addresses and networks whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Hosts, addresses and networks that webhooks and imports may reach although they are not public. */
  readonly outboundAllow: readonly string[]
  /** The registry whose images groups keep after a pull, without a trailing slash; undefined: none. */
  readonly dependencyProxyUrl: string | undefined
  /** Megabytes of images of that registry that each group keeps; 0 for any number. */
  readonly dependencyProxySize: number
  /** Absolute path of the folder that holds all data of Ingot. */
  readonly dataDir: string
  /** An external PostgreSQL server; undefined: the embedded one. */
  readonly databaseUrl: Secret | undefined
  /** Size of this process's connection pool. */
  readonly databasePoolSize: number
  /** Processes that serve requests on the port; of 1 it is the one that does everything else. */
  readonly httpProcesses: number
  /** The bucket for files outside of git; undefined: a folder of the data directory. */
  readonly objectStore: S3Address | undefined
  /** Megabytes of repository archives that are cached. */
  readonly archiveCache: number
  /** Megabytes of packs for fetches that are cached. */
  readonly packCache: number
  readonly tier: Tier
  /** Days between marking a project for deletion and deleting it; 0: it is deleted immediately. */
  readonly deletionDelay: number
  /** Requests per minute; undefined: no limit. */
  readonly rateLimit: RateLimits | undefined
  /** May administrators act as others in the browser, and make and use impersonation tokens (document 1, Authentication rule 5)? */
  readonly impersonationEnabled: boolean
  /** Is the gallery of the pages' components shown? */
  readonly componentGallery: boolean
  readonly logLevel: (typeof logLevels)[number]
  readonly rootPassword: Secret | undefined
  readonly rootToken: Secret | undefined
  /** 64 hex digits, followed by former keys after commas; undefined: generated once and kept in the data directory. */
  readonly secretKey: Secret | undefined
  /** The registration token for instance runners; undefined: generated when it is first needed. */
  readonly runnersRegistrationToken: Secret | undefined
  /** What Prometheus reads the metrics with; undefined: administrators alone read them. */
  readonly metricsToken: Secret | undefined
  /** Encrypts backups. */
  readonly backupPassphrase: Secret | undefined
  /** Seconds that a runner's request for a job waits when there is none; 0: it is answered immediately. */
  readonly runnerWait: number
  /** Does a built-in runner run jobs on this machine? */
  readonly builtinRunner: boolean
  readonly runnerNamespaces: (typeof namespaceChoices)[number]
  readonly runnerContainers: (typeof namespaceChoices)[number]
  /** What takes mails; undefined: none are sent, and the last ones are kept. */
  readonly smtpUrl: SmtpServer | undefined
  /** Who mails are from; undefined: `ingot@` and the host of the external URL. */
  readonly mailFrom: MailSender | undefined
  /** Where answers to mails go; undefined: none are taken. */
  readonly incomingMail: AddressPattern | undefined
  /** The mailbox that they are read from. */
  readonly imapUrl: ImapMailbox | undefined
  /** What a mail service that hands them in proves itself with. */
  readonly incomingMailToken: Secret | undefined
  /** The JSON of the file of sign-in providers, with the values that it takes from the environment; undefined: there are none. */
  readonly providersFile: Secret | undefined
  /** A sorted list of SHA-1 of passwords that nobody may choose; undefined: none. */
  readonly breachedPasswordsFile: string | undefined
  /** A database in MaxMind's form that says where addresses are; undefined: that is not known. */
  readonly placesFile: string | undefined
  /** Public keys of the authorities whose SSH certificates sign in; undefined: none do. */
  readonly sshUserCaFile: string | undefined
  /** What is revoked of those certificates. */
  readonly sshRevokedFile: string | undefined
  /** Where static sites of projects are served; undefined: nowhere. */
  readonly pagesUrl: SitesAddress | undefined
  /** The port that they are served on; 0 lets the system choose, undefined: that of the address. */
  readonly pagesPort: number | undefined
  /** Name servers that are asked for the records of domains of sites, `192.0.2.1:53`; none: those of this machine. */
  readonly pagesNameServers: readonly string[]
  /** Concurrent background jobs; 0: this process runs none. */
  readonly workers: number
  /** The files that it was read from: they may hold secrets. */
  readonly readFrom: readonly string[]
  /** Variables of the environment that are no settings, and nearly the names of some: `INGOT_PROT is no setting: is INGOT_PORT meant?` */
  readonly mistyped: readonly string[]
}

/** Where static sites are served. */
export interface SitesAddress {
  /** As people have it, without a slash at the end: `https://pages.example.net`. */
  readonly url: string
  /** Its host name in lower case; sites are below it. */
  readonly host: string
}

/** Host and port of the SSH server as clients reach it. */
export interface SshAddress {
  readonly host: string
  readonly port: number
}

/** An invalid setting; the message is the line to print. */
export class ConfigError extends Error {}

type Source = Readonly<Record<string, string | undefined>>

const DEFAULT_SSH_PORT = 2222

/** Values by setting name. */
export type Given = Partial<Record<SettingName, string>>

/**
 * Reads the configuration. Flags override the environment, and the environment overrides the file.
 * @param flags values from the command line
 * @param file path of a JSON file; by default `ingot.json` in the working directory, if it exists
 * @param standards defaults that replace the usual ones
 */
export function loadConfig(flags: Given = {}, file?: string, standards: Given = {}): Config {
  // biome-ignore lint/style/noProcessEnv: this is the file that reads it
  const config = parseConfig(process.env, readConfigFile(file), flags, standards)
  return Object.freeze({ ...config, readFrom: [resolve(file ?? STANDARD_FILE), ...config.readFrom] })
}

const STANDARD_FILE = 'ingot.json'

function readConfigFile(file: string | undefined): Given {
  const path = file ?? STANDARD_FILE
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (file === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(`cannot read ${path}: ${(error as Error).message}`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new ConfigError(`${path} is not valid JSON`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new ConfigError(`${path} must hold one JSON object`)
  for (const key of Object.keys(parsed)) if (!(key in settings)) throw new ConfigError(`${path}: there is no setting "${key}"`)
  const strange = Object.entries(parsed).find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))
  if (strange) throw new ConfigError(`${path}: "${strange[0]}" must be a text, a number or a boolean`)
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]))
}

/** Reads the file of providers. `{"env": "NAME"}` stands for the value of that variable, so that the file need not hold secrets. */
function readProviders(path: string, environment: Source, called: string): Secret {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The message of a parser repeats a piece of the file, which may be a secret.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message
    throw new ConfigError(`${called} must be a JSON file that can be read: ${path}: ${reason}`)
  }
  const resolved = JSON.stringify(parsed, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'env') return value
    const { env } = value as { env: unknown }
    const found = typeof env === 'string' ? environment[env] : undefined
    if (!found)
      throw new ConfigError(
        `${called} must be a file whose values are there: ${path} takes one from ${JSON.stringify(env)}, which is not set`,
      )
    return found
  })
  return new Secret(resolved)
}

/** The configuration that these sources give; throws `ConfigError`. */
export function parseConfig(environment: Source, file: Given = {}, flags: Given = {}, standards: Given = {}): Config {
  const text = (name: SettingName): string =>
    flags[name] || environment[settings[name].env] || file[name] || standards[name] || settings[name].standard
  const fileOf = (name: SettingName): string | undefined => (text(name) === '' ? undefined : resolve(text(name)))
  /** The name of the setting in the source that it comes from. */
  const called = (name: SettingName): string =>
    flags[name] ? flagOf(name) : environment[settings[name].env] || !file[name] ? settings[name].env : `"${name}" in the configuration file`
  const wrong = (name: SettingName, want: string): never => {
    throw new ConfigError(`${called(name)} must be ${want}, not ${JSON.stringify(text(name))}`)
  }
  const integer = (name: SettingName, low: number, high: number): number => {
    const value = /^\d{1,9}$/.test(text(name)) ? Number(text(name)) : Number.NaN
    return value >= low && value <= high ? value : wrong(name, `a whole number from ${low} to ${high}`)
  }
  const boolean = (name: SettingName): boolean => {
    const value = text(name).toLowerCase()
    return (
      ['true', '1', 'yes', 'on'].includes(value) || (['false', '0', 'no', 'off'].includes(value) ? false : wrong(name, '`true` or `false`'))
    )
  }
  const oneOf = <V extends string>(name: SettingName, values: readonly V[]): V => {
    const value = text(name) as V
    return values.includes(value) ? value : wrong(name, `one of ${values.join(', ')}`)
  }
  const url = (name: SettingName): string | undefined => {
    const value = text(name).replace(/\/+$/, '')
    if (value === '') return undefined
    const parsed = URL.parse(value)
    // Pages and redirects start at the root, so a path prefix would lead out of Ingot.
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href !== `${parsed.origin}/`)
      return wrong(name, 'a URL that begins with http:// or https:// and has no path')
    return value
  }
  const sshPort = (): number | undefined => {
    if (['off', 'false', 'no'].includes(text('sshPort').toLowerCase())) return undefined
    // With HTTP on any free port, SSH takes any free port too.
    if (text('sshPort') === '') return integer('port', 0, 65_535) === 0 ? 0 : DEFAULT_SSH_PORT
    return integer('sshPort', 0, 65_535)
  }
  const sshAddress = (name: SettingName): SshAddress | undefined => {
    if (text(name) === '') return undefined
    const [, host = '', port = '22'] = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/.exec(text(name)) ?? []
    return host !== '' && Number(port) > 0 && Number(port) <= 65_535
      ? { host, port: Number(port) }
      : wrong(name, 'a host with or without a port, such as `git.example.com:2200`')
  }
  const list = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== '')
  const hosts = (name: SettingName): string[] => {
    const parts = list(name).map(part => part.toLowerCase())
    const form = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/
    return parts.every(part => form.test(part)) ? parts : wrong(name, 'names such as `ingot,git.example.com:8080`')
  }
  const networks = (name: SettingName): string[] => {
    const parts = list(name)
    return parts.every(isNetwork) ? parts : wrong(name, 'addresses or networks such as `127.0.0.1,10.0.0.0/8`')
  }
  const secret = (name: SettingName, form: RegExp, want: string): Secret | undefined => {
    const value = text(name)
    if (value === '' || form.test(value)) return value === '' ? undefined : new Secret(value)
    // These values are secrets or contain one, so the message omits the value.
    throw new ConfigError(`${called(name)} must be ${want}`)
  }
  const sites = (): SitesAddress | undefined => {
    const address = url('pagesUrl')?.toLowerCase()
    if (address === undefined) return undefined
    const { hostname: host } = new URL(address)
    // Each group has a name below it, which no address has.
    if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return wrong('pagesUrl', 'the address of a host by its name')
    return { url: address, host }
  }
  const nameServers = (name: SettingName): string[] => {
    const parts = list(name)
    const isOne = (part: string): boolean => {
      const [, bracketed, plain = '', port = '53'] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(part) ?? []
      return isIP(bracketed ?? plain) !== 0 && Number(port) > 0 && Number(port) <= 65_535
    }
    return parts.every(part => isIP(part) !== 0 || isOne(part)) ? parts : wrong(name, 'addresses such as `192.0.2.1,[2001:db8::1]:5353`')
  }
  const bucket = (name: SettingName): S3Address | undefined => {
    const address = text(name) === '' ? undefined : parseS3Address(text(name))
    if (address || text(name) === '') return address
    // It contains a secret, so the message omits the value.
    throw new ConfigError(`${called(name)} must be an address such as s3://key:secret@s3.example.com/bucket?region=eu-central-1`)
  }
  /** A server of mail; its address contains a secret, so the message omits the value. */
  const server = <T>(name: SettingName, parse: (text: string) => T | undefined, example: string): T | undefined => {
    const parsed = text(name) === '' ? undefined : parse(text(name))
    if (parsed || text(name) === '') return parsed
    throw new ConfigError(`${called(name)} must be an address such as ${example}`)
  }

  return Object.freeze({
    host: text('host'),
    port: integer('port', 0, 65_535),
    sshPort: sshPort(),
    externalSsh: sshAddress('externalSsh'),
    externalUrl: url('externalUrl'),
    hosts: hosts('hosts'),
    connectionsPerAddress: integer('connectionsPerAddress', 0, 1_000_000),
    connections: integer('connections', 0, 1_000_000),
    stallTimeout: integer('stallTimeout', 1, 3600),
    stopDelay: integer('stopDelay', 0, 300),
    trustedProxies: networks('trustedProxies'),
    outboundAllow: list('outboundAllow'),
    dependencyProxyUrl: text('dependencyProxyUrl') === 'off' ? undefined : url('dependencyProxyUrl'),
    dataDir: resolve(text('dataDir')),
    // Not parsed further: addresses of Unix sockets (`postgres://user@/name?host=/run/postgresql`) are not valid URLs.
    databaseUrl: secret('databaseUrl', /^postgres(ql)?:\/\/\S+$/, 'an address that begins with postgres:// or postgresql://'),
    databasePoolSize: integer('databasePoolSize', 4, 500),
    httpProcesses: text('httpProcesses') === '' ? Math.max(1, availableParallelism() - 1) : integer('httpProcesses', 1, 64),
    objectStore: bucket('objectStore'),
    dependencyProxySize: integer('dependencyProxySize', 0, 1_000_000_000),
    archiveCache: integer('archiveCache', 0, 10_000_000),
    packCache: integer('packCache', 0, 10_000_000),
    tier: oneOf('tier', tiers),
    deletionDelay: integer('deletionDelay', 0, 90),
    rateLimit: rateLimits(text('rateLimit'), () => wrong('rateLimit', '`on`, `off` or limits such as `anonymous=600,authenticated=60000`')),
    componentGallery: boolean('componentGallery'),
    impersonationEnabled: boolean('impersonationEnabled'),
    logLevel: oneOf('logLevel', logLevels),
    rootPassword: secret('rootPassword', /^.{8,128}$/s, 'a password of 8 to 128 characters'),
    rootToken: secret('rootToken', /^[A-Za-z0-9_.-]{20,255}$/, '20 to 255 characters of A-Z a-z 0-9 _ . -'),
    secretKey: secret('secretKey', /^[0-9a-f]{64}(,[0-9a-f]{64})*$/i, '64 hex digits'),
    runnersRegistrationToken: secret('runnersRegistrationToken', /^[A-Za-z0-9_.-]{8,255}$/, '8 to 255 characters of A-Z a-z 0-9 _ . -'),
    backupPassphrase: secret('backupPassphrase', /^.{12,}$/, '12 characters or more'),
    metricsToken: secret('metricsToken', /^[A-Za-z0-9._~+/=-]{20,255}$/, '20 to 255 characters of A-Z a-z 0-9 . _ ~ + / = -'),
    // Runners give up after ten minutes.
    runnerWait: integer('runnerWait', 0, 500),
    builtinRunner: boolean('builtinRunner'),
    runnerNamespaces: oneOf('runnerNamespaces', namespaceChoices),
    runnerContainers: oneOf('runnerContainers', namespaceChoices),
    smtpUrl: server<SmtpServer>('smtpUrl', parseSmtpUrl, 'smtp://user:password@mail.example.com:587'),
    mailFrom:
      text('mailFrom') === ''
        ? undefined
        : (senderOf(text('mailFrom')) ?? wrong('mailFrom', 'a sender such as `Ingot <ingot@example.com>`')),
    incomingMail:
      text('incomingMail') === ''
        ? undefined
        : (parseAddressPattern(text('incomingMail')) ?? wrong('incomingMail', 'an address such as `incoming+%{key}@example.com`')),
    imapUrl: server<ImapMailbox>('imapUrl', parseImapUrl, 'imaps://user:password@mail.example.com/INBOX'),
    incomingMailToken: secret('incomingMailToken', /^[A-Za-z0-9._~+/=-]{20,255}$/, '20 to 255 characters of A-Z a-z 0-9 . _ ~ + / = -'),
    providersFile: text('providersFile') === '' ? undefined : readProviders(text('providersFile'), environment, called('providersFile')),
    breachedPasswordsFile: fileOf('breachedPasswordsFile'),
    placesFile: fileOf('placesFile'),
    sshUserCaFile: fileOf('sshUserCaFile'),
    sshRevokedFile: fileOf('sshRevokedFile'),
    pagesUrl: sites(),
    pagesPort: text('pagesPort') === '' ? undefined : integer('pagesPort', 0, 65_535),
    pagesNameServers: nameServers('pagesNameServers'),
    workers: integer('workers', 0, 64),
    readFrom: text('providersFile') === '' ? [] : [resolve(text('providersFile'))],
    mistyped: mistypedIn(environment),
  })
}

/** Paths inside the data directory. */
export const places = (config: Config) => ({
  repositories: join(config.dataDir, 'repositories'),
  uploads: join(config.dataDir, 'tmp', 'uploads'),
  archives: join(config.dataDir, 'tmp', 'archives'),
  packs: join(config.dataDir, 'tmp', 'packs'),
  transfers: join(config.dataDir, 'tmp', 'transfers'),
  objects: join(config.dataDir, 'objects'),
  database: join(config.dataDir, 'postgresql'),
  secretKey: join(config.dataDir, 'secret.key'),
  sshHostKey: join(config.dataDir, 'ssh_host_ed25519_key'),
  rootCredentials: join(config.dataDir, 'root-credentials.json'),
  runner: join(config.dataDir, 'runner'),
  unfinishedRestore: join(config.dataDir, 'restore-unfinished'),
  lastBackup: join(config.dataDir, 'last-backup.json'),
})

/**
 * The store that `ingot objects move` takes files from, `INGOT_FORMER_OBJECT_STORE`; undefined: the folder of the data directory.
 * @throws ConfigError
 */
export function formerObjectStore(): S3Address | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file that reads it
  const text = process.env.INGOT_FORMER_OBJECT_STORE
  const address = text ? parseS3Address(text) : undefined
  // It contains a secret, so the message omits the value.
  if (text && !address)
    throw new ConfigError('INGOT_FORMER_OBJECT_STORE must be an address such as s3://key:secret@s3.example.com/bucket?region=eu-central-1')
  return address
}
