/** For tests: a real server with its own database, on data that outlive both, to be killed together and started again. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { newDirectory, type RunningIngot, startIngot } from './scene.ts'

/** Such a server; its data are removed after the tests of the file. */
export async function killable() {
  const cwd = await newDirectory()
  const data = join(cwd, 'data')
  let token = ''
  let ingot = await start()
  after(async () => {
    await ingot.end('SIGKILL')
    await rm(cwd, { recursive: true, force: true })
  })

  async function start(): Promise<RunningIngot> {
    const started = await startIngot(['--data-dir', data, '--rate-limit', 'off', '--log-level', 'fatal'], { cwd })
    token = started.token ?? token
    return started
  }

  /** A request by its administrator; rejects if the server ends before it has answered. */
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${ingot.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  return {
    call,
    /** All rows of a list, page by page. */
    async all<Row>(path: string): Promise<Row[]> {
      const rows: Row[] = []
      for (let page: string | null = '1'; page; ) {
        const answer = await call('GET', `${path}?per_page=100&sort=asc&page=${page}`)
        rows.push(...((await answer.json()) as Row[]))
        page = answer.headers.get('x-next-page')
      }
      return rows
    },
    /** Kills the server and its database immediately; data not yet written to the system are lost. */
    async kill(): Promise<void> {
      const [pid] = (await readFile(join(data, 'postgresql', '18', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await ingot.end('SIGKILL')
    },
    async restart(): Promise<void> {
      ingot = await start()
    },
    /** Stops it cleanly and returns its exit code. */
    stop: () => ingot.end('SIGTERM'),
  }
}
