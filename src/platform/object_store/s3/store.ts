/**
 * Objects in a bucket of an S3-compatible service. Loaded only if one is configured, because the SDK costs memory and start time. Large
 * objects are uploaded in parts, which become visible when the upload is completed.
 */
import { pipeline, type Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type Expected, Measured, type StoredBytes } from '../measured.ts'
import { isKey, newKey, ObjectMissing, type ObjectStore, ObjectStoreUnavailable, ObjectStoreUnfit } from '../store.ts'
import type { S3Address } from './address.ts'
import { isMissing, reasonOfS3, s3Client } from './client.ts'

/** Bytes of a part, of which two are in memory concurrently: an object may have 10,000 parts, so 80 GB. */
const PART_SIZE = 8 * 1024 * 1024

/** The store in the bucket at this address. */
export function s3Store({ endpoint, region, bucket, prefix, credentials, pathStyle }: S3Address): ObjectStore {
  const client = s3Client({ endpoint, region, credentials, pathStyle })
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })
  /** The key of one of Ingot's objects; undefined for other objects. */
  const keyOf = (name = ''): string | undefined => {
    const key = name.slice(prefix.length)
    return name.startsWith(prefix) && isKey(key) ? key : undefined
  }

  /** Incomplete uploads; undefined if the service does not list them: then a lifecycle rule of the bucket must end them. */
  async function uploadsFrom(marker: UploadsMarker): Promise<ListMultipartUploadsCommandOutput | undefined> {
    try {
      return await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }))
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501) return undefined
      throw error
    }
  }

  async function put(source: Readable, expected: Expected = {}, key = newKey()): Promise<StoredBytes> {
    const measured = new Measured(expected)
    // An error of the source appears in `measured`, which the upload reads.
    pipeline(source, measured, () => {})
    const upload = new Upload({ client, params: { ...at(key), Body: measured }, partSize: PART_SIZE, queueSize: 2 })
    try {
      await upload.done()
    } catch (error) {
      // If the source failed, that is the reason, and not the error of the upload.
      throw measured.errored ?? unavailable(error)
    } finally {
      // If the service failed, the source must not wait for ever.
      measured.destroy()
    }
    return { key, ...measured.total() }
  }

  return {
    put,
    async check() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }))
      } catch (error) {
        const reason = error instanceof S3ServiceException ? `answered ${error.$metadata.httpStatusCode}` : (error as Error).message
        throw new ObjectStoreUnfit(`the bucket ${bucket} at ${endpoint} cannot be used: ${reason}`, { cause: error })
      }
    },
    async read(key, range) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ ...at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
        )
        return Body as Readable
      } catch (error) {
        throw isMissing(error) ? new ObjectMissing(key, { cause: error }) : unavailable(error)
      }
    },
    async sizeOf(key) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand(at(key)))
        return ContentLength
      } catch (error) {
        if (isMissing(error)) return undefined
        throw unavailable(error)
      }
    },
    async delete(keys) {
      for (const key of keys)
        await client.send(new DeleteObjectCommand(at(key))).catch(error => {
          throw unavailable(error)
        })
    },
    async *list() {
      let token: string | undefined
      do {
        const asked = { Bucket: bucket, Prefix: prefix, ContinuationToken: token }
        const page = await client.send(new ListObjectsV2Command(asked)).catch(error => {
          throw unavailable(error)
        })
        for (const { Key, LastModified } of page.Contents ?? []) {
          const key = keyOf(Key)
          if (key !== undefined && LastModified) yield { key, modifiedAt: LastModified }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },
    async removeUnfinished(before) {
      let marker: UploadsMarker | undefined = {}
      while (marker) {
        const page = await uploadsFrom(marker)
        if (!page) return
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          const key = keyOf(Key)
          if (key !== undefined && Initiated && Initiated < before)
            await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId }))
        }
        marker = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
      }
    },
    close: async () => client.destroy(),
  }
}

/** Where a page of uploads begins. */
type UploadsMarker = { readonly KeyMarker?: string | undefined; readonly UploadIdMarker?: string | undefined }

/** What the service or the network said, as a failure of the store. */
const unavailable = (error: unknown): ObjectStoreUnavailable =>
  new ObjectStoreUnavailable(`the object store failed: ${reasonOfS3(error)}`, { cause: error })
