/**
 * What a container engine is asked to do for a job. An order is plain data without a command line, so that an executor without rights can send it to
 * its parent, which has them: names of containers and folders follow from the numbers of the job, and nothing in an order names a file of the machine.
 */
import { isLocalImage, isOnLoopback, wholeImageName } from './image_names.ts'

/** A container of a job: that of its scripts, the one that keeps the network of its services, or a service by its number. */
export type Part = 'job' | 'network' | `service-${number}`

/** The network of a container: the machine's, one of its own, or that of the job's services. */
export type NetworkOf = 'machine' | 'own' | 'services'

interface Creation {
  readonly do: 'create'
  readonly part: Part
  readonly image: string
  /** In place of what the image says; an empty text for nothing. */
  readonly entrypoint: readonly string[] | undefined
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly network: NetworkOf
  /** Names that lead to the container's own network. */
  readonly hosts: readonly string[]
  /** Where its programs start. */
  readonly directory: string | undefined
}

export type Order =
  /** `logins`: by the domain of a registry, user and password as `base64(user:password)`. */
  | { readonly do: 'pull'; readonly image: string; readonly logins: Readonly<Record<string, string>> }
  | Creation
  /** Runs a container until it ends. Output: its own. */
  | { readonly do: 'run'; readonly part: Part }
  | { readonly do: 'start'; readonly part: Part }
  /** Ends what runs in a container, which stays. */
  | { readonly do: 'end'; readonly part: Part }
  /** Takes a tar archive as input, unpacked at the root. */
  | { readonly do: 'put'; readonly part: Part }
  /** Output: a tar archive of a folder, by its last name. */
  | { readonly do: 'get'; readonly part: Part; readonly from: string }
  /** Output: the ports that an image says it listens on, `{"5432/tcp":{}}` or `null`. */
  | { readonly do: 'ports'; readonly image: string }
  /** Output: which ports are listened on, as `/proc/net/tcp` has them. */
  | { readonly do: 'listening' }
  /** Output: the end of what a container has said. */
  | { readonly do: 'log'; readonly part: Part }
  /** Removes all containers of the job. */
  | { readonly do: 'remove'; readonly parts: readonly Part[] }

/** A container engine on this machine: plain data. */
export interface Engine {
  readonly kind: 'podman' | 'docker'
  /** Its absolute path. */
  readonly program: string
  /** May containers have the network of the machine? Jobs without services get it where the server listens on this machine alone. */
  readonly mayShareNetwork: boolean
  /** Marks the containers of this runner. */
  readonly mark: string
}

/** A command line of an engine, and the files that it needs, which lie in a folder of its own while it runs. */
export interface Command {
  readonly args: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

/** An order that must not be carried out: only a mistake, or an executor that jobs have taken over, sends one. */
export class BadOrder extends Error {}

const PARTS = /^(job|network|service-\d{1,2})$/

/** The label of the containers of a runner. */
export const LABEL = 'ingot.runner'

const nameOf = ({ mark }: Engine, job: number, part: Part): string => {
  if (!Number.isInteger(job) || job < 1 || !PARTS.test(part)) throw new BadOrder('a container of no job')
  return `ingot-${mark}-${job}-${part}`
}

const imageOf = (name: string): string => {
  const whole = wholeImageName(name)
  if (whole === undefined) throw new BadOrder(`no image: ${name}`)
  return whole
}

/** A folder in a container. */
const pathOf = (path: string): string => {
  if (!path.startsWith('/') || path.includes('\0')) throw new BadOrder('no absolute path')
  return path
}

/**
 * The command line for an order.
 * @param folder where the files of the command will be
 * @throws BadOrder
 */
export function commandFor(engine: Engine, job: number, order: Order, folder: string): Command {
  const isPodman = engine.kind === 'podman'
  const name = (part: Part) => nameOf(engine, job, part)
  const plain = (...args: string[]): Command => ({ args, files: {} })
  switch (order.do) {
    case 'pull': {
      const image = imageOf(order.image)
      // Programs that keep passwords (`credHelpers`) are no part of it: an order must not start one.
      const auths = Object.fromEntries(Object.entries(order.logins).map(([domain, auth]) => [domain, { auth: String(auth) }]))
      const files = { 'config.json': JSON.stringify({ auths }) }
      const quietly = isPodman
        ? ['pull', '--quiet', '--authfile', `${folder}/config.json`, ...(isOnLoopback(image) ? ['--tls-verify=false'] : [])]
        : ['--config', folder, 'pull', '--quiet']
      if (isLocalImage(image)) throw new BadOrder(`an image of this machine alone: ${image}`)
      return { args: [...quietly, image], files }
    }
    case 'create':
      return creation(engine, job, order, folder)
    case 'run':
      return plain('start', '--attach', name(order.part))
    case 'start':
      return plain('start', name(order.part))
    case 'end':
      return plain('stop', '-t', '0', name(order.part))
    case 'put':
      return plain('cp', '-', `${name(order.part)}:/`)
    case 'get':
      return plain('cp', `${name(order.part)}:${pathOf(order.from)}`, '-')
    case 'ports':
      return plain('image', 'inspect', '--format', '{{json .Config.ExposedPorts}}', imageOf(order.image))
    case 'listening':
      return plain('exec', name('network'), 'cat', '/proc/net/tcp', '/proc/net/tcp6')
    case 'log':
      return plain('logs', '--tail', '20', name(order.part))
    case 'remove':
      return plain('rm', '--force', '--volumes', ...(isPodman ? ['--ignore', '--time', '0'] : []), ...order.parts.map(name))
  }
}

function creation(engine: Engine, job: number, order: Creation, folder: string): Command {
  const { part, image, entrypoint, command, environment, network, hosts, directory } = order
  if (network === 'machine' && !engine.mayShareNetwork) throw new BadOrder('the network of the machine is not for jobs')
  const networks = { machine: ['--network', 'host'], own: [], services: ['--network', `container:${nameOf(engine, job, 'network')}`] }
  const [program, ...rest] = entrypoint ?? []
  for (const host of hosts) if (!/^[\w.-]+$/.test(host)) throw new BadOrder('no name of a host')
  const lines = Object.entries(environment).map(([key, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(key) || /[\n\r\0]/.test(value)) throw new BadOrder('no variable of one line')
    return `${key}=${value}\n`
  })
  return {
    // Variables come from a file: every user of the machine can read arguments, and the engine's own environment must not be a job's.
    files: { environment: lines.join('') },
    args: [
      ...['create', '--name', nameOf(engine, job, part), '--label', `${LABEL}=${engine.mark}`, '--pull', 'never'],
      ...['--env-file', `${folder}/environment`],
      ...networks[network],
      ...hosts.flatMap(host => ['--add-host', `${host}:127.0.0.1`]),
      ...(directory === undefined ? [] : ['--workdir', pathOf(directory)]),
      ...(program === undefined ? [] : ['--entrypoint', program]),
      imageOf(image),
      ...(program ? rest : []),
      ...command,
    ],
  }
}
