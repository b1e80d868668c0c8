/** Two servers of one instance: one database of their own, one bucket, one folder of repositories, and nginx before them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'
import { openLog } from '../../src/platform/log.ts'
import { newDirectory } from '../../src/server/cli/scene.ts'
import { bucketAddress, startBucket } from '../surroundings/store.ts'
import { endAll, Victim } from '../victim.ts'

/** Where Debian and others have it. */
export const NGINX = '/usr/sbin/nginx'

const EXAMPLE = join(import.meta.dirname, '../../deploy/nginx.conf')

const TOKEN = 'torture-of-several-servers'

export interface Cluster {
  /** Requests of both go to the balancer. */
  readonly members: readonly [Victim, Victim]
  /** What nginx wrote of servers that did not answer, without connections that were refused, which lose nothing. */
  complaints(): Promise<string[]>
  close(): Promise<void>
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) await once(server.close(), 'close')
  return ports
}

/** The example of `deploy` without TLS, with two servers behind it. */
async function siteOf(folder: string, port: number, upstreams: readonly number[]): Promise<string> {
  const servers = upstreams.map(upstream => `server 127.0.0.1:${upstream} max_fails=0;`).join(' ')
  const site = (await readFile(EXAMPLE, 'utf8'))
    .replace(/^server \{\n {4}listen 80;[^}]*\}\n/m, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ +ssl_certificate.*\n/gm, '')
    .replace('server 127.0.0.1:8080 max_fails=0;', servers)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
  return `
${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http { access_log off; ${temporary}
${site}}
`
}

async function startBalancer(cwd: string, port: number, upstreams: readonly number[]): Promise<ChildProcess> {
  const folder = join(cwd, 'nginx')
  await mkdir(folder)
  await writeFile(join(folder, 'nginx.conf'), await siteOf(folder, port, upstreams))
  const child = spawn(NGINX, ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], { stdio: 'ignore', env: {} })
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) break
    await delay(50)
  }
  return child
}

/** Starts all of it. Both servers begin on an empty database at the same time: migrations, keys and the first administrator are made once. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const opened = new AsyncDisposableStack()
  try {
    const cwd = await newDirectory()
    const [port, ...upstreams] = await freePorts(3)
    const database = await startEmbedded({ dataDir: join(cwd, 'database'), log: openLog('error') })
    opened.defer(database.stop)
    await chmod(join(cwd, 'database'), 0o755)
    await mkdir(join(cwd, 's3'))
    const bucket = await startBucket(join(cwd, 's3'))
    opened.defer(() => bucket.close())
    const env = { DATABASE_URL: database.url, INGOT_OBJECT_STORE: bucketAddress(bucket.port), INGOT_ROOT_TOKEN: TOKEN }
    const balancer = await startBalancer(cwd, port!, upstreams)
    opened.defer(async () => {
      const ended = once(balancer, 'exit')
      balancer.kill('SIGKILL')
      await ended
    })
    const start = (upstream: number) =>
      Victim.start({
        cwd,
        env,
        shownAt: `http://127.0.0.1:${port}`,
        settings: ['--port', String(upstream), '--ssh-port', 'off', ...settings],
      })
    const members = (await Promise.all(upstreams.map(start))) as [Victim, Victim]
    return {
      members,
      async complaints() {
        const lines = (await readFile(join(cwd, 'nginx', 'error.log'), 'utf8')).split('\n')
        return lines.filter(line => line.includes('upstream') && !line.includes('Connection refused'))
      },
      async close() {
        for (const member of members) await member.end()
        await opened.disposeAsync()
        for (const member of members) await member.remove()
      },
    }
  } catch (error) {
    await endAll()
    await opened.disposeAsync()
    throw error
  }
}
