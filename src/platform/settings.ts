/** The settings as people write them: in the environment, in `ingot.json` and as flags. */

/** How much the log says. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** When jobs run in namespaces: where they can be made, always, or never. */
export const namespaceChoices = ['auto', 'require', 'off'] as const

/**
 * Every setting: its name in the environment, in `ingot.json` (camel case) and its description. The README's table is generated from it,
 * and `config.ts` reads them.
 */
export const settings = {
  host: { env: 'INGOT_HOST', standard: '127.0.0.1', says: 'Address to listen on' },
  port: { env: 'INGOT_PORT', standard: '8080', says: 'Port to listen on; 0 for any free one' },
  sshPort: {
    env: 'INGOT_SSH_PORT',
    standard: '',
    says: 'Port of the SSH server for git; 0 for any free one, `off` for no SSH. 2222 when empty, or any free one where the port is 0',
  },
  externalSsh: {
    env: 'INGOT_EXTERNAL_SSH',
    standard: '',
    says: 'Host and port that clients use for SSH, `git.example.com` or `git.example.com:2200`, where they differ from the host of each request and the port above',
  },
  externalUrl: {
    env: 'INGOT_EXTERNAL_URL',
    standard: '',
    says: 'Address that clients use, when a proxy stands in front; else the host of each request, if it is known',
  },
  hosts: {
    env: 'INGOT_HOSTS',
    standard: '',
    says: 'Names by which clients know the server besides its address and `localhost`, with commas (`ingot,git.example.com:8080`); links lead to the host of a request only if it is known',
  },
  httpProcesses: {
    env: 'INGOT_HTTP_PROCESSES',
    standard: '',
    says: 'Processes that serve requests on the port. With 1, the process that does everything else does it too. When empty, one less than the machine has processors, 1 at least',
  },
  connectionsPerAddress: {
    env: 'INGOT_CONNECTIONS_PER_ADDRESS',
    standard: '1000',
    says: 'Connections that may be open at a time from one IPv4 address or IPv6 network of 64 bits (idle ones make room for new ones), but for trusted proxies and, with an external URL, this machine; 0 for any number',
  },
  connections: { env: 'INGOT_CONNECTIONS', standard: '4000', says: 'HTTP connections that may be open at a time; 0 for any number' },
  stallTimeout: {
    env: 'INGOT_STALL_TIMEOUT',
    standard: '30',
    says: 'Seconds for the headers of a request, for a body that comes at less than 8 KiB a second, and for a silent client of git over SSH',
  },
  stopDelay: {
    env: 'INGOT_STOP_DELAY',
    standard: '0',
    says: 'Seconds for which a server that is stopped goes on serving while `/-/readiness` answers 503: as long as balancers that ask it need to go elsewhere',
  },
  trustedProxies: {
    env: 'INGOT_TRUSTED_PROXIES',
    standard: '',
    says: 'Addresses or networks (`10.0.0.0/8`), with commas, of proxies that tell the true address of a client in `X-Forwarded-For`',
  },
  outboundAllow: {
    env: 'INGOT_OUTBOUND_ALLOW',
    standard: '',
    says: 'Hosts, addresses or networks (`10.0.0.0/8`), with commas, that webhooks and imports may reach although they are not public',
  },
  dependencyProxyUrl: {
    env: 'INGOT_DEPENDENCY_PROXY_URL',
    standard: 'https://registry-1.docker.io',
    says: 'Registry whose images groups pull through their dependency proxy and keep; `off` for none',
  },
  dependencyProxySize: {
    env: 'INGOT_DEPENDENCY_PROXY_SIZE',
    standard: '20480',
    says: 'Megabytes of images that each group keeps of the registry behind its dependency proxy; what was not pulled for longest makes room. 0 for any number',
  },
  dataDir: { env: 'INGOT_DATA_DIR', standard: './data', says: 'Folder for repositories, uploads, keys and the embedded database' },
  databaseUrl: { env: 'DATABASE_URL', standard: '', says: 'A PostgreSQL server (14 or newer) instead of the embedded one' },
  databasePoolSize: {
    env: 'INGOT_DATABASE_POOL_SIZE',
    standard: '12',
    says: 'Database connections of this process, besides five that listen or hold locks',
  },
  objectStore: {
    env: 'INGOT_OBJECT_STORE',
    standard: '',
    secret: true,
    says: 'An S3-compatible bucket for avatars, uploads, LFS objects and artifacts, `s3://key:secret@host:port/bucket?region=eu-central-1&prefix=ingot&tls=true&path_style=true` (all after `?` may be left out; so may key and secret, which are then found as the tools of Amazon do); else `objects` in the data directory, whose files can be copied into a bucket as they are',
  },
  archiveCache: {
    env: 'INGOT_ARCHIVE_CACHE',
    standard: '1024',
    says: 'Megabytes of archives of repositories that are kept in the data directory for a day, to be sent again; 0 for none',
  },
  packCache: {
    env: 'INGOT_PACK_CACHE',
    standard: '1024',
    says: 'Megabytes of packs that were fetched twice and are kept in the data directory for a day, to be sent again; 0 for none',
  },
  tier: { env: 'INGOT_TIER', standard: 'ultimate', says: '`free`, `premium` or `ultimate`' },
  deletionDelay: {
    env: 'INGOT_DELETION_DELAY',
    standard: '0',
    says: 'Days for which a deleted project or group can be restored (premium); 0: it is deleted immediately',
  },
  rateLimit: {
    env: 'INGOT_RATE_LIMIT',
    standard: 'on',
    says: '`on`, `off`, or requests a minute as `anonymous=600,authenticated=60000,sign_in=30`',
  },
  componentGallery: { env: 'INGOT_COMPONENT_GALLERY', standard: 'false', says: 'Whether `/-/components` shows the parts of pages' },
  impersonationEnabled: { env: 'INGOT_IMPERSONATION_ENABLED', standard: 'true', says: 'Whether administrators may act as other users' },
  logLevel: { env: 'INGOT_LOG_LEVEL', standard: 'warn', says: `One of ${logLevels.join(', ')}` },
  rootPassword: {
    env: 'INGOT_ROOT_PASSWORD',
    standard: '',
    secret: true,
    says: 'Password of `root` on the first start; generated when empty',
  },
  rootToken: {
    env: 'INGOT_ROOT_TOKEN',
    standard: '',
    secret: true,
    says: 'API token of `root` with every scope; generated on the first start when empty',
  },
  secretKey: {
    env: 'INGOT_SECRET_KEY',
    standard: '',
    secret: true,
    says: '64 hex digits that encrypt secrets, and former ones after commas; generated and kept in the data directory when empty',
  },
  runnersRegistrationToken: {
    env: 'INGOT_RUNNERS_REGISTRATION_TOKEN',
    standard: '',
    secret: true,
    says: 'Token with which runners of the instance register; when empty, one that `POST /runners/reset_registration_token` makes and tells',
  },
  metricsToken: {
    env: 'INGOT_METRICS_TOKEN',
    standard: '',
    secret: true,
    says: 'Token with which Prometheus reads `/-/metrics` (`Authorization: Bearer`), 20 characters or more; when empty, only administrators read them',
  },
  backupPassphrase: {
    env: 'INGOT_BACKUP_PASSPHRASE',
    standard: '',
    secret: true,
    says: 'Passphrase that encrypts and opens backups (`ingot backup`, `ingot restore`), 12 characters or more; when empty, the one of `--passphrase-file`, or none',
  },
  runnerWait: {
    env: 'INGOT_RUNNER_WAIT',
    standard: '50',
    says: "Seconds that a runner's request for a job waits when there is none; 0: it is answered immediately",
  },
  builtinRunner: {
    env: 'INGOT_BUILTIN_RUNNER',
    standard: 'off',
    isSwitch: true,
    says: '`on`: jobs run on this machine, as the user that runs Ingot, or started as root as a user without rights; SECURITY.md says what they reach with bubblewrap and without',
  },
  runnerNamespaces: {
    env: 'INGOT_RUNNER_NAMESPACES',
    standard: 'auto',
    says: 'Whether bubblewrap keeps the jobs of that runner apart from the machine and from each other: `auto`, where it is installed and may make namespaces; `require`, or there is no runner; `off`',
  },
  runnerContainers: {
    env: 'INGOT_RUNNER_CONTAINERS',
    standard: 'auto',
    says: 'Whether jobs of that runner that name an `image:` run in containers, with their `services:`, by podman or docker: `auto`, where one of them can start a program; `require`, or there is no runner; `off`',
  },
  smtpUrl: {
    env: 'INGOT_SMTP_URL',
    standard: '',
    secret: true,
    says: 'Server that takes mails, `smtp://user:password@mail.example.com:587` (`smtps://` for TLS from the beginning, `?starttls=required` at the end where nothing is sent without STARTTLS; user and password may be left out, and are sent over TLS alone, or to this machine); needs `INGOT_EXTERNAL_URL`, to which the links in mails lead. When empty no mail is sent, and administrators find the last ones at `/-/mails`',
  },
  mailFrom: {
    env: 'INGOT_MAIL_FROM',
    standard: '',
    says: 'Sender of mails, `Ingot <ingot@example.com>`; else `ingot@` and the host of the external URL',
  },
  incomingMail: {
    env: 'INGOT_INCOMING_MAIL',
    standard: '',
    says: 'Address of the mailbox that takes answers to notifications, with a place for a key, `incoming+%{key}@example.com`; mails come in by `INGOT_IMAP_URL` or `INGOT_INCOMING_MAIL_TOKEN`. When empty, nothing is taken by mail',
  },
  imapUrl: {
    env: 'INGOT_IMAP_URL',
    standard: '',
    secret: true,
    says: 'Mailbox of `INGOT_INCOMING_MAIL`, `imaps://user:password@mail.example.com/INBOX` (`imap://` for STARTTLS; without TLS to this machine alone); user and password are percent-encoded. What was taken is deleted there',
  },
  incomingMailToken: {
    env: 'INGOT_INCOMING_MAIL_TOKEN',
    standard: '',
    secret: true,
    says: 'Token with which a mail service hands mails in at `POST /-/incoming_mail` (`Authorization: Bearer`, or the password of `Basic`), 20 characters or more; when empty, none are taken there',
  },
  providersFile: {
    env: 'INGOT_PROVIDERS_FILE',
    standard: '',
    says: 'A JSON file with the providers that people sign in by: OpenID Connect, SAML, GitHub, another instance of this API, LDAP directories (handbook, “Sign-in by other accounts”)',
  },
  breachedPasswordsFile: {
    env: 'INGOT_BREACHED_PASSWORDS_FILE',
    standard: '',
    says: 'A file with the SHA-1 of passwords that nobody may choose, in hex, one a line, in order (as lists of breached passwords are published); it is searched on this machine, and nothing is sent',
  },
  placesFile: {
    env: 'INGOT_PLACES_FILE',
    standard: '',
    says: 'A file that says where addresses are, in the form of MaxMind’s databases (`.mmdb`, of countries or cities): the list of sessions and mails about sign-ins name the place then. It is read on this machine when it is first needed, kept in memory, and read again when it has changed; nothing is sent. When empty, addresses are shown alone',
  },
  sshUserCaFile: {
    env: 'INGOT_SSH_USER_CA_FILE',
    standard: '',
    says: 'A file with the public keys of authorities, one a line, whose certificates sign people in over SSH without a key of their account (handbook, “SSH certificates”); read with each sign-in. When empty, certificates open nothing',
  },
  sshRevokedFile: {
    env: 'INGOT_SSH_REVOKED_FILE',
    standard: '',
    says: 'A file with what is revoked of those certificates, one a line: `serial: 12`, `serial: 1-99`, `id: KEY-ID`, `sha256: FINGERPRINT`, or a public key of a user or an authority; read with each sign-in',
  },
  pagesUrl: {
    env: 'INGOT_PAGES_URL',
    standard: '',
    says: 'Address below which static sites of projects are served, `https://pages.example.net`: that of group `team` is `https://team.pages.example.net`. A host that nothing else has, best of a domain of its own (handbook, “Static sites”); when empty, no sites are served',
  },
  pagesPort: {
    env: 'INGOT_PAGES_PORT',
    standard: '',
    says: 'Port that sites are served on, over HTTP; 0 for any free one. When empty, that of `INGOT_PAGES_URL`',
  },
  pagesNameServers: {
    env: 'INGOT_PAGES_NAME_SERVERS',
    standard: '',
    says: 'Addresses of name servers, with or without a port, with commas, that are asked for the records of domains of sites; when empty, those of this machine',
  },
  workers: {
    env: 'INGOT_WORKERS',
    standard: '4',
    says: 'Background jobs at the same time, of which three quarters may wait for other servers; 0 for none in this process',
  },
} as const satisfies Readonly<Record<string, Setting>>

interface Setting {
  readonly env: string
  /** The default. */
  readonly standard: string
  readonly says: string
  /** Has no flag, because every user of the machine can read command lines, and is never printed. */
  readonly secret?: true
  /** The flag needs no value; without one it means `on`. */
  readonly isSwitch?: true
}

export type SettingName = keyof typeof settings

/** The flag of a setting: `--data-dir`. */
export const flagOf = (name: SettingName): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
