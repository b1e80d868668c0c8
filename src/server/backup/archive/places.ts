/** Where archives are: in files, or in the buckets of S3-compatible services. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ConfigError } from '../../../platform/config.ts'
import { parseS3Folder, parseS3Object, type S3Address, type S3Object } from '../../../platform/object_store/s3/address.ts'
import type { ByteRange } from '../../../platform/object_store/store.ts'

/** An archive that is being written. */
export interface Unfinished {
  readonly target: Writable
  /** Once the target has ended: the archive is there, on the disk or in the bucket. */
  keep(): Promise<void>
  /** Nothing is left. */
  discard(): Promise<void>
}

export interface ArchivePlace {
  /** As people write it, without secrets. */
  readonly name: string
  /** The folder of a file; undefined for an object. */
  readonly folder?: string
  /**
   * Begins to write.
   * @throws Error an archive is there, or none can be
   */
  create(): Promise<Unfinished>
  /** All of it, or a part. @throws Error there is none, or it cannot be read */
  read(range?: ByteRange): Promise<Readable>
  /** Bytes; undefined where there is none. */
  size(): Promise<number | undefined>
  /** The place of this name (`baseName`) in the same folder, or below the same part of the key. */
  beside(name: string): Promise<ArchivePlace>
  close(): void
}

/** The last part of the name of an archive. */
export const baseName = ({ name }: Pick<ArchivePlace, 'name'>): string => basename(name)

const existsAlready = (name: string) => new Error(`${name} exists: name another file, or remove it`)

/** An archive in a file. It is written beside it, and has its name when it is whole. */
export function archiveInFile(path: string): ArchivePlace {
  const unfinished = `${path}.unfinished`
  const size = async (file = path): Promise<number | undefined> => {
    try {
      return (await stat(file)).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  return {
    name: path,
    folder: dirname(path),
    size: () => size(),
    beside: async name => archiveInFile(join(dirname(path), basename(name))),
    async read(range) {
      const stream = createReadStream(path, range)
      await once(stream, 'open')
      return stream
    },
    async create() {
      await mkdir(dirname(path), { recursive: true })
      for (const file of [path, unfinished]) if ((await size(file)) !== undefined) throw existsAlready(file)
      return {
        target: createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
        async keep() {
          // Unlike a rename, a link never replaces a file that has come meanwhile.
          await link(unfinished, path)
          await rm(unfinished)
          const folder = await open(dirname(path), 'r')
          await folder.sync().finally(() => folder.close())
        },
        discard: () => rm(unfinished, { force: true }),
      }
    },
    close() {},
  }
}

/** An archive in a bucket. It is uploaded in parts, which are an object when the last one is there. */
export async function archiveInBucket(address: S3Object): Promise<ArchivePlace> {
  const { openS3Object } = await import('../../../platform/object_store/s3/object.ts')
  const object = openS3Object(address)
  const name = `s3://${new URL(address.endpoint).host}/${address.bucket}/${address.key}`
  return {
    name,
    size: object.sizeOf,
    beside: sibling => archiveInBucket({ ...address, key: posix.join(posix.dirname(address.key), posix.basename(sibling)) }),
    async read(range) {
      const stream = await object.read(range)
      if (!stream) throw new Error(`there is no ${name}`)
      return stream
    },
    async create() {
      if ((await object.sizeOf()) !== undefined) throw existsAlready(name)
      const upload = object.write()
      return { target: upload.target, keep: upload.finish, discard: upload.abort }
    },
    close: object.close,
  }
}

/** The object or part of a bucket that an address names, with the credentials of the instance where they are of the same service. */
function withCredentials<T extends Omit<S3Address, 'prefix'>>(address: T, files: S3Address | undefined): T {
  const isSameService = files !== undefined && files.endpoint === address.endpoint
  return { ...address, credentials: address.credentials ?? (isSameService ? files.credentials : undefined) }
}

const FORM = 's3://key:secret@host:port/bucket/name?region=…&tls=…'

/** Does the text name something in a bucket, and not a path? @throws ConfigError it is something else */
function isInBucket(given: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(given) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 's3')
    throw new ConfigError(`an archive is a file or an object of a bucket (s3://host/bucket/name), not something at ${scheme}://`)
  return scheme !== undefined
}

/**
 * The place that a command names: a path, or the address of an object in a bucket.
 * @param files the bucket of the instance: its credentials are those of an address of the same service that has none, so that no command line shows them
 * @throws ConfigError
 */
export async function archiveAt(given: string, files: S3Address | undefined): Promise<ArchivePlace> {
  if (!isInBucket(given)) return archiveInFile(resolve(given))
  const address = parseS3Object(given)
  if (!address) throw new ConfigError(`the address of an archive in a bucket has the form ${FORM}`)
  return archiveInBucket(withCredentials(address, files))
}

/**
 * The places of all that is in a folder, or in a bucket below a part of a key, by their names; folders in it are not looked into.
 * @throws ConfigError there is no such folder
 */
export async function placesIn(given: string, files: S3Address | undefined): Promise<ArchivePlace[]> {
  if (isInBucket(given)) {
    const address = parseS3Folder(given)
    if (!address) throw new ConfigError(`the address of archives in a bucket has the form ${FORM.replace('/name', '/folder')}`)
    const { namesIn } = await import('../../../platform/object_store/s3/object.ts')
    const { prefix, ...bucket } = withCredentials(address, files)
    const names = await namesIn({ ...bucket, prefix })
    return Promise.all(names.map(name => archiveInBucket({ ...bucket, key: `${prefix}${name}` })))
  }
  const folder = resolve(given)
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${folder} is no folder that can be read (${error.code})`)
  })
  const names = entries.filter(entry => !entry.isDirectory()).map(({ name }) => name)
  return names.sort().map(name => archiveInFile(join(folder, name)))
}
