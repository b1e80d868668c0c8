import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { version } from '../../platform/system/version.ts'
import { endpoints } from '../endpoints.ts'
import { report } from './failures.ts'
import { routesOf } from './routes.ts'
import { newDirectory, runIngot } from './scene.ts'

const parent = await newDirectory()
after(() => rm(parent, { recursive: true }))

test('the version is that of the package', async () => {
  assert.deepEqual(await runIngot(['--version'], { cwd: parent }), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('it runs as a package of another project, below whose node_modules Node itself reads no TypeScript', async () => {
  const cwd = await newDirectory(parent)
  const root = join(import.meta.dirname, '../../..')
  const modules = join(cwd, 'node_modules')
  await mkdir(join(modules, 'ingot'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const name of ['bin', 'src', 'package.json']) await cp(join(root, name), join(modules, 'ingot', name), { recursive: true })

  const { stdout } = await promisify(execFile)(join(modules, 'ingot/bin/ingot'), ['--version'], { cwd })

  assert.equal(stdout, `${version}\n`)
})

test('help lists the commands', async () => {
  const { code, stdout } = await runIngot(['help'], { cwd: parent })

  assert.equal(code, 0)
  for (const command of [
    'start',
    'routes',
    'seed',
    'import',
    'backup',
    'restore',
    'verify',
    'backups',
    'upgrade',
    'status',
    'check',
    'why',
    'doctor',
    'objects',
    'admin',
    'help',
  ])
    assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'))
})

test('routes prints every endpoint that is served, without a database or a data directory', async () => {
  const cwd = await newDirectory(parent)

  const { code, stdout } = await runIngot(['routes'], { cwd })

  const lines = stdout.trimEnd().split('\n')
  assert.equal(code, 0)
  assert.deepEqual(lines, routesOf(endpoints, 'ultimate'))
  assert.ok(lines.includes('GET /api/v4/projects/:id'))
  assert.ok(lines.includes('GET /-/health'))
  assert.deepEqual(
    lines.filter(line => !/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(line)),
    [],
  )
  assert.deepEqual(await readdir(cwd), [])
})

test('routes compares a list of calls with what is served', async () => {
  const cwd = await newDirectory(parent)
  const calls = [
    '# A comment',
    'GET /projects/:p',
    'GET /api/v4/projects/:p/lamps',
    'HEAD /projects/:p/repository/files/:p',
    'GET /version',
  ]
  await writeFile(join(cwd, 'calls.txt'), calls.join('\n'))

  const { code, stdout } = await runIngot(['routes', '--against', 'calls.txt'], { cwd })

  assert.equal(code, 0)
  assert.equal(stdout, 'GET /projects/:p/lamps\n')
})

test('a reader of the routes may leave before their end', async () => {
  const { stdout, stderr } = await promisify(execFile)('sh', [
    '-c',
    `${join(import.meta.dirname, '../../../bin/ingot')} routes | head -n 1`,
  ])

  assert.equal(stdout, 'GET /\n')
  assert.equal(stderr, '')
})

test('a dependency that is missing is named, with what installs it', t => {
  const written = t.mock.method(process.stderr, 'write', () => true)
  const missing = Object.assign(new Error("Cannot find package 'lantern' imported from a.ts"), { code: 'ERR_MODULE_NOT_FOUND' })

  assert.equal(report(missing), 1)
  const [call] = written.mock.calls
  assert.equal(call?.arguments[0], "ingot: Cannot find package 'lantern' imported from a.ts: run npm ci\n")
})

test('routes of a tier above the instance are not served', () => {
  const free = endpoints.filter(({ tier }) => tier === undefined)
  const [some, ...others] = free
  const raised = [{ ...some!, tier: 'premium' as const }, ...others]

  assert.equal(routesOf(raised, 'premium').length, free.length)
  assert.equal(routesOf(raised, 'free').length, free.length - 1)
})

test('a wrong configuration ends the start with one line on stderr and exit code 2', async () => {
  const cwd = await newDirectory(parent)
  await writeFile(join(cwd, 'ingot.json'), '{"tier": "gold"}')
  const runs = [
    {
      args: ['start'],
      env: { INGOT_PORT: 'http', INGOT_TIER: 'free' },
      says: 'ingot: INGOT_PORT must be a whole number from 0 to 65535, not "http"\n',
    },
    {
      args: ['start', '--port', '99999'],
      env: { INGOT_TIER: 'free' },
      says: 'ingot: --port must be a whole number from 0 to 65535, not "99999"\n',
    },
    { args: ['start'], says: 'ingot: "tier" in the configuration file must be one of free, premium, ultimate, not "gold"\n' },
    { args: ['start', '--config', 'absent.json'], says: /^ingot: cannot read absent\.json: .*\n$/ },
    { args: ['routes'], env: { INGOT_WORKERS: '-1', INGOT_TIER: 'free' }, says: /^ingot: INGOT_WORKERS must be .*\n$/ },
    {
      args: ['start', '--data-dir', '/dev/null/data'],
      env: { INGOT_TIER: 'free' },
      says: /^ingot: INGOT_DATA_DIR: cannot make the folder \/dev\/null\/data: a file is in its place\n$/,
    },
    {
      args: ['start', '--port', '4711', '--ssh-port', '4711'],
      env: { INGOT_TIER: 'free' },
      says: 'ingot: INGOT_SSH_PORT must be another port than INGOT_PORT, not 4711 too\n',
    },
    { args: ['start', '--prot', '1'], says: /^error: unknown option '--prot'/ },
    { args: ['begin'], says: /^error: unknown command 'begin'/ },
  ]

  for (const { args, env = {}, says } of runs) {
    const { code, stdout, stderr } = await runIngot(args, { cwd, env: env as Record<string, string> })
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
    if (typeof says === 'string') assert.equal(stderr, says)
    else assert.match(stderr, says)
  }
  assert.deepEqual(await readdir(cwd), ['ingot.json'])
})

test('a database that cannot be reached ends the start with one line and exit code 1, and debugging adds the stack', async () => {
  const cwd = await newDirectory(parent)
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

  const plain = await runIngot(['start'], { cwd, env })
  const debugging = await runIngot(['start', '--log-level', 'debug'], { cwd, env })

  assert.equal(plain.code, 1)
  assert.match(plain.stderr, /^ingot: The database cannot be reached: .*\n$/)
  assert.equal(debugging.code, 1)
  assert.match(debugging.stderr, /"stack":/)
})

test('a command about an instance refuses where there is none, and makes none', async () => {
  const cwd = await newDirectory(parent)
  const commands = [
    ['why', 'root', 'admin_instance'],
    ['admin', 'reset-password', 'root'],
    ['admin', 'make-administrator', 'root'],
    ['admin', 'renew-secrets'],
  ]

  for (const command of commands) {
    const { code, stderr } = await runIngot(command, { cwd })
    assert.deepEqual([code, stderr], [2, `ingot: there is no instance in ${cwd}/data: name its data folder with --data-dir\n`])
  }
  assert.deepEqual(await readdir(cwd), [])
})

test('what reads the output may end before it', async () => {
  const program = join(import.meta.dirname, '../../../bin/ingot')
  const cwd = await newDirectory()
  const { stderr } = await promisify(execFile)('sh', ['-c', '"$1" doctor --data-dir data | head -1', 'sh', program], { cwd })
  assert.doesNotMatch(stderr, /EPIPE/)
})
