/** Random access to bytes: an object of the store, read as a zip needs it. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ByteRange, ObjectStore } from '../../../platform/object_store/store.ts'

export interface ByteSource {
  /** In bytes. */
  readonly size: number
  /** A range, both ends included. */
  read(range: ByteRange): Promise<Readable>
}

/** An object of the store. */
export const objectSource = (objects: ObjectStore, { key, size }: { readonly key: string; readonly size: number }): ByteSource => ({
  size,
  read: range => objects.read(key, range),
})

/** The `length` bytes from `start` on; for parts that fit into memory. */
export async function bytesAt(source: ByteSource, start: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0)
  return buffer(await source.read({ start, end: start + length - 1 }))
}

/** The file is no zip, or a zip that contradicts itself; the message says what is wrong. */
export class UnfitZip extends Error {
  override name = 'UnfitZip'
}
