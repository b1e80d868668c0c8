/** Folders as tar archives, by the `tar` of this machine, which runs as the user of the jobs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }

/**
 * Packs files and folders under their whole paths. Everything in the archive is root's, and everyone's to read and write: the
 * programs of a container can work in it, as any user.
 * @param paths absolute
 * @throws Error what tar says
 */
export async function* packed(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  const names = paths.map(path => path.slice(1))
  const options = ['--create', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+rwX', '--directory', '/']
  const tar = spawn('tar', [...options, '--', ...names], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
  const failure = failureOf(tar)
  try {
    yield* tar.stdout
    const message = await failure
    if (message !== undefined) throw new Error(message)
  } finally {
    tar.kill()
  }
}

/** Unpacks an archive that comes in pieces. */
export class Unpacking {
  readonly #tar: ChildProcess
  readonly #failure: Promise<string | undefined>

  /** @param folder where it is unpacked to: owners and rights to change users are left out, and nothing is written elsewhere */
  constructor(folder: string) {
    const options = ['--extract', '--no-same-owner', '--no-same-permissions', '--directory', folder]
    this.#tar = spawn('tar', options, { env: ENVIRONMENT, stdio: ['pipe', 'ignore', 'pipe'] })
    this.#failure = failureOf(this.#tar)
    // It may end before it has read everything.
    this.#tar.stdin?.on('error', () => {})
  }

  /** Resolves when the next piece may come. */
  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#tar
    if (stdin && !stdin.destroyed && !stdin.write(bytes)) await Promise.race([once(stdin, 'drain'), this.#failure])
  }

  /** @throws Error what tar says */
  async end(): Promise<void> {
    this.#tar.stdin?.end()
    const message = await this.#failure
    if (message !== undefined) throw new Error(message)
  }
}

/** The last line that tar says when it fails; undefined when it does not. */
function failureOf(tar: ChildProcess): Promise<string | undefined> {
  let said = ''
  tar.stderr?.on('data', bytes => {
    said = `${said}${bytes}`.slice(-2_000)
  })
  return new Promise(resolve => {
    tar.once('error', error => resolve(error.message))
    tar.once('close', code => resolve(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? '') || `tar ended with status ${code}`))
  })
}
