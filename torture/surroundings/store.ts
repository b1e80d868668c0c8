/** An S3 server that is gone for a while, and comes back where it was. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from 's3rver'
import { newDirectory } from '../../src/server/cli/scene.ts'
import type { Disturbance } from './disturbance.ts'

/** A bucket `files` below a folder. Its lists of more than 1,000 objects take a cipher that Node has with `--openssl-legacy-provider` alone. */
export async function startBucket(directory: string, port = 0): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: 'files' }] })
  const address = await server.run()
  return { port: address.port, close: () => server.close() }
}

/** The setting that leads there. */
export const bucketAddress = (port: number): string => `s3://S3RVER:S3RVER@127.0.0.1:${port}/files?prefix=ingot&tls=false`

let bucket: Awaited<ReturnType<typeof startBucket>> | undefined
let folder = ''

export const storeGone: Disturbance = {
  name: 'object store gone',
  checks: false,
  async prepare() {
    const cwd = await newDirectory()
    folder = join(cwd, 's3')
    await mkdir(folder)
    bucket = await startBucket(folder)
    return { cwd, env: { INGOT_OBJECT_STORE: bucketAddress(bucket.port) } }
  },
  begin: async () => bucket?.close(),
  async end() {
    bucket = await startBucket(folder, bucket?.port)
  },
  dispose: async () => bucket?.close().catch(() => {}),
}
