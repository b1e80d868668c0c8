/** Two servers of one instance: one database of their own, one bucket, one folder of repositories, and nginx before them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
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

const TOKEN = 'torture-of-several-servers'

export interface Cluster {
  /** Requests of both go to the balancer. */
  readonly members: readonly [Victim, Victim]
  close(): Promise<void>
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) await once(server.close(), 'close')
  return ports
}

/** As the example in `deploy`, with two servers behind it. */
const site = (folder: string, port: number, upstreams: readonly number[]) => `
${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream ingot { ${upstreams.map(upstream => `server 127.0.0.1:${upstream} max_fails=1 fail_timeout=1s;`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      proxy_pass http://ingot;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`

async function startBalancer(cwd: string, port: number, upstreams: readonly number[]): Promise<ChildProcess> {
  const folder = join(cwd, 'nginx')
  await mkdir(folder)
  await writeFile(join(folder, 'nginx.conf'), site(folder, port, upstreams))
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
