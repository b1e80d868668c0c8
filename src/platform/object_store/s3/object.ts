/** One object of a bucket, written and read as a stream of any length. Loaded only where one is named, because the SDK costs memory and start time. */
import { PassThrough, Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GetObjectCommand, HeadBucketCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type ByteRange, ObjectStoreUnavailable } from '../store.ts'
import type { S3Address, S3Object } from './address.ts'
import { isMissing, reasonOfS3, s3Client } from './client.ts'

/** Bytes of a part of an upload, of which two are in memory: an object may have 10,000 parts, so 320 GB. */
const PART_SIZE = 32 * 1024 * 1024

/** Bytes of an answer. Each is read as a whole: a reader that is slow keeps no connection silent. */
const RANGE_SIZE = 8 * 1024 * 1024

/** An object that is being written. */
export interface ObjectUpload {
  readonly target: Writable
  /** Once the target has ended: the object is there. */
  finish(): Promise<void>
  /** Nothing is left. */
  abort(): Promise<void>
}

const unusable = ({ bucket, endpoint }: Pick<S3Address, 'bucket' | 'endpoint'>, error: unknown) =>
  new ObjectStoreUnavailable(`the bucket ${bucket} at ${endpoint} cannot be used: ${reasonOfS3(error)}`, { cause: error })

/** The names of the objects below a prefix, without it and without those that have a slash in them. @throws ObjectStoreUnavailable */
export async function namesIn({ prefix, ...address }: S3Address): Promise<string[]> {
  const client = s3Client(address)
  const names: string[] = []
  try {
    let token: string | undefined
    do {
      const asked = { Bucket: address.bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }
      const page = await client.send(new ListObjectsV2Command(asked))
      for (const { Key = '' } of page.Contents ?? []) if (Key.length > prefix.length) names.push(Key.slice(prefix.length))
      token = page.NextContinuationToken
    } while (token !== undefined)
  } catch (error) {
    throw unusable(address, error)
  } finally {
    client.destroy()
  }
  return names.sort()
}

/** The object at this address. `close` ends the connections. */
export function openS3Object({ key, ...address }: S3Object) {
  const client = s3Client(address)
  const at = { Bucket: address.bucket, Key: key }
  const failed = (error: unknown) => unusable(address, error)

  async function head(): Promise<{ readonly size: number; readonly etag: string | undefined } | undefined> {
    try {
      const { ContentLength = 0, ETag } = await client.send(new HeadObjectCommand(at))
      return { size: ContentLength, etag: ETag }
    } catch (error) {
      if (!isMissing(error)) throw failed(error)
    }
    // The answer has no body to say what is missing: the object, or the bucket.
    try {
      await client.send(new HeadBucketCommand({ Bucket: address.bucket }))
      return undefined
    } catch (error) {
      throw failed(error)
    }
  }

  async function* ranges(part: ByteRange, etag: string | undefined): AsyncGenerator<Buffer, void, void> {
    for (let { start } = part; start <= part.end; start += RANGE_SIZE) {
      const end = Math.min(start + RANGE_SIZE - 1, part.end)
      try {
        // The same object to its end, whatever takes its place meanwhile.
        const { Body } = await client.send(new GetObjectCommand({ ...at, Range: `bytes=${start}-${end}`, ...(etag && { IfMatch: etag }) }))
        yield await buffer(Body as Readable)
      } catch (error) {
        throw failed(error)
      }
    }
  }

  return {
    /** Bytes; undefined where there is none. @throws ObjectStoreUnavailable */
    sizeOf: async (): Promise<number | undefined> => (await head())?.size,
    /** Undefined where there is none. Reading fails with ObjectStoreUnavailable. @param range a part of it, in place of all */
    async read(range?: ByteRange): Promise<Readable | undefined> {
      const found = await head()
      return found && Readable.from(ranges(range ?? { start: 0, end: found.size - 1 }, found.etag), { objectMode: false })
    },
    /** Begins to write; the object is there when `finish` resolves, and not before. */
    write(): ObjectUpload {
      const target = new PassThrough()
      const upload = new Upload({ client, params: { ...at, Body: target }, partSize: PART_SIZE, queueSize: 1 })
      const done = upload.done().catch(error => {
        const reason = failed(error)
        // Who writes learns it by the stream.
        target.destroy(reason)
        throw reason
      })
      done.catch(() => {})
      return {
        target,
        finish: async () => void (await done),
        async abort() {
          // The upload fails by it, and takes back its parts.
          target.destroy()
          await done.catch(() => {})
        },
      }
    },
    close: (): void => client.destroy(),
  }
}
