/** The examples of nginx and Caddy, as they are but for names and ports, in front of a server: TLS, large pushes, LFS, events, addresses. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makePair } from '../../src/identity/saml/scene_pair.ts'
import { eventually } from '../eventually.ts'
import { testFolder } from '../folder.ts'
import { openScene } from '../scene.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, '../../deploy')
const folder = await testFolder()
const { key, certificate } = makePair()
const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
await writeFile(keyFile, key, { mode: 0o600 })
await writeFile(certificateFile, certificate)

/** Ports that nobody listens on at this moment. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) await once(server.close(), 'close')
  return ports
}

interface Program {
  /** The last that it said on standard error. */
  said(): string
  end(): Promise<void>
}

function begin(program: string, args: readonly string[]): Program {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { HOME: folder, XDG_DATA_HOME: folder } })
  let said = ''
  child.stderr?.on('data', chunk => {
    said = `${said}${chunk}`.slice(-5_000)
  })
  // Nothing that it has started holds its pipe any more.
  const ended = once(child, 'close')
  return {
    said: () => said,
    async end() {
      // Not politely: Caddy would wait for the connections that the server keeps.
      child.kill('SIGKILL')
      await ended
    },
  }
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** The address to come from. */
  readonly from?: string
}

async function ask(method: string, url: string, { headers = {}, body, from }: Asking = {}): Promise<Answer> {
  const asked = request(url, { method, headers, agent: false, rejectUnauthorized: false, ...(from && { localAddress: from }) })
  const [answer] = (await once(asked.end(body), 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

/** What each example needs to run here: its own ports and certificate, and a server to lead to. */
const proxies = {
  nginx: {
    program: '/usr/sbin/nginx',
    async start(port: number, plain: number, upstream: string) {
      const site = (await readFile(join(examples, 'nginx.conf'), 'utf8'))
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('server 127.0.0.1:8080 ', `server ${upstream} `)
        .replace('/etc/ssl/git.example.com.pem', certificateFile)
        .replace('/etc/ssl/private/git.example.com.key', keyFile)
        .replaceAll('git.example.com', 'localhost')
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      // One process: what it would start would outlive it.
      const whole = `${user} daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary}\n${site}}\n`
      await writeFile(join(folder, 'nginx.conf'), whole)
      return begin('/usr/sbin/nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')])
    },
  },
  caddy: {
    program: '/usr/bin/caddy',
    async start(port: number, _plain: number, upstream: string) {
      const site = (await readFile(join(examples, 'Caddyfile'), 'utf8'))
        .replace('git.example.com {', `https://localhost:${port} {\n\ttls ${certificateFile} ${keyFile}\n\tbind 127.0.0.1`)
        .replace('127.0.0.1:8080', upstream)
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
      return begin('/usr/bin/caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')])
    },
  },
}

for (const [name, proxy] of Object.entries(proxies)) {
  const skip = existsSync(proxy.program) ? false : `${name} is not installed on this machine`

  test(`${name} carries pushes, files, events and addresses`, { skip }, async t => {
    const [port, plain] = (await freePorts(2)) as [number, number]
    const base = `https://localhost:${port}`
    const scene = await openScene({ settings: { externalUrl: base, trustedProxies: '127.0.0.1' } })
    const started = await proxy.start(port, plain, new URL(scene.url.replace(base, `http://127.0.0.1:${scene.deps.http.port}`)).host)
    // Before the server ends, which would wait for the connections that a proxy keeps.
    t.after(() => started.end())
    const { project, owner } = await scene.project({ visibility: 'public' })
    await eventually(
      () =>
        ask('GET', `${base}/-/health`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      `an answer by ${name}: ${started.said()}`,
    )
    const credentials = { 'private-token': owner.token }

    // A push of 20 MB.
    const clone = join(folder, `${name}-clone`)
    await mkdir(clone)
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'http.sslVerify=false', '-C', clone, ...args])
    await git('init', '--quiet', '-b', 'large')
    await writeFile(join(clone, 'large.bin'), randomBytes(20 * 1024 * 1024))
    await git('add', '.')
    await git('commit', '--quiet', '-m', 'A large file')
    await git('push', '--quiet', `https://oauth2:${owner.token}@localhost:${port}/${project.full_path}.git`, 'large')
    const branch = await ask('GET', `${base}/api/v4/projects/${project.id}/repository/branches/large`, { headers: credentials })
    assert.equal(JSON.parse(String(branch.body)).commit.title, 'A large file')

    // An upload of LFS, at the address that the server names.
    const bytes = randomBytes(3 * 1024 * 1024)
    const pointer = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
    const asked = await ask('POST', `${base}/${project.full_path}.git/info/lfs/objects/batch`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${owner.username}:${owner.token}`).toString('base64')}`,
        'content-type': 'application/vnd.git-lfs+json',
      },
      body: JSON.stringify({ operation: 'upload', transfers: ['basic'], objects: [pointer] }),
    })
    const { href, header } = JSON.parse(String(asked.body)).objects[0].actions.upload
    assert.equal(new URL(href).origin, base)
    const put = await ask('PUT', href, { headers: { ...header, 'content-type': 'application/octet-stream' }, body: bytes })
    assert.equal(put.status, 200)

    // The events of an open page come as they happen.
    const listening = request(`${base}/-/live?on=repository:${project.id}`, {
      headers: { accept: 'text/event-stream' },
      agent: false,
      rejectUnauthorized: false,
    })
    const [stream] = (await once(listening.end(), 'response')) as [IncomingMessage]
    let events = ''
    stream.setEncoding('utf8').on('data', text => {
      events += text
    })
    await eventually(() => events.includes('retry:'), 'the beginning of the stream')
    const said = await owner.post(`${project.url}/repository/files/new.txt`, {
      branch: 'large',
      content: 'x',
      commit_message: 'Tell of it',
    })
    assert.equal(said.status, 201, JSON.stringify(said.body))
    await eventually(() => events.includes('data:'), 'an event')
    listening.destroy()

    // The server knows where a client comes from, and that it speaks TLS.
    const made = await ask('POST', `${base}/api/v4/projects/${project.id}/members`, {
      headers: { ...credentials, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: (await scene.user()).id, access_level: 10 }),
      from: '127.0.0.2',
    })
    assert.equal(made.status, 201)
    assert.match(made.headers['strict-transport-security'] ?? '', /max-age/)
    const { body: entries } = await owner.get(`${project.url}/audit_events`)
    assert.equal(entries[0].details.ip_address, '127.0.0.2')
  })
}
