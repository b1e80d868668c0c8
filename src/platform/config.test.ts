import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, parseConfig } from './config.ts'
import { Secret } from './secret.ts'
import { flagOf, type SettingName, settings } from './settings.ts'

const directory = await mkdtemp(join(tmpdir(), 'ingot-config-'))
after(() => rm(directory, { recursive: true }))

const providers = join(directory, 'providers.json')
await writeFile(providers, '{"providers": [{"name": "company", "settings": {"client_secret": {"env": "COMPANY_SECRET"}}}]}')
await writeFile(join(directory, 'none.json'), '{"providers": []}')
await writeFile(join(directory, 'torn.json'), '{"providers": [')

/** For each setting: values and what becomes of them, and values that are refused. */
const cases: { [K in SettingName]: { right: [string, unknown][]; wrong: string[] } } = {
  host: {
    right: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
    ],
    wrong: [],
  },
  port: {
    right: [
      ['0', 0],
      ['65535', 65_535],
    ],
    wrong: ['65536', '-1', '80.5', 'http', ' '],
  },
  sshPort: {
    right: [
      ['0', 0],
      ['22', 22],
      ['off', undefined],
      ['no', undefined],
    ],
    wrong: ['65536', '-1', 'ssh', ' '],
  },
  externalSsh: {
    right: [
      ['git.example.com', { host: 'git.example.com', port: 22 }],
      ['git.example.com:2200', { host: 'git.example.com', port: 2200 }],
      ['[::1]:22', { host: '[::1]', port: 22 }],
    ],
    wrong: ['ssh://git.example.com', 'git@git.example.com', 'git.example.com:0', 'git.example.com:65536', 'a b'],
  },
  externalUrl: {
    right: [
      ['https://ingot.example/', 'https://ingot.example'],
      ['http://10.0.0.1:81', 'http://10.0.0.1:81'],
    ],
    wrong: ['ingot.example', 'ftp://ingot.example', '//ingot.example', 'https://ingot.example/forge', 'https://ingot.example?a=b'],
  },
  hosts: {
    right: [
      ['Ingot, git.example.com:8080', ['ingot', 'git.example.com:8080']],
      ['[fd00::1]', ['[fd00::1]']],
    ],
    wrong: ['http://ingot', 'ingot/x', 'a b', 'ingot:http'],
  },
  connectionsPerAddress: {
    right: [
      ['0', 0],
      ['500', 500],
    ],
    wrong: ['-1', 'many'],
  },
  connections: {
    right: [
      ['0', 0],
      ['10000', 10_000],
    ],
    wrong: ['-1', 'many'],
  },
  stallTimeout: {
    right: [
      ['1', 1],
      ['3600', 3600],
    ],
    wrong: ['0', '3601', 'long'],
  },
  stopDelay: {
    right: [
      ['0', 0],
      ['300', 300],
    ],
    wrong: ['-1', '301', 'long'],
  },
  archiveCache: {
    right: [
      ['0', 0],
      ['4096', 4096],
    ],
    wrong: ['-1', '1GB'],
  },
  packCache: {
    right: [
      ['0', 0],
      ['4096', 4096],
    ],
    wrong: ['-1', '1GB'],
  },
  dependencyProxyUrl: {
    right: [
      ['', 'https://registry-1.docker.io'],
      ['https://mirror.example.com/', 'https://mirror.example.com'],
      ['off', undefined],
    ],
    wrong: ['mirror.example.com', 'https://mirror.example.com/v2', 'ftp://mirror.example.com'],
  },
  dependencyProxySize: {
    right: [
      ['0', 0],
      ['4096', 4096],
    ],
    wrong: ['-1', '20GB'],
  },
  dataDir: {
    right: [
      ['/srv/ingot', '/srv/ingot'],
      ['here', resolve('here')],
    ],
    wrong: [],
  },
  databaseUrl: {
    right: [
      ['postgres://a@b/c', 'postgres://a@b/c'],
      ['postgresql://a@b/c', 'postgresql://a@b/c'],
      ['postgres://a@/c?host=/run/postgresql', 'postgres://a@/c?host=/run/postgresql'],
    ],
    wrong: ['mysql://a@b/c', 'localhost'],
  },
  databasePoolSize: {
    right: [
      ['4', 4],
      ['500', 500],
    ],
    wrong: ['3', '501', 'many'],
  },
  httpProcesses: {
    right: [
      ['1', 1],
      ['64', 64],
      ['', Math.max(1, availableParallelism() - 1)],
    ],
    wrong: ['0', '65', 'all'],
  },
  tier: {
    right: [
      ['free', 'free'],
      ['premium', 'premium'],
      ['ultimate', 'ultimate'],
    ],
    wrong: ['gold', 'Free'],
  },
  objectStore: {
    right: [
      [
        's3://key:se%2Fcret@s3.example.com/files',
        {
          endpoint: 'https://s3.example.com',
          region: 'us-east-1',
          bucket: 'files',
          prefix: '',
          credentials: { accessKeyId: 'key', secretAccessKey: 'se/cret' },
          pathStyle: true,
        },
      ],
      [
        's3://127.0.0.1:9000/files?region=eu-1&prefix=/a/b&tls=false&path_style=false',
        {
          endpoint: 'http://127.0.0.1:9000',
          region: 'eu-1',
          bucket: 'files',
          prefix: 'a/b/',
          credentials: undefined,
          pathStyle: false,
        },
      ],
    ],
    wrong: [
      'files',
      'https://s3.example.com/files',
      's3://s3.example.com',
      's3:///files',
      's3://key@s3.example.com/files',
      's3://s3.example.com/files/below',
      's3://s3.example.com/files?tls=maybe',
      's3://s3.example.com/files?regoin=eu-1',
      's3://key:%zz@s3.example.com/files',
    ],
  },
  rateLimit: {
    right: [
      ['off', undefined],
      ['on', { anonymous: 600, authenticated: 60_000, signIn: 30 }],
      ['anonymous=5, sign_in=2', { anonymous: 5, authenticated: 60_000, signIn: 2 }],
    ],
    wrong: ['anonymous', 'anonymous=0', 'anonymous=-1', 'strangers=5', '100'],
  },
  componentGallery: {
    right: [
      ['false', false],
      ['0', false],
      ['TRUE', true],
      ['yes', true],
    ],
    wrong: ['maybe', '2'],
  },
  impersonationEnabled: {
    right: [
      ['false', false],
      ['0', false],
      ['TRUE', true],
      ['yes', true],
    ],
    wrong: ['maybe', '2'],
  },
  logLevel: {
    right: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    wrong: ['loud', 'WARN'],
  },
  rootPassword: { right: [['correct horse', 'correct horse']], wrong: ['short', 'x'.repeat(129)] },
  rootToken: { right: [['abcdefghij0123456789', 'abcdefghij0123456789']], wrong: ['too-short', 'white space is not ok', 'x'.repeat(256)] },
  outboundAllow: {
    right: [
      ['', []],
      ['ci.local, 10.0.0.0/8', ['ci.local', '10.0.0.0/8']],
    ],
    wrong: [],
  },
  trustedProxies: {
    right: [
      ['127.0.0.1', ['127.0.0.1']],
      ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ],
    wrong: ['proxy.example', '10.0.0.0/33', '1.2.3'],
  },
  secretKey: {
    right: [
      ['0a'.repeat(32), '0a'.repeat(32)],
      [`${'0a'.repeat(32)},${'0b'.repeat(32)}`, `${'0a'.repeat(32)},${'0b'.repeat(32)}`],
    ],
    wrong: ['0a', 'zz'.repeat(32), `${'0a'.repeat(32)},0b`],
  },
  deletionDelay: {
    right: [
      ['0', 0],
      ['30', 30],
    ],
    wrong: ['-1', '91', 'a week'],
  },
  backupPassphrase: { right: [['correct horse battery', 'correct horse battery']], wrong: ['too short'] },
  metricsToken: { right: [['0123456789abcde/+~=.', '0123456789abcde/+~=.']], wrong: ['too-short', 'x y'.repeat(9), 'x'.repeat(256)] },
  runnersRegistrationToken: {
    right: [['registration-token', 'registration-token']],
    wrong: ['short', 'white space is not ok', 'x'.repeat(256)],
  },
  runnerWait: { right: [['50', 50]], wrong: ['-1', '501', 'long'] },
  builtinRunner: {
    right: [
      ['on', true],
      ['off', false],
    ],
    wrong: ['maybe'],
  },
  runnerNamespaces: { right: [['require', 'require']], wrong: ['on'] },
  runnerContainers: { right: [['off', 'off']], wrong: ['on'] },
  providersFile: {
    right: [[join(directory, 'none.json'), '{"providers":[]}']],
    wrong: [join(directory, 'torn.json'), join(directory, 'missing.json'), providers],
  },
  breachedPasswordsFile: { right: [['/srv/breached.txt', '/srv/breached.txt']], wrong: [] },
  placesFile: { right: [['/srv/places.mmdb', '/srv/places.mmdb']], wrong: [] },
  sshUserCaFile: { right: [['/srv/ca.pub', '/srv/ca.pub']], wrong: [] },
  sshRevokedFile: { right: [['/srv/revoked', '/srv/revoked']], wrong: [] },
  smtpUrl: {
    right: [
      ['smtp://mail.example.com', { host: 'mail.example.com', port: 25, isSecure: false, requiresTls: false, credentials: undefined }],
      ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, isSecure: true, requiresTls: false, credentials: undefined }],
      ['smtp://[::1]:2525', { host: '::1', port: 2525, isSecure: false, requiresTls: false, credentials: undefined }],
      [
        'smtp://ingot%40example.com:p%3Aa@mail:587',
        { host: 'mail', port: 587, isSecure: false, requiresTls: false, credentials: { user: 'ingot@example.com', password: 'p:a' } },
      ],
    ],
    wrong: [
      'mail.example.com',
      'http://mail',
      'smtp://',
      'smtp://mail/x',
      'smtp://mail?a=b',
      'smtp://user@mail',
      'smtp://%ff:x@mail',
      'smtp://mail:0',
    ],
  },
  mailFrom: {
    right: [
      ['ingot@example.com', { name: '', address: 'ingot@example.com' }],
      ['Ingot of Acme <ingot@example.com>', { name: 'Ingot of Acme', address: 'ingot@example.com' }],
    ],
    wrong: ['ingot', 'a@b, c@d', 'Ingot <a@b', 'Ingot <a@b> <c@d>', 'a,b@example.com', '@example.com'],
  },
  incomingMail: {
    right: [['incoming+%{key}@example.com', { before: 'incoming+', after: '@example.com' }]],
    wrong: ['incoming@example.com', '%{key}@example.com', 'a+%{key}+%{key}@example.com', 'a+@example.com%{key}', 'a b+%{key}@example.com'],
  },
  imapUrl: {
    right: [
      ['imaps://i%40x:p%3Aa@mail', { host: 'mail', port: 993, isSecure: true, user: 'i@x', password: 'p:a', folder: 'INBOX' }],
      ['imap://i:a@[::1]:1/M%2Fin', { host: '::1', port: 1, isSecure: false, user: 'i', password: 'a', folder: 'M/in' }],
    ],
    wrong: ['imaps://mail.example.com', 'imaps://ingot@mail.example.com', 'pop3://a:b@mail', 'imaps://a:b@mail:0', 'imaps://a:%ff@mail'],
  },
  incomingMailToken: {
    right: [['abcdefghij/0123456789+~=', 'abcdefghij/0123456789+~=']],
    wrong: ['too-short', 'white space is not taken', 'x'.repeat(256)],
  },
  pagesUrl: {
    right: [['https://Pages.example.net:8090/', { url: 'https://pages.example.net:8090', host: 'pages.example.net' }]],
    wrong: ['pages.example.net', 'ftp://pages.example.net', 'https://pages.example.net/sites', 'http://192.0.2.1', 'http://[2001:db8::1]'],
  },
  pagesPort: { right: [['0', 0]], wrong: ['65536', '-1', 'pages', ' '] },
  pagesNameServers: { right: [['192.0.2.1,[::1]:53', ['192.0.2.1', '[::1]:53']]], wrong: ['ns.example.com', '192.0.2.1:0', '[192.0.2.1'] },
  workers: {
    right: [
      ['0', 0],
      ['64', 64],
    ],
    wrong: ['-1', '65', 'some'],
  },
}

/** A setting with the text of its secrets, which comparisons see. */
function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, revealed(below)]))
}

for (const [name, { right, wrong }] of Object.entries(cases) as [SettingName, { right: [string, unknown][]; wrong: string[] }][]) {
  const { env } = settings[name]

  test(`${env} is read from environment, file and flag alike`, () => {
    for (const [value, expected] of right) {
      assert.deepEqual(revealed(parseConfig({ [env]: value })[name]), expected)
      assert.deepEqual(revealed(parseConfig({}, { [name]: value })[name]), expected)
      assert.deepEqual(revealed(parseConfig({}, {}, { [name]: value })[name]), expected)
    }
  })

  test(`a wrong ${env} is refused in one line that names where it came from`, () => {
    for (const value of wrong) {
      const refused = (source: string) => (error: unknown) =>
        error instanceof ConfigError && error.message.startsWith(`${source} must be `) && !error.message.includes('\n')
      assert.throws(() => parseConfig({ [env]: value }), refused(env), value)
      assert.throws(() => parseConfig({}, {}, { [name]: value }), refused(flagOf(name)), value)
      assert.throws(() => parseConfig({}, { [name]: value }), refused(`"${name}" in the configuration file`), value)
    }
  })
}

test('a variable that is nearly the name of a setting is named, and one with a name of its own is not', () => {
  assert.deepEqual(parseConfig({ INGOT_PROT: '1', INGOT_EXTERNL_URL: 'a', INGOT_LDAP_PASSWORD: 'b', PROT: '2' }).mistyped, [
    'INGOT_PROT is no setting: is INGOT_PORT meant?',
    'INGOT_EXTERNL_URL is no setting: is INGOT_EXTERNAL_URL meant?',
  ])
})

test('an empty value counts as none', () => assert.equal(parseConfig({ INGOT_PORT: '', DATABASE_URL: '' }).port, 8080))

test('the configuration cannot be changed', () => {
  assert.throws(() => {
    ;(parseConfig({}) as { port: number }).port = 1
  }, TypeError)
})

test('the SSH port is 2222 unless given, and any free one where the port is', () => {
  assert.equal(parseConfig({}).sshPort, 2222)
  assert.equal(parseConfig({ INGOT_PORT: '0' }).sshPort, 0)
  assert.equal(parseConfig({ INGOT_PORT: '0', INGOT_SSH_PORT: '2200' }).sshPort, 2200)
})

test('the file of providers takes values from the environment', () => {
  const { providersFile } = parseConfig({ INGOT_PROVIDERS_FILE: providers, COMPANY_SECRET: 's3cret' })
  assert.deepEqual(JSON.parse(providersFile?.reveal() ?? ''), {
    providers: [{ name: 'company', settings: { client_secret: 's3cret' } }],
  })
})
