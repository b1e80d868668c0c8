/** A container engine for tests: the machine's podman with a store of its own, and an image with busybox. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Containers, findEngine, localContainers } from './engine.ts'

/** The image, which only this machine has. */
export const IMAGE = 'localhost/ingot/box'

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const APPLETS = ['cat', 'echo', 'env', 'grep', 'id', 'ls', 'mkdir', 'nc', 'rm', 'sh', 'sleep', 'test', 'touch', 'tr', 'true', 'wget']

export interface EngineScene {
  readonly containers: Containers
  /** The environment of the engine. */
  readonly environment: Readonly<Record<string, string>>
  /** Why containers can have no network of their own on this machine; false where they can. */
  readonly withoutNetwork: string | false
  /** Runs the engine. @returns its output */
  podman(...args: string[]): string
}

/** Opens an engine until the tests of the file have ended; or says why the machine has none. */
export async function openEngine(): Promise<EngineScene | { readonly whyNot: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-containers-'))
  // Where limits cannot be raised, as in a container, an engine that sets its own starts nothing.
  await writeFile(join(folder, 'containers.conf'), '[containers]\ndefault_ulimits = []\n[engine]\nruntime = "runc"\n')
  const places = `graphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`
  await writeFile(join(folder, 'storage.conf'), `[storage]\ndriver = "overlay"\n${places}`)
  const environment = {
    ...{ PATH, HOME: folder },
    ...{ CONTAINERS_CONF: join(folder, 'containers.conf'), CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf') },
  }
  const podman = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('podman', args, { env: environment, encoding: 'utf8' })
    if (status !== 0) throw new Error(`podman ${args[0]}: ${stderr}`)
    return stdout.trim()
  }
  const close = async () => {
    // The store's layers are mounted, and belong to other users where those have their own numbers.
    spawnSync('podman', ['system', 'reset', '--force'], { env: environment })
    await rm(folder, { recursive: true, force: true })
  }
  const found = await findEngine({ environment, folder, mayShareNetwork: true })
  const hasBox = spawnSync('busybox', ['true'], { env: { PATH } }).status === 0
  if ('whyNot' in found || found.engine.kind !== 'podman' || !hasBox) {
    await close()
    return { whyNot: 'whyNot' in found ? found.whyNot : 'needs podman and busybox' }
  }
  after(close)
  const root = join(folder, 'root')
  for (const each of ['bin', 'etc', 'tmp']) await mkdir(join(root, each), { recursive: true })
  await writeFile(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/:/bin/sh\nworker:x:1000:1000:worker:/tmp:/bin/sh\n')
  await copyFile('/bin/busybox', join(root, 'bin', 'busybox'))
  for (const applet of APPLETS) await symlink('busybox', join(root, 'bin', applet))
  spawnSync('tar', ['-C', root, '-cf', join(folder, 'box.tar'), '.'])
  podman('import', '--change', 'ENV PATH=/bin', '--change', 'EXPOSE 7000/tcp', join(folder, 'box.tar'), IMAGE)
  const { status, stderr } = spawnSync('podman', ['run', '--rm', IMAGE, 'true'], { env: environment, encoding: 'utf8' })
  const withoutNetwork = status !== 0 && `containers have no network of their own here: ${stderr.trim().split('\n').at(-1)}`
  return { containers: localContainers(found.engine, environment), environment, withoutNetwork, podman }
}
