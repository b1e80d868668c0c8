/** Registries of packages and of images: large layers, an installation of many packages, and lists of very many. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { packageOrders } from '../src/delivery/packages/lists.ts'
import { tarOf } from '../test/archives.ts'
import { call } from './api.ts'
import type { Bench } from './bench.ts'
import { transferRate } from './curl.ts'
import type { DurationCase } from './durations.ts'
import { environment } from './environment.ts'
import { startFloor } from './floor/start.ts'
import { inTurn } from './medians.ts'
import { growthDuring } from './memory.ts'
import { type RequestCase, readRequest } from './requests.ts'
import { inBulk } from './world/bulk.ts'

const run = promisify(execFile)

/** A layer of an image on the disk, which is another one after each `next`. */
interface Layer {
  readonly file: string
  readonly bytes: number
  /** Where the images of the project are: `http://127.0.0.1:<port>/v2/root/layers`. */
  readonly images: string
  readonly authorization: string
  /** Changes the file, and answers its digest. */
  next(): Promise<string>
}

async function makeLayer({ ingot, scratch, size: { archiveBytes: bytes } }: Bench, name: string): Promise<Layer> {
  const { path_with_namespace: path } = (await call<{ path_with_namespace: string }>(ingot, 'POST', '/projects', { name })).body
  const file = join(scratch, 'layer')
  const handle = await open(file, 'w')
  try {
    const block = randomBytes(10_000_000)
    for (let at = 0; at < bytes; at += block.length) await handle.write(block, 0, Math.min(block.length, bytes - at))
  } finally {
    await handle.close()
  }
  return {
    file,
    bytes,
    images: `${ingot.url}/v2/${path}`,
    authorization: `Authorization: Bearer ${ingot.token}`,
    async next() {
      const change = await open(file, 'r+')
      try {
        await change.write(randomBytes(32), 0, 32, 0)
      } finally {
        await change.close()
      }
      const hash = createHash('sha256')
      await pipeline(createReadStream(file), hash)
      return `sha256:${hash.digest('hex')}`
    },
  }
}

/** Begins an upload, sends the layer in one piece, and answers at how many megabytes a second. */
async function pushLayer({ file, bytes, images, authorization }: Layer, digest: string): Promise<number> {
  const [name = '', value = ''] = authorization.split(': ')
  const begun = await fetch(`${images}/blobs/uploads/`, { method: 'POST', headers: { [name]: value } })
  const location = begun.headers.get('location')
  if (begun.status !== 202 || location === null) throw new Error(`an upload was answered ${begun.status}: ${await begun.text()}`)
  const address = new URL(location, images)
  address.searchParams.set('digest', digest)
  return transferRate(bytes, ['--upload-file', file, '--header', 'Expect:', '--header', authorization, address.href])
}

const pullLayer = ({ bytes, images, authorization }: Layer, digest: string): Promise<number> =>
  transferRate(bytes, ['--header', authorization, `${images}/blobs/${digest}`])

/** The share of what a handler reaches that only copies files over the same HTTP stack. */
const promise = { shareOfFloor: 0.8 }

const upload: DurationCase = {
  name: 'upload of a layer',
  unit: 'MB per second',
  promise,
  async measure(bench) {
    const layer = await makeLayer(bench, 'uploaded layers')
    const floor = await startFloor('./files.ts', { directory: bench.scratch })
    try {
      return await inTurn(
        bench.rounds,
        async () => pushLayer(layer, await layer.next()),
        async () => {
          const rate = await transferRate(layer.bytes, [
            ...['--request', 'POST', '--upload-file', layer.file, '--header', 'Expect:'],
            `${floor.url}/copy`,
          ])
          await rm(join(bench.scratch, 'copy'))
          return rate
        },
      )
    } finally {
      await floor.stop()
    }
  },
}

const download: DurationCase = {
  name: 'download of a layer',
  unit: 'MB per second',
  promise,
  async measure(bench) {
    const layer = await makeLayer(bench, 'downloaded layers')
    const digest = await layer.next()
    await pushLayer(layer, digest)
    const floor = await startFloor('./files.ts', { directory: bench.scratch })
    try {
      return await inTurn(
        bench.rounds,
        () => pullLayer(layer, digest),
        () => transferRate(layer.bytes, [`${floor.url}/layer`]),
      )
    } finally {
      await floor.stop()
    }
  },
}

const memory: DurationCase = {
  name: 'memory that an upload and a download of a layer take',
  unit: 'MB',
  promise: { most: 30 },
  async measure(bench) {
    const layer = await makeLayer(bench, 'watched layers')
    const there = async () => {
      const digest = await layer.next()
      await pushLayer(layer, digest)
      await pullLayer(layer, digest)
    }
    // What the first transfer leaves behind is there for all that follow.
    await there()
    const target: number[] = []
    for (let round = 0; round < bench.rounds; round++) target.push(await growthDuring(bench.ingot.pid, there))
    return { target, floor: [] }
  },
}

/** Packages of one installation, and the bytes of each. */
const INSTALLED = 200
const PACKAGE_BYTES = 20_000

const nameOf = (index: number): string => `bench-package-${index}`

/** Publishes the packages by the protocol of npm, and answers the address of the registry. */
async function publishPackages({ ingot }: Bench): Promise<string> {
  const { id } = (await call<{ id: number }>(ingot, 'POST', '/projects', { name: 'installed packages' })).body
  for (let index = 0; index < INSTALLED; index++) {
    const manifest = { name: nameOf(index), version: '1.0.0' }
    const archive = gzipSync(
      tarOf(['package/package.json', Buffer.from(JSON.stringify(manifest))], ['package/index.bin', randomBytes(PACKAGE_BYTES)]),
    )
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
    const dist = {
      integrity,
      shasum: createHash('sha1').update(archive).digest('hex'),
      tarball: `http://localhost/${nameOf(index)}-1.0.0.tgz`,
    }
    await call(ingot, 'PUT', `/projects/${id}/packages/npm/${nameOf(index)}`, {
      _id: nameOf(index),
      name: nameOf(index),
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { ...manifest, dist } },
      _attachments: {
        [`${nameOf(index)}-1.0.0.tgz`]: {
          content_type: 'application/octet-stream',
          data: archive.toString('base64'),
          length: archive.length,
        },
      },
    })
  }
  return `${ingot.url}/api/v4/projects/${id}/packages/npm/`
}

/** Writes what the registry answers as files whose addresses are those of `base`. */
async function copyRegistry({ ingot }: Bench, registry: string, directory: string, base: string): Promise<void> {
  const headers = { 'private-token': ingot.token }
  await mkdir(directory)
  for (let index = 0; index < INSTALLED; index++) {
    const document = (await (await fetch(`${registry}${nameOf(index)}`, { headers })).json()) as Document
    const { dist } = document.versions['1.0.0']
    await writeFile(
      join(directory, `${nameOf(index)}-1.0.0.tgz`),
      Buffer.from(await (await fetch(dist.tarball, { headers })).arrayBuffer()),
    )
    dist.tarball = `${base}/${nameOf(index)}-1.0.0.tgz`
    await writeFile(join(directory, nameOf(index)), JSON.stringify(document))
  }
}

interface Document {
  readonly versions: { readonly '1.0.0': { readonly dist: { tarball: string } } }
}

const install: DurationCase = {
  name: `installations of ${INSTALLED} packages by npm`,
  unit: 'per minute',
  // 1.3 times as long as from a server of plain files.
  promise: { shareOfFloor: 1 / 1.3 },
  async measure(bench) {
    const { scratch, ingot } = bench
    const registry = await publishPackages(bench)
    const directory = join(scratch, 'npm-files')
    const floor = await startFloor('./files.ts', { directory })
    const dependencies = Object.fromEntries(Array.from({ length: INSTALLED }, (_, index) => [nameOf(index), '1.0.0']))
    /** Without anything from the one before. */
    const rate = async (from: string): Promise<number> => {
      const cwd = join(scratch, 'npm-install')
      await mkdir(cwd)
      const settings = [`registry=${from}`, `${from.replace(/^http:/, '')}:_authToken=${ingot.token}`, `cache=${join(cwd, 'cache')}`]
      await writeFile(
        join(cwd, '.npmrc'),
        [...settings, 'audit=false', 'fund=false', 'update-notifier=false', 'fetch-retries=0', ''].join('\n'),
      )
      await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'bench', version: '1.0.0', dependencies }))
      const began = performance.now()
      await run('npm', ['install', '--silent'], { cwd, env: { ...environment, HOME: cwd } })
      const time = performance.now() - began
      await rm(cwd, { recursive: true })
      return 60_000 / time
    }
    try {
      await copyRegistry(bench, registry, directory, floor.url)
      return await inTurn(
        bench.rounds,
        () => rate(registry),
        () => rate(`${floor.url}/`),
      )
    } finally {
      await floor.stop()
    }
  },
}

export const registryCases: readonly DurationCase[] = [upload, download, memory, install]

/** Packages of the project whose list is asked for. */
const LISTED = 100_000

/** A project with very many packages, in rows alone; answers its id. */
export async function loadPackages({ ingot, deps: { database } }: Pick<Bench, 'ingot' | 'deps'>): Promise<number> {
  const { id } = (await call<{ id: number }>(ingot, 'POST', '/projects', { name: 'many packages' })).body
  await inBulk(database, ['packages'], async client => {
    await client.query(
      `insert into packages (project_id, package_type, name, lookup_name, version, created_at, updated_at)
       select $1, (array['generic', 'npm', 'maven', 'pypi'])[1 + n % 4], named.name, named.name, '1.' || n / 1000 || '.' || n % 7, made, made
         from generate_series(0, $2::int - 1) n,
              lateral (select 'package-' || n * 7919 % 99991 as name, timestamptz '2020-01-01' + n * interval '1 minute' as made) named`,
      [id, LISTED],
    )
  })
  return id
}

const listed = (name: string, query: string): RequestCase => ({
  name,
  connections: 2,
  promise: { ratio: 0.6, p99: 50 },
  prepare: async bench =>
    readRequest(bench, `/api/v4/projects/${await bench.packages()}/packages?${query}`, { 'private-token': bench.ingot.token }),
})

export const packageListCases: readonly RequestCase[] = [
  ...packageOrders.map(order => listed(`packages of a project by ${order}`, `order_by=${order}&sort=desc`)),
  listed('packages of a project, one type', 'package_type=npm'),
  listed('packages of a project, part of a name', 'package_name=package-777'),
]
