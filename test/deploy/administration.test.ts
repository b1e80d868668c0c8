/** The commands of the administrators' handbook, as they are written there: an instance is backed up, checked, moved, restored and removed by them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { load } from 'js-yaml'
import S3rver from 's3rver'
import { type Ended, newDirectory, startIngot } from '../../src/server/cli/scene.ts'
import { atEnd } from '../at_end.ts'

const root = join(import.meta.dirname, '../..')
const handbook = await readFile(join(root, 'docs/user/administration.md'), 'utf8')

// The folder of Ingot, with backups beside it: what the handbook names as `..`.
const top = await newDirectory()
const cwd = join(top, 'ingot')
const programs = join(top, 'programs')
await Promise.all([cwd, programs, join(top, 'elsewhere'), join(cwd, 'deploy')].map(path => mkdir(path, { recursive: true })))
await chmod(cwd, 0o1777)
for (const path of ['bin', 'package.json']) await symlink(join(root, path), join(cwd, path))
await writeFile(join(top, 'passphrase'), 'correct horse battery\n')

const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(top, 'store'),
  configureBuckets: [{ name: 'backups' }, { name: 'ingot' }],
})
const { port } = await store.run()
after(async () => {
  await store.close()
  await rm(top, { recursive: true, force: true })
})

const blocks = [...handbook.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string)
const used = new Set<string>()

/** What stands for a place of the handbook on the machine of the test. */
const places: readonly (readonly [string, string])[] = [
  ['/root/backup-passphrase', join(top, 'passphrase')],
  ['/tmp/ingot-trial', join(top, 'trial')],
  ['/srv/ingot', join(cwd, 'data')],
  ['s3://s3.example.com/backups/ingot-$(date +%F).backup', `s3://127.0.0.1:${port}/backups/ingot-$(date +%F).backup?tls=false`],
  ['s3://key:secret@s3.example.com/ingot', `s3://S3RVER:S3RVER@127.0.0.1:${port}/ingot?tls=false`],
]

/** The only block that begins like this. */
function block(beginning: string): string {
  const found = blocks.filter(text => text.startsWith(beginning))
  assert.equal(found.length, 1, `the handbook has ${found.length} blocks that begin with: ${beginning}`)
  const [text] = found as [string]
  used.add(text)
  return places.reduce((script, [written, here]) => script.replaceAll(written, here), text)
}

/** Begins a script in the folder of Ingot, in a process group of its own, as a terminal does. */
function begin(script: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn('sh', ['-e', '-c', script], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
      HOME: top,
      TMPDIR: top,
      INGOT_PORT: '0',
      INGOT_SSH_PORT: 'off',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      ...env,
    },
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', text => (said[name] += text))
  const ended = once(child, 'close').then((): Ended => ({ code: child.exitCode, ...said }))
  return { child, said, ended }
}

/** Runs a block to its end, which must be a good one. @returns what it printed */
async function run(script: string, env?: Readonly<Record<string, string>>): Promise<string> {
  const { code, stdout, stderr } = await begin(script, env).ended
  assert.deepEqual([code, stderr], [0, ''], `${script}${stdout}`)
  return stdout
}

/** Runs a block that ends with a server, uses that, and ends it as Ctrl-C does. */
async function serve(script: string, use: (url: string) => Promise<void>): Promise<void> {
  const { child, said, ended } = begin(script)
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', () => {
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said.stdout) ?? []
        if (address) resolve(address)
      })
      void ended.then(({ stdout, stderr }) => reject(new Error(`it ended: ${stdout}${stderr}`)))
    })
    await use(url)
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGINT')
    await ended
  }
}

/** From now on, it is this day for `date`. */
async function setDay(day: string): Promise<void> {
  await writeFile(join(programs, 'date'), `#!/bin/sh\necho ${day}\n`)
  await chmod(join(programs, 'date'), 0o755)
}

test('each command of the handbook of administrators does what is said there', async t => {
  const server = await startIngot(['--ssh-port', 'off'], { cwd })
  atEnd(async () => void (await server.end('SIGTERM')))
  const headers = { 'private-token': server.token as string }
  const post = async (path: string, fields: Readonly<Record<string, string>> | FormData) => {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
    const answer = await fetch(`${server.url}/api/v4${path}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 201, await answer.clone().text())
  }
  const issuesAt = async (url: string) => {
    const answer = await fetch(`${url}/api/v4/projects/root%2Fkept/issues`, { headers })
    assert.equal(answer.status, 200)
    return ((await answer.json()) as { title: string; web_url: string }[]).map(({ title, web_url }) => [title, new URL(web_url).origin])
  }
  await post('/users', {
    name: 'Ada',
    username: 'ada',
    email: 'ada@example.com',
    password: 'the first pass phrase',
    skip_confirmation: 'true',
  })
  await post('/projects', { name: 'kept', initialize_with_readme: 'true' })
  const upload = new FormData()
  upload.set('file', new Blob(['what a file has']), 'notes.txt')
  await post('/projects/root%2Fkept/uploads', upload)
  await post('/projects/root%2Fkept/issues', { title: 'early' })

  await t.test('an instance is watched, its settings are tried, and it is checked', async () => {
    const metrics = block('curl --header "PRIVATE-TOKEN: $TOKEN"').replace('http://127.0.0.1:8080', server.url)
    const read = await begin(metrics, { TOKEN: server.token as string }).ended
    assert.equal(read.code, 0)
    assert.match(read.stdout, /^# TYPE \w+/m)
    assert.match(await run(block('bin/ingot status')), /^Server +runs$/m)
    assert.match(await run(block('bin/ingot check')), /^ok +Repositories +1 looked at$/m)
    assert.match(await run(block('bin/ingot doctor')), /^ok +Database\b/m)
  })

  await t.test('a password is replaced', async () => {
    const [first, second] = (await run(block('bin/ingot admin reset-password ada'))).match(/(?<=: ).+$/gm) ?? []
    const signIn = (password: string | undefined) =>
      fetch(`${server.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', username: 'ada', password: password as string }),
      })
    assert.deepEqual([(await signIn(first)).status, (await signIn(second)).status], [400, 200])
  })

  await t.test('an administrator is made', async () => {
    assert.equal(await run(block('bin/ingot admin make-administrator ada')), 'ada is an administrator\n')
  })

  await t.test('backups are made, listed, verified and merged', async () => {
    await setDay('2026-01-01')
    await run(block('bin/ingot backup ../ingot-$(date +%F).backup\n'))
    await setDay('2026-01-31')
    await run(block('bin/ingot backup ../ingot-$(date +%F).backup --passphrase-file'))
    await setDay('2026-02-01')
    assert.match(await run(block('bin/ingot backup s3://')), new RegExp(`^s3://127.0.0.1:${port}/backups/ingot-2026-02-01.backup: `))
    await post('/projects/root%2Fkept/issues', { title: 'late' })
    await setDay('2026-02-03')
    assert.match(await run(block('bin/ingot backup ../ingot-$(date +%F).backup --since')), /^It builds on \S+ingot-2026-01-31\.backup/m)
    assert.match(await run(block('bin/ingot verify')), /^Whole, with the 1 before it: /m)
    await run(block('bin/ingot backups merge'))
    const listed = await run(block('bin/ingot backups list'))
    assert.deepEqual(
      listed
        .trimEnd()
        .split('\n')
        .map(line => line.replace(/ .* (whole|builds on)/, ' $1').trim()),
      [
        '2026-01-01.backup whole',
        '2026-01-31.backup whole',
        '2026-02-03.backup builds on ingot-2026-01-31.backup',
        'whole.backup whole',
      ].map(line => `ingot-${line}`),
    )
  })

  await t.test('files are moved to a bucket', async () => {
    const move = block("export INGOT_OBJECT_STORE='s3://key:secret@s3.example.com/ingot'")
    assert.match(await run(move), /\b1\b/)
    await server.end('SIGTERM')
    const again = `${move.trimEnd()} --delete-old\n`
    assert.ok(handbook.includes('`bin/ingot objects move --delete-old`'))
    await run(again)
    assert.deepEqual(await filesBelow(join(cwd, 'data/objects')), [])
  })

  await t.test('a backup is tried beside the instance, and takes its place', async () => {
    await serve(block('bin/ingot restore ../ingot-2026-01-31.backup --passphrase-file /root/backup-passphrase --data-dir'), async url =>
      assert.deepEqual(await issuesAt(url), [['early', url]]),
    )
    await serve(block('mv data data-broken'), async url => assert.deepEqual(await issuesAt(url), [['early', url]]))
    assert.ok(existsSync(join(cwd, 'data-broken')))
    const database = join(cwd, 'data/postgresql')
    await run(block('rm -r "$(readlink -f data/postgresql)"'))
    assert.deepEqual([existsSync(database), existsSync(join(cwd, 'data'))], [false, false])
  })

  await t.test('a chain is restored, and served behind a proxy', async () => {
    await rename(join(top, 'ingot-2026-01-31.backup'), join(top, 'elsewhere/ingot-2026-01-31.backup'))
    await run(block('bin/ingot restore ../ingot-2026-02-03.backup'))
    const address = 'https://git.example.com'
    await serve(block(`bin/ingot start --external-url ${address}`), async url =>
      assert.deepEqual(await issuesAt(url), [
        ['late', address],
        ['early', address],
      ]),
    )
  })

  await t.test('the secrets of the containers are made', async () => {
    await run(block('cat > deploy/.env'))
    const lines = (await readFile(join(cwd, 'deploy/.env'), 'utf8')).trimEnd().split('\n')
    const made = new Map(lines.map(line => line.split(/=(.*)/) as [string, string]))
    const compose = await readFile(join(root, 'deploy/compose.yaml'), 'utf8')
    assert.ok(load(compose))
    const wanted = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name as string)
    assert.ok(wanted.length > 0)
    for (const name of wanted) assert.match(made.get(name) ?? '', /^[0-9a-f]{48,64}$|^http/, name)
  })

  assert.deepEqual(
    blocks.filter(text => !used.has(text)),
    [],
    'you are here because the handbook names a command that no test runs',
  )
})

/** The files of a folder and those below it. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(({ name }) => name)
}
